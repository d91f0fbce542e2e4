/** How near the embedded store comes to what the disk gives, with 32 clients at once, and what reads feel of that. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../store/lowdb/durable-file.ts';
import { send } from '../send.ts';
import type { ServerProcess } from '../server-process.ts';
import { median } from './http/measure.ts';

const CLIENTS = 32;
const WRITES = 640;
const ROUNDS = 5;

export interface Durable {
  /** Creates a second over HTTP, against files a second that the same flushes allow without a server: medians of rounds. */
  created: number;
  flushed: number;
  /** Milliseconds of one read and one create, while 32 clients create. */
  readMs: number;
  createMs: number;
}

/** @param beside a folder on the same disk */
export async function measureDurable(server: ServerProcess, beside: string): Promise<Durable> {
  const body = { description: 'durable', metadata: 'm'.repeat(600) };
  const create = () => send(server.url, { method: 'POST', path: '/edges/https', body });
  const { json } = await create();
  const text = JSON.stringify(json);
  const folder = join(beside, 'flushed');
  const [created, flushed, reads, creates]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    await mkdir(folder, { recursive: true });
    flushed.push(await perSecond(() => writeDurably(folder, text)));
    await rm(folder, { recursive: true });
    const done = new AbortController();
    const reader = (async () => {
      while (!done.signal.aborted) reads.push(await timed(() => send(server.url, { path: `/edges/https/${json.id as string}` })));
    })();
    created.push(await perSecond(async () => void creates.push(await timed(create))));
    done.abort();
    await reader;
  }
  return { created: median(created), flushed: median(flushed), readMs: median(reads), createMs: median(creates) };
}

/** What the store does for each document: flush it under another name, rename it, flush the folder. */
async function writeDurably(folder: string, text: string): Promise<void> {
  const name = join(folder, randomUUID());
  const file = await open(`${name}.new`, 'wx');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${name}.new`, name);
  await syncFolder(folder);
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  let left = WRITES;
  const client = async () => {
    while (left-- > 0) await work();
  };
  return WRITES / ((await timed(() => Promise.all(Array.from({ length: CLIENTS }, client)))) / 1000);
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
