/**
 * The CPU time of a request to the server that `npm start` runs, beside servers that others would
 * choose (peers/):
 *     npm run bench -- [--rounds N] [--seconds N] [--connections N,N] [--beside FILE]
 *     npm run bench -- --records 1000,100000      with so many edges
 * --beside measures another build, too: FILE is its dist/server/main.js. Needs Linux. Peers with
 * SQLite need Node 22.13. The exit code is 1 when a goal is missed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import type { StartOptions } from '../../../tools/reference-server.ts';
import { packageFolder } from '../../contract.ts';
import { send } from '../send.ts';
import {
  type Amounts,
  BARE_EXPRESS,
  compare,
  CREATE,
  EXPRESS_OPENAPI_VALIDATOR,
  FASTIFY,
  HEADERS,
  LIST,
  load,
  median,
  ratio,
  readOfNew,
  type Row,
  type Sample,
  startBare,
  type Subject,
} from './measure.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '1,8,16' },
    beside: { type: 'string' },
    records: { type: 'string' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const cleanups: (() => unknown)[] = [];
// On the disk of the project: temporary files may be kept in memory, where flushing costs nothing.
const cache = join(packageFolder(), 'node_modules', '.cache', 'edge-contract');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'bench-'));

function whole(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) {
    return Number(text);
  }
  throw new Error(`${JSON.stringify(text)} is not an integer from 1`);
}

async function start(options: StartOptions) {
  const began = performance.now();
  const server = await startBare(options);
  cleanups.unshift(() => server.end('SIGTERM'));
  const read = await readOfNew(server);
  return { server, read, readySeconds: (performance.now() - began) / 1000 };
}

/** Their names are columns of the table. */
const BARE = 'bare Express';
const FAST = 'Fastify';
const OWN = 'this server';

function peers(): Record<string, StartOptions> {
  const bare = { main: BARE_EXPRESS, args: [] };
  if (!isBuiltin('node:sqlite')) {
    return { [BARE]: bare };
  }
  return {
    [BARE]: bare,
    [FAST]: { main: FASTIFY, args: [join(folder, 'fastify')] },
    'Express + validator': {
      main: EXPRESS_OPENAPI_VALIDATOR,
      args: [join(folder, 'express-openapi-validator')],
    },
  };
}

async function besidePeers(): Promise<Subject[]> {
  const candidates: Record<string, StartOptions> = {
    ...peers(),
    [OWN]: { args: ['--data-dir', join(folder, 'data')] },
  };
  if (values.beside) {
    candidates['other build'] = {
      main: values.beside,
      args: ['--data-dir', join(folder, 'other')],
    };
  }
  const subjects: Subject[] = [];
  for (const [name, options] of Object.entries(candidates)) {
    const { server, read, readySeconds } = await start(options);
    if (name === OWN) {
      goal('seconds until the first response', readySeconds, 1.5);
    }
    subjects.push({ name, server, requests: { read, create: CREATE } });
  }
  return subjects;
}

/** Large responses, beside what it costs to make their text and to send it. */
async function besideStringify(): Promise<Subject[]> {
  const { server } = await start({ args: ['--data-dir', join(folder, 'large')] });
  const edge = await readOfNew(server, 100);
  for (let count = 0; count < 100; count++) {
    await readOfNew(server);
  }
  const requests = { 'edge of 100 routes': edge, 'list of 100': LIST };
  const shown: Record<string, object> = {};
  for (const { path } of Object.values(requests)) {
    shown[path] = (await send(server.url, { path, headers: HEADERS })).json;
  }
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(shown));
  const plain = await startBare({ main: BARE_EXPRESS, args: [file] });
  cleanups.unshift(() => plain.end('SIGTERM'));
  return [
    { name: 'JSON.stringify', server: plain, requests },
    { name: OWN, server, requests },
  ];
}

/**
 * The costs of a server that has this number of edges already: its start, its memory, and the CPU
 * time of requests.
 */
async function withRecords(count: number, amounts: Amounts): Promise<string[]> {
  const startAgain = () => startBare({ args: ['--data-dir', join(folder, `records-${count}`)] });
  const first = await startAgain();
  await load({ name: 'server', server: first, requests: {} }, CREATE, 32, { amount: count });
  await first.end('SIGTERM');
  const began = performance.now();
  const server = await startAgain();
  const ready = (performance.now() - began) / 1000;
  const memory =
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))![1]) /
    1024;
  const requests = { read: await readOfNew(server), 'list of 100': LIST, create: CREATE };
  const measured = await compare([{ name: String(count), server, requests }], amounts);
  await server.end('SIGTERM');
  const cpu = measured.map(({ samples }) =>
    median(samples.map(({ cpuMicros }) => cpuMicros)).toFixed(0),
  );
  return [count.toLocaleString('en'), ready.toFixed(2), memory.toFixed(0), ...cpu];
}

interface Goal {
  request: string;
  connections: number;
  beside: string;
  figure: keyof Sample;
  /** The largest ratio of CPU time, or the smallest one of requests a second. */
  bound: number;
}

