import { testGenerators } from './generators.suite.ts';

testGenerators({ samples: 10, shrinks: 4, shrunkOneIn: 25, seed: 42 });
