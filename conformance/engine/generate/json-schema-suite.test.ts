import { testSuite } from './json-schema-suite.test.fixture.ts';

// All clauses, with many values, are tried in json-schema-suite.e2e.test.ts.
testSuite({ seed: 1, values: 8, negatives: 2, allClauses: false });
