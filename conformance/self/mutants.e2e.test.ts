import { testSample } from './mutants.suite.ts';

testSample(30, ['core', 'extended']);
