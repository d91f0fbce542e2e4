import { HINTS as hints } from '../../api/implementation.ts';
import { testGenerators } from './generators.test.fixture.ts';

testGenerators({
  hints,
  samples: 10,
  shrinks: 4,
  shrunkOneIn: 25,
  clauseOneIn: 1,
  seed: 42,
  values: 100,
  negatives: 20,
});
