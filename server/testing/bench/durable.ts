/** How near the embedded store comes to what the disk gives, with 32 clients at once, and what reads feel of that. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeFiles } from '../../store/lowdb/files.ts';
import type { ServerProcess } from '../server-process.ts';
import { Connection } from './http/connection.ts';
import { median } from './http/measure.ts';
import { wire } from './http/scenarios.ts';

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

const CREATE = wire('POST', '/edges/https', { description: 'durable', metadata: 'm'.repeat(600) });

/** Between two reads: they are to meet creates, and not to take the processor from them. */
const PAUSE_MS = 5;

/** @param beside a folder on the same disk */
export async function measureDurable(server: ServerProcess, beside: string): Promise<Durable> {
  const port = Number(new URL(server.url).port);
  const connections = await Promise.all(Array.from({ length: CLIENTS + 1 }, () => Connection.open(port)));
  try {
    return await measureOn(connections, beside);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function measureOn([reader, ...writers]: Connection[], beside: string): Promise<Durable> {
  const text = (await ask(reader!, CREATE)).split('\r\n\r\n')[1]!;
  const read = wire('GET', `/edges/https/${(JSON.parse(text) as { id: string }).id}`);
  const folder = join(beside, 'flushed');
  const [created, flushed, reads, creates]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    await mkdir(folder, { recursive: true });
    flushed.push(await perSecond(() => writeDurably(folder, text)));
    await rm(folder, { recursive: true });
    const done = new AbortController();
    const reading = (async () => {
      while (!done.signal.aborted) {
        reads.push(await timed(() => ask(reader!, read)));
        await pause(PAUSE_MS);
      }
    })();
    created.push(
      await perSecond(async (client) => void creates.push(await timed(() => ask(writers[client]!, CREATE)))),
    );
    done.abort();
    await reading;
  }
  return { created: median(created), flushed: median(flushed), readMs: median(reads), createMs: median(creates) };
}

/** @returns the whole answer @throws Error when it is not a good one */
async function ask(connection: Connection, request: Buffer): Promise<string> {
  const { status, text } = await connection.send(request);
  if (status !== 200 && status !== 201) throw new Error(`the server answered ${text.slice(0, 500)}`);
  return text;
}

/** What the store does for each document: flush it under another name, rename it, flush the folder. */
async function writeDurably(folder: string, text: string): Promise<void> {
  const name = join(folder, randomUUID());
  const file = await open(`${name}.new`, 'wx');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${name}.new`, name);
  await nodeFiles.flushFolder(folder);
}

async function perSecond(work: (client: number) => Promise<unknown>): Promise<number> {
  let left = WRITES;
  const client = async (_: unknown, index: number) => {
    while (left-- > 0) await work(index);
  };
  return WRITES / ((await timed(() => Promise.all(Array.from({ length: CLIENTS }, client)))) / 1000);
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