/** On Node 24 and later, Express takes a third of the CPU that it takes before. */
const IS_NEW_NODE = Number(process.versions.node.split('.')[0]) >= 24;

const GOALS: readonly Goal[] = [
  ...(IS_NEW_NODE ? goalsBesideFastify() : goalsBesideExpress()),
  cpuGoal('edge of 100 routes', 8, 'JSON.stringify', 1.2),
  cpuGoal('list of 100', 8, 'JSON.stringify', 1.2),
];

function goalsBesideFastify(): Goal[] {
  const oneClient = { request: 'create', connections: 1, beside: FAST } as const;
  return [
    cpuGoal('read', 16, FAST, 1),
    cpuGoal('create', 16, FAST, 0.6),
    { ...oneClient, figure: 'perSecond', bound: 1 },
  ];
}

function goalsBesideExpress(): Goal[] {
  return [cpuGoal('read', 8, BARE, 0.5), cpuGoal('create', 8, BARE, 0.75)];
}

function cpuGoal(request: string, connections: number, beside: string, bound: number): Goal {
  return { request, connections, beside, figure: 'cpuMicros', bound };
}

/** Shows the figures, and whether this server meets the goals. */
async function measureSideBySide(subjects: readonly Subject[], amounts: Amounts): Promise<void> {
  const rows = await compare(subjects, amounts);
  const others = subjects.map(({ name }) => name).filter((name) => name !== OWN);
  say(`\n${table(rows, others)}\n`);
  for (const one of GOALS) {
    const own = rowOf(rows, one, OWN);
    const base = rowOf(rows, one, one.beside);
    if (own !== undefined && base !== undefined) {
      reportGoal(one, ratio(own, base, one.figure));
    }
  }
}

function rowOf(
  rows: readonly Row[],
  { request, connections }: Pick<Row, 'request' | 'connections'>,
  name: string,
): Row | undefined {
  return rows.find(
    (row) => row.request === request && row.connections === connections && row.subject === name,
  );
}

/** @param bases the names of subjects beside which each row is shown */
function table(rows: readonly Row[], bases: readonly string[]): string {
  const head = ['request', 'connections', 'measured', 'CPU µs'];
  head.push(...bases.map((name) => `of ${name}`), 'a second');
  const figures = rows.map((row) => [
    row.request,
    String(row.connections),
    row.subject,
    rangeOf(row.samples.map(({ cpuMicros }) => cpuMicros)),
    ...bases.map((name) => cpuRatio(rows, row, name)),
    median(row.samples.map(({ perSecond }) => perSecond)).toFixed(0),
  ]);
  const numbers = [...head.keys()].filter((column) => column === 1 || column > 2);
  return ruledColumns([head, ...figures], numbers);
}

function rangeOf(figures: readonly number[]): string {
  const least = Math.min(...figures);
  const most = Math.max(...figures);
  return `${median(figures).toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)})`;
}

function cpuRatio(rows: readonly Row[], row: Row, name: string): string {
  const base = rowOf(rows, row, name);
  if (base === undefined) {
    return '';
  }
  return ratio(row, base, 'cpuMicros').toFixed(2);
}

function reportGoal({ request, connections, beside, figure, bound }: Goal, measured: number): void {
  const clients = connections === 1 ? '1 connection' : `${connections} connections`;
  if (figure === 'cpuMicros') {
    goal(`CPU of a request (${request}, ${clients}), of ${beside}`, measured, bound);
    return;
  }
  // As a share of the time, which is to be small.
  goal(`time of a request (${request}, ${clients}), of ${beside}`, 1 / measured, 1 / bound);
}

function goal(name: string, measured: number, most: number): void {
  say(`${measured <= most ? 'met' : 'MISSED'}: ${name}: ${measured.toFixed(2)}, at most ${most}`);
  if (measured > most) {
    process.exitCode = 1;
  }
}

try {
  const rounds = whole(values.rounds);
  const seconds = whole(values.seconds);
  const connections = values.connections.split(',').map(whole);
  say(
    `Node ${process.version}, ${cpus().length} × ` +
      `${cpus()[0]?.model ?? 'unknown'}, ${rounds} rounds of ${seconds} s`,
  );
  if (values.records) {
    const rows = [];
    for (const count of values.records.split(',').map(whole)) {
      rows.push(await withRecords(count, { connections: [8], rounds, seconds }));
    }
    const head = [
      'edges',
      'ready after s',
      'memory MiB',
      'CPU µs of a read',
      'of a list of 100',
      'of a create',
    ];
    say(`\n${ruledColumns([head, ...rows], [0, 1, 2, 3, 4, 5])}`);
  } else {
    await measureSideBySide(await besidePeers(), { connections, rounds, seconds });
    await measureSideBySide(await besideStringify(), { connections: [8], rounds, seconds });
  }
} catch (error) {
  process.stderr.write(`bench: ${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  for (const cleanup of cleanups) {
    await cleanup();
  }
  rmSync(folder, { recursive: true, force: true });
}
