import { HINTS } from '../../api/implementation.ts';
import { testGenerators } from './generators.test.fixture.ts';

// All clauses, with many values, are tried in generators.e2e.test.ts.
testGenerators('light', HINTS);
