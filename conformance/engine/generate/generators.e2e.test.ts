import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import {
  componentsOf,
  testClauses,
  testParameters,
  testValues,
  WHOLE,
} from './generators.test.fixture.ts';

const subject = { contract: SYNTHETIC, extent: WHOLE };

testValues(subject, componentsOf(SYNTHETIC, 'schemas'));
testClauses(subject, ['/components/schemas/Everything']);
testParameters(subject, componentsOf(SYNTHETIC, 'parameters'));
