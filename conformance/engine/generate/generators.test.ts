import { testGenerators } from './generators.suite.ts';

// The clauses differ with the seed; all of them, with many values, are the matter of generators.e2e.test.ts.
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));
console.log(`generators: SEED=${seed}`);

testGenerators({ samples: 5, shrinks: 1, shrunkOneIn: 5, clauses: 12, seed });
