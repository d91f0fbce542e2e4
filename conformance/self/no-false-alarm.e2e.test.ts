import { SETTINGS } from './no-false-alarm.ts';
import { testNoFalseAlarm } from './no-false-alarm.suite.ts';

testNoFalseAlarm(SETTINGS.filter(({ name }) => name !== 'with tokens, origin all'));
