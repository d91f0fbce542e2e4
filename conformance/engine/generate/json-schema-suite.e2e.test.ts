import { testSuite } from './json-schema-suite.test.fixture.ts';

testSuite({ seed: 42, values: 100, negatives: 20, allClauses: true });
