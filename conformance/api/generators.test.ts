import { LIGHT } from '../engine/generate/generators.test.fixture.ts';
import { testGenerators } from './generators.test.fixture.ts';

// All clauses, with many values, are tried in generators.e2e.test.ts.
testGenerators(LIGHT);
