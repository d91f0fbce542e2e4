/** One run of the suite, as a user starts it, against the reference server, as a user starts it: they meet over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderWith, ROOT, suite } from './command/suite.ts';

const TOKENS = { CONFORMANCE_TOKEN: 'a-token-of-some-length', CONFORMANCE_READ_ONLY_TOKEN: 'a-reader-of-some-length' };
const folder = folderWith({
  tokens: `${TOKENS.CONFORMANCE_TOKEN}\n${TOKENS.CONFORMANCE_READ_ONLY_TOKEN} read-only\n`,
});
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  const settings = ['--port', '0', '--data-dir', folder.file('data'), '--token-file', folder.file('tokens')];
  server = spawn(process.execPath, ['tools/run.js', 'server/main', ...settings, '--validate-responses'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let announced = '';
  server.stderr!.setEncoding('utf8').on('data', (text: string) => (announced += text));
  url = await new Promise((resolve, reject) => {
    server.stderr!.on('data', () => {
      const [, found] = /^API\s+(http:\S+)/m.exec(announced) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.on('exit', () => reject(new Error(`the server ended: ${announced}`)));
  });
});

afterAll(async () => {
  server.kill();
  await once(server, 'exit');
  folder[Symbol.dispose]();
});

test('the reference server conforms at the core level', async () => {
  const { code, stdout } = await suite(`${url} --level core --runs 5`, { env: TOKENS });
  expect(stdout).toMatch(/^Conformant/m);
  expect(code).toBe(0);
}, 120_000);
