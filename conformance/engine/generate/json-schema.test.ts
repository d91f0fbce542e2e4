import { testJsonSchemaSuite } from './generators.test.fixture.ts';

testJsonSchemaSuite({ values: 8, negatives: 2, seed: 1, all: false });
