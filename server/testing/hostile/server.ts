/** The server under attack: a process of its own with a store of files, and what is looked at afterwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../send.ts';
import { type ServerProcess, startServer } from '../../../tools/reference-server.ts';

/** Neither may stand in a log. */
export const TOKEN = 'hostile-token-4f1d';
export const SECRET = 'hostile-secret-9b72';
/** For a look at all data, whatever the store is. */
const TEST_TOKEN = 'hostile-snapshot-6c20';

/** Of objects of JavaScript. A server that needs more ends, which is a problem. */
export const HEAP_MIB = 320;

export interface AttackedServer {
  server: ServerProcess;
  port: number;
  /** An edge that is there all the while, and what is known of it. */
  edge: { path: string; id: string };
  /** All records, as an export has them. */
  stored(): Promise<string>;
  /** Begins to measure anew. */
  forgetPeak(): void;
  /** The most memory since then, in MiB; undefined where the system does not tell. */
  peak(): number | undefined;
  close(): Promise<void>;
}

export async function startServerToAttack(): Promise<AttackedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-contract-hostile-'));
  // On a large machine, Node lets garbage lie as long as there is room: with this, what is held shows.
  const execArgv = [`--max-old-space-size=${HEAP_MIB}`];
  const server = await startServer({
    execArgv,
    args: ['--data-dir', folder],
    env: { API_TOKEN: TOKEN, TEST_TOKEN, DATABASE_URL: '' },
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
    stored: () => snapshot(server.url),
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

async function snapshot(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${TEST_TOKEN}` };
  const { status, text } = await send(url, { path: '/testing/snapshot', headers });
  if (status !== 200) throw new Error(`a snapshot got ${status}: ${text.slice(0, 200)}`);
  // The first line has the time of the export.
  return text.slice(text.indexOf('\n'));
}
