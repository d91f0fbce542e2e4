/** The reference server as a reader starts it: the built command, on a free port, with a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../server/testing/server-process.ts';

export interface ReferenceServer extends AsyncDisposable {
  url: string;
}

/** @throws Error with what it printed, where it does not start */
export async function startReferenceServer(): Promise<ReferenceServer> {
  const data = mkdtempSync(join(tmpdir(), 'edge-docs-data-'));
  const server = await startServer({ args: ['--data-dir', data] });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM');
      rmSync(data, { recursive: true, force: true });
    },
  };
}
