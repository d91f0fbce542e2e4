/** Some cases of each kind; `node tools/run.js server/testing/hostile/main` sends all. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SERVER_MAIN } from '../../../tools/reference-server.ts';
import { run } from '../../../tools/shell.ts';

test('withstands some of each kind', async () => {
  const program = join(SERVER_MAIN, '..', 'testing', 'hostile', 'main.js');
  const { stdout } = await run({ command: process.execPath, args: [program, '--quick'] });
  expect(stdout).toMatch(/\n\d+ passed, 0 failed\n$/);
});
