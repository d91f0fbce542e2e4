import { testGenerators } from './generators.test.fixture.ts';

testGenerators({ samples: 10, shrinks: 4, shrunkOneIn: 25, clauseOneIn: 1, seed: 42, values: 100, negatives: 20 });
