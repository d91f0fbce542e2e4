import { testSample } from './mutants.suite.ts';

testSample(60, ['core', 'extended']);
