import { HINTS } from '../../api/implementation.ts';
import { testGenerators } from './generators.test.fixture.ts';

testGenerators('whole', HINTS);
