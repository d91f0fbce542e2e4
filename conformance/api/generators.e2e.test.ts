import { WHOLE } from '../engine/generate/generators.test.fixture.ts';
import { testGenerators } from './generators.test.fixture.ts';

testGenerators(WHOLE);
