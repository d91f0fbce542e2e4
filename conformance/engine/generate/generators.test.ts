import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import {
  componentsOf,
  LIGHT,
  testClauses,
  testParameters,
  testValues,
} from './generators.test.fixture.ts';

// All clauses, with many values, are tried in generators.e2e.test.ts.
const subject = { contract: SYNTHETIC, extent: LIGHT };

testValues(subject, componentsOf(SYNTHETIC, 'schemas'));
testClauses(subject, ['/components/schemas/Everything']);
testParameters(subject, componentsOf(SYNTHETIC, 'parameters'));
