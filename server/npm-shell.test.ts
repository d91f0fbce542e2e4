import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endWithShell } from './npm-shell.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SHELL = 200;
const INIT = 1;

/** The signals that a process gets after its parent has ended, which npm started by this script. */
function signalsAfterEnd(script: string | undefined): string[] {
  const child = Object.assign(new EventEmitter(), { ppid: SHELL });
  const signals: string[] = [];
  endWithShell(child, script);
  child.ppid = INIT;
  // While it starts, it listens to no signal.
  vi.advanceTimersByTime(1000);
  child.on('SIGTERM', (signal: string) => signals.push(signal));
  vi.advanceTimersByTime(1000);
  return signals;
}

test.for([
  'edge-server',
  "'edge-server'",
  'edge-server --port 4011',
  'node tools/run.js server/main --docs-command "node tools/run.js docs/site/build --if-stale"',
])('a server that npm started alone ends once with its shell: %s', (script) => {
  expect(signalsAfterEnd(script)).toEqual(['SIGTERM']);
});

test.for([
  undefined,
  'edge-server & wait-on http://127.0.0.1:4010/readyz',
  'npm run build && edge-server',
  'nohup edge-server > log &',
  'node run-tests.js',
])('any other server outlives its parent: %s', (script) => {
  expect(signalsAfterEnd(script)).toEqual([]);
});

test('a server goes on while its shell does', () => {
  const child = Object.assign(new EventEmitter(), { ppid: SHELL });
  const onSignal = vi.fn();
  child.on('SIGTERM', onSignal);
  endWithShell(child, 'edge-server');
  vi.advanceTimersByTime(1000);
  expect(onSignal).not.toHaveBeenCalled();
});
