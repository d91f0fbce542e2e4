import { HINTS } from '../../api/implementation.ts';
import { testGenerators, testJsonSchemaSuite } from './generators.test.fixture.ts';

// All clauses, with many values, are tried in generators.e2e.test.ts.
testGenerators({ hints: HINTS, samples: 5, shrinks: 1, shrunkOneIn: 5, clauseOneIn: 10, seed: 1 });
testJsonSchemaSuite({ values: 8, negatives: 2, seed: 1, all: false });
