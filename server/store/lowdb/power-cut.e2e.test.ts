import { testPowerCuts } from './power-cut.suite.ts';

testPowerCuts(12, 1);
