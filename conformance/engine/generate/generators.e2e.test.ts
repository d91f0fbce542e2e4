import { HINTS } from '../../api/implementation.ts';
import { testGenerators, testJsonSchemaSuite } from './generators.test.fixture.ts';

testGenerators({ hints: HINTS, samples: 10, shrinks: 4, shrunkOneIn: 25, seed: 42 });
testJsonSchemaSuite({ values: 100, negatives: 20, seed: 42, all: true });
