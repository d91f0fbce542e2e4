/** The trial of histories passes for the server, and fails for servers with a planted error. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../tools/build.js';

function runTrial(...args: string[]) {
  const program = join(ROOT, 'dist/server/testing/histories/main.js');
  const command = [program, '--histories', '1', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test.for([
  ['with its own settings', []],
  ['with a snapshot after few changes', ['--journal-bytes', '20000']],
] as const)('histories of the server are legal %s', ([, args]) => {
  const { status, output } = runTrial('--seconds', '1', ...args);
  expect(output).toContain(' 0 illegal');
  expect(status).toBe(0);
});

test.for(['late-write', 'stale-read'])('the planted error %s is found', (planted) => {
  const { status, output } = runTrial('--seconds', '3', '--planted', planted);
  expect(output).toContain('no order explains');
  expect(status).toBe(1);
});

test.for([
  [['--clients', 'many'], '--clients must be an integer from 1, not "many"'],
  [['--planted', 'none'], '--planted must be late-write or stale-read, not "none"'],
] as const)('%s is refused', ([args, message]) => {
  expect(runTrial(...args)).toEqual({ status: 2, output: `histories: ${message}\n` });
});
