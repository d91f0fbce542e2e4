import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { warnOfUrlParseUnheard } from './url-parse.ts';

test('the warning of url.parse is not shown, and other warnings are', async () => {
  const heard: string[] = [];
  const hear = ({ message }: Error): void => void heard.push(message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  await warnOfUrlParseUnheard();
  // Node 24 and later would warn of this call, if it were the first one.
  parse('/docs');
  process.emitWarning('another', 'DeprecationWarning', 'TEST1');
  await nextTurn();
  expect(heard).toEqual(['another']);
});
