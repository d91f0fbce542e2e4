import { HINTS as hints } from '../../api/implementation.ts';
import { testGenerators } from './generators.test.fixture.ts';

// All clauses, with many values, are tried in generators.e2e.test.ts.
testGenerators({ hints, samples: 5, shrinks: 1, shrunkOneIn: 5, clauseOneIn: 10, seed: 1, values: 8, negatives: 2 });
