/**
 * The CPU time of a request to the server that `npm start` runs, beside bare Express:
 *     npm run bench -- [--rounds N] [--seconds N] [--connections N,N] [--beside FILE]
 *     npm run bench -- --records 1000,100000      with so many edges
 * --beside measures another build, too: FILE is its dist/server/main.js. Needs Linux. The exit code
 * is 1 when a goal is missed on Node 20, for which the goals are set.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import type { StartOptions } from '../../../tools/reference-server.ts';
import { packageFolder } from '../../contract.ts';
import { send } from '../send.ts';
import {
  BARE_EXPRESS,
  compare,
  CREATE,
  HEADERS,
  LIST,
  load,
  median,
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
    connections: { type: 'string', default: '8,32' },
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

async function besideBareExpress(): Promise<Subject[]> {
  const candidates: Record<string, StartOptions> = {
    'bare Express': { main: BARE_EXPRESS, args: [] },
    'this server': { args: ['--data-dir', join(folder, 'data')] },
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
    if (name === 'this server') {
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
    { name: 'this server', server, requests },
  ];
}

/**
 * What a server costs that has so many edges already: its start, its memory, and the CPU time of
 * requests.
 */
async function withRecords(
  count: number,
  amounts: Parameters<typeof compare>[1],
): Promise<string[]> {
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

const GOALS: Record<string, number> = {
  read: 0.5,
  create: 0.75,
  'edge of 100 routes': 1.2,
  'list of 100': 1.2,
};

/**
 * Shows the figures, and for 8 connections whether this server meets the goals, as ratios to the
 * first subject.
 */
async function measureSideBySide(
  subjects: readonly Subject[],
  amounts: Parameters<typeof compare>[1],
): Promise<void> {
  const rows = await compare(subjects, amounts);
  const base = subjects[0]!.name;
  say(`\n${table(rows, base)}\n`);
  for (const { request, ofFirst } of rows.filter(
    (row) => row.subject === 'this server' && row.connections === 8,
  )) {
    goal(`CPU of a request (${request}), of ${base}`, ofFirst, GOALS[request]!);
  }
}

function table(rows: readonly Row[], base: string): string {
  const head = ['request', 'connections', 'measured', 'CPU µs', `of ${base}`, 'a second'];
  const figures = rows.map(({ request, connections, subject, samples, ofFirst }) => {
    const middle = (figure: keyof Sample) =>
      median(samples.map((sample) => sample[figure])).toFixed(0);
    const cpu = samples.map(({ cpuMicros }) => cpuMicros);
    const [least, most] = [Math.min(...cpu), Math.max(...cpu)];
    const range = `${middle('cpuMicros')} (${least.toFixed(0)}–${most.toFixed(0)})`;
    return [request, String(connections), subject, range, ofFirst.toFixed(2), middle('perSecond')];
  });
  return ruledColumns([head, ...figures], [1, 3, 4, 5]);
}

function goal(name: string, measured: number, most: number): void {
  say(`${measured <= most ? 'met' : 'MISSED'}: ${name}: ${measured.toFixed(2)}, at most ${most}`);
  if (measured > most && process.version.startsWith('v20.')) {
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
    await measureSideBySide(await besideBareExpress(), { connections, rounds, seconds });
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
