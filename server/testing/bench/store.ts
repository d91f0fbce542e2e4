/**
 * What the embedded store costs with many edges: `npm run bench:store`.
 *
 * Two servers run side by side, one with 100 edges and one with 100,000, and are asked in turn, so that whatever else
 * the machine does hits both alike. Times are of whole requests over HTTP. Ends with `N passed, N failed`.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEdge } from '../../domain/edge.ts';
import { createIds } from '../../ids.ts';
import { nodeFiles } from '../../store/lowdb/files.ts';
import { writeVersion } from '../../store/lowdb/folder.ts';
import { journalName, writeSnapshot } from '../../store/lowdb/generations.ts';
import { noData } from '../../store/record-map.ts';
import { send } from '../send.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { measureDurable, timed } from './durable.ts';
import { median } from './http/measure.ts';

const FEW = 100;
const MANY = 100_000;
const CREATES = 1000;
const STARTS = 5;
const MOST_RATIO = 1.2;
const MOST_START_MS = 2000;

interface Subject {
  edges: number;
  folder: string;
  server: ServerProcess;
  /** From the spawn of the process to its first answer. */
  startMs: number;
}

let passed = 0;
let failed = 0;

function judge(good: boolean, text: string): void {
  if (good) passed += 1;
  else failed += 1;
  process.stdout.write(`${good ? 'pass' : 'FAIL'}  ${text}\n`);
}

function tell(text: string): void {
  process.stdout.write(`      ${text}\n`);
}

/** Writes the snapshot that as many creates would have left. */
async function fill(folder: string, edges: number): Promise<void> {
  const newId = createIds();
  const data = noData();
  for (let n = 0; n < edges; n++) {
    const id = newId('edghts');
    const edge = createEdge(
      { description: 'filler', metadata: 'm'.repeat(400) },
      { id, created_at: '2026-01-15T09:30:00.000Z' },
    );
    data.edges.set(id, JSON.stringify(edge));
  }
  await mkdir(folder, { recursive: true });
  await writeVersion(nodeFiles, folder, 2);
  await writeSnapshot(nodeFiles, folder, 1, { data, number: 0 });
  await writeFile(join(folder, journalName(1)), '');
}

async function open(folder: string, edges: number): Promise<Subject> {
  const before = performance.now();
  const server = await startServer({
    args: ['--data-dir', folder, '--log-level', 'silent'],
    env: { NODE_ENV: 'production', DATABASE_URL: '' },
  });
  await send(server.url, { path: '/readyz' });
  return { edges, folder, server, startMs: performance.now() - before };
}

/** Another load on the machine can only make a start slower: the fastest of several is what the start itself takes. */
async function fastestStart(folder: string, edges: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < STARTS; n++) {
    const { server, startMs } = await open(folder, edges);
    await server.end('SIGTERM');
    fastest = Math.min(fastest, startMs);
  }
  return fastest;
}

const create = ({ server }: Subject) =>
  send(server.url, { method: 'POST', path: '/edges/https', body: { description: 'one more' } });
const firstPage = ({ server }: Subject) => send(server.url, { path: '/edges/https?limit=100' });

/** The medians of both, and their ratio. */
async function compare(
  name: string,
  few: Subject,
  many: Subject,
  rounds: number,
  work: (subject: Subject) => Promise<unknown>,
) {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < rounds; n++) {
    // Who goes first changes, so that neither always runs in the wake of the other.
    for (const which of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      times[which].push(await timed(() => work(which === 0 ? few : many)));
    }
  }
  const [a, b] = [median(times[0]), median(times[1])];
  const text = `${name}: median ${a.toFixed(2)} ms with ${few.edges} edges, ${b.toFixed(2)} ms with ${many.edges}, ratio ${(b / a).toFixed(2)}`;
  return { ratio: b / a, text };
}

async function walk({ server }: Subject): Promise<number> {
  let count = 0;
  for (let path: string | null = '/edges/https?limit=100'; path !== null;) {
    const { json } = await send(server.url, { path });
    count += json.edges.length;
    path = json.uri === null ? null : json.uri.slice(server.url.length);
  }
  return count;
}

/** Megabytes of the process that are in memory; undefined where the system does not tell. */
async function residentMb({ server }: Subject): Promise<number | undefined> {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8').catch(() => '');
  const kb = /VmRSS:\s*(\d+)/.exec(status)?.[1];
  return kb === undefined ? undefined : Number(kb) / 1024;
}

async function run(root: string): Promise<void> {
  const folders = { few: join(root, 'few'), many: join(root, 'many') };
  await fill(folders.few, FEW);
  await fill(folders.many, MANY);
  const starts = { few: await fastestStart(folders.few, FEW), many: await fastestStart(folders.many, MANY) };
  judge(
    starts.many < MOST_START_MS,
    `start until ready, fastest of ${STARTS}: ${starts.few.toFixed(0)} ms with ${FEW} edges, ${starts.many.toFixed(0)} ms with ${MANY} (less than ${MOST_START_MS})`,
  );
  const few = await open(folders.few, FEW);
  const many = await open(folders.many, MANY);
  try {
    // So that neither is measured while it is still being compiled.
    await compare('warm-up', few, many, 100, create);
    const creates = await compare('create', few, many, CREATES, create);
    judge(creates.ratio <= MOST_RATIO, `${creates.text} (at most ${MOST_RATIO})`);

    const { created, flushed, readMs, createMs } = await measureDurable(few.server, root);
    judge(
      created >= flushed / 2,
      `durable creates, 32 clients: ${created.toFixed(0)} a second, where the same flushes without a server make ${flushed.toFixed(0)}, ratio ${(created / flushed).toFixed(2)} (at least 0.5)`,
    );
    judge(
      readMs < createMs / 2,
      `meanwhile a read takes ${readMs.toFixed(2)} ms, a create ${createMs.toFixed(2)} ms: reads do not wait for writes (less than half)`,
    );

    const cold = await timed(() => firstPage(many));
    tell(`first list ever, which reads the names: ${cold.toFixed(0)} ms with ${MANY} edges`);
    tell((await compare('newest 100', few, many, 50, firstPage)).text);
    const before = await residentMb(many);
    const walked = await timed(async () =>
      judge(
        (await walk(many)) === MANY + 100 + CREATES,
        `every page of ${MANY + 100 + CREATES} edges holds what it should`,
      ),
    );
    tell(
      `all pages: ${(walked / 1000).toFixed(1)} s; memory ${before?.toFixed(0)} MB before, ${(await residentMb(many))?.toFixed(0)} MB after, ${(await residentMb(few))?.toFixed(0)} MB with ${FEW} edges`,
    );
  } finally {
    await Promise.all([few.server.end('SIGTERM'), many.server.end('SIGTERM')]);
  }
}

const root = await mkdtemp(join(tmpdir(), 'edge-contract-bench-'));
try {
  await run(root);
} finally {
  await rm(root, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
