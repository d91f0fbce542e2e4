import { SETTINGS } from './no-false-alarm.ts';
import { testNoFalseAlarm } from './no-false-alarm.suite.ts';

// The core run with most requirements: nothing is skipped for want of a token. The others are in the e2e test.
testNoFalseAlarm(SETTINGS.filter(({ name }) => name === 'with tokens, origin all'));
