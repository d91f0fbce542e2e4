/** One run of the suite, as a user starts it, against the reference server, as a user starts it: they meet over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { folderWith, ROOT, suite } from './command/suite.ts';

const TOKENS = { CONFORMANCE_TOKEN: 'a-token-of-some-length', CONFORMANCE_READ_ONLY_TOKEN: 'a-reader-of-some-length' };

test('the reference server conforms at the core level', async () => {
  const { CONFORMANCE_TOKEN: token, CONFORMANCE_READ_ONLY_TOKEN: reader } = TOKENS;
  using folder = folderWith({ tokens: `${token}\n${reader} read-only\n` });
  const settings = `--port 0 --data-dir ${folder.file('data')} --token-file ${folder.file('tokens')} --validate-responses`;
  const server = spawn(process.execPath, ['tools/run.js', 'server/main', ...settings.split(' ')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const lines = createInterface(server.stderr);
      lines.on('line', (line) => line.startsWith('API ') && resolve(/http:\S+/.exec(line)![0]));
      lines.on('close', () => reject(new Error('the server ended')));
    });
    const { code, stdout } = await suite(`${url} --level core --runs 5 --seed 1`, { env: TOKENS });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Conformant/m)]);
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
}, 120_000);
