/** The reference server as a user starts it: a process of its own, with a port, a token and data of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '../command/languages.ts';
import { CommandError } from '../../tools/shell.ts';

export interface Server {
  url: string;
  token: string;
}

/** Serves while `use` runs. @throws {CommandError} when the server ends before it listens. */
export async function withServer<Result>(use: (server: Server) => Promise<Result>): Promise<Result> {
  const data = mkdtempSync(join(tmpdir(), 'edge-clients-'));
  const token = 'round-trip-token';
  // The token by the environment, as in production: arguments can be seen by others.
  const child = spawn(
    process.execPath,
    [join(packageFolder, 'dist', 'server', 'main.js'), '--port', '0', '--data-dir', data, '--log-level', 'silent'],
    {
      env: { ...process.env, API_TOKEN: token },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        const found = /^API\s+(http:\S+)/m.exec(text);
        if (found) resolve(found[1]!);
      });
      void ended.then(() => reject(new CommandError(`the reference server did not start:\n${text}`)));
    });
    return await use({ url, token });
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}
