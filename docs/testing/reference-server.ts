/** The reference server as a reader starts it: the built command, on a free port, with a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

export interface ReferenceServer extends AsyncDisposable {
  url: string;
}

/** @throws Error with what it printed, where it does not start */
export async function startReferenceServer(args: readonly string[] = []): Promise<ReferenceServer> {
  const data = mkdtempSync(join(tmpdir(), 'edge-docs-data-'));
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'server', 'main.js'), '--port', '0', '--data-dir', data, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await address(child);
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr!.on('data', (chunk) => {
      printed += chunk;
      const found = /^API +(\S+)/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(printed)));
  });
}
