/** The server under attack: a process of its own with a store of files, and what is looked at afterwards. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../send.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

/** Neither may stand in a log. */
export const TOKEN = 'hostile-token-4f1d';
export const SECRET = 'hostile-secret-9b72';

/** Of objects of JavaScript. A server that needs more ends, which is a fault. */
export const HEAP_MIB = 320;

export interface Subject {
  server: ServerProcess;
  port: number;
  /** An edge that is there all the while, and what is known of it. */
  edge: { path: string; id: string };
  /** A digest of every record on the disk. */
  stored(): Promise<string>;
  /** Begins to measure anew. */
  forgetPeak(): void;
  /** The most memory since then, in MiB; undefined where the system does not tell. */
  peak(): number | undefined;
  close(): Promise<void>;
}

export async function startSubject(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-contract-hostile-'));
  // On a large machine, Node lets garbage lie as long as there is room: with this, what is held shows.
  const execArgv = [`--max-old-space-size=${HEAP_MIB}`];
  const server = await startServer({
    execArgv,
    args: ['--data-dir', folder],
    env: { API_TOKEN: TOKEN, DATABASE_URL: '' },
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const created = await send(server.url, {
    method: 'POST',
    path: '/edges/https',
    headers,
    body: { description: 'steady' },
  });
  const { id } = created.json as { id: string };
  await send(server.url, {
    method: 'POST',
    path: '/event_subscriptions/steady/sources',
    headers,
    body: { type: 'steady.v0' },
  });
  const status = `/proc/${server.child.pid}`;
  return {
    server,
    port: Number(new URL(server.url).port),
    edge: { id, path: `/edges/https/${id}` },
    stored: () => digest(folder),
    forgetPeak: () => {
      try {
        writeFileSync(`${status}/clear_refs`, '5');
      } catch {
        // Without it, the peak is that of all that was done so far.
      }
    },
    peak: () => {
      try {
        return Math.ceil(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${status}/status`, 'utf8'))?.[1]) / 1024);
      } catch {
        return undefined;
      }
    },
    close: async () => {
      await server.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function digest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (one) => one.isFile() && one.name.endsWith('.json'),
  );
  for (const path of files.map((one) => join(one.parentPath, one.name)).toSorted()) {
    hash
      .update(path)
      .update('\0')
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
}
