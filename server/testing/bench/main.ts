/**
 * The CPU time of a request to the server that `npm start` runs, beside bare Express:
 *
 *     npm run bench -- [--rounds N] [--seconds N] [--connections N,N] [--beside FILE]
 *     npm run bench -- --scale       with two and three servers on one PostgreSQL database, beside one
 *
 * --beside measures another build, too: FILE is its dist/server/main.js. Needs Linux. The exit code is 1 when a goal is
 * missed on Node 20, for which the goals are set.
 */
import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { findPostgres, startPostgres } from '../../../tools/postgres.ts';
import type { StartOptions } from '../../../tools/reference-server.ts';
import { packageFolder } from '../../contract.ts';
import { BARE_EXPRESS, compare, CREATE, median } from './measure.ts';
import { readOfNew, type Row, type Sample, startBare, type Subject } from './measure.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '8,32' },
    beside: { type: 'string' },
    scale: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const cleanups: (() => unknown)[] = [];
// On the disk of the project: temporary files may be kept in memory, where flushing costs nothing.
const cache = join(packageFolder(), 'node_modules', '.cache', 'edge-contract');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'bench-'));
// The log goes to a file, as for those who keep their logs.
const log = openSync(join(folder, 'log'), 'a');

function whole(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error(`${JSON.stringify(text)} is not an integer from 1`);
}

async function start(options: StartOptions) {
  const began = performance.now();
  const server = await startBare(log, options);
  cleanups.unshift(() => server.end('SIGTERM'));
  const read = await readOfNew(server);
  return { server, read, readySeconds: (performance.now() - began) / 1000 };
}

async function besideBareExpress(): Promise<Subject[]> {
  const candidates: Record<string, StartOptions> = {
    'bare Express': { main: BARE_EXPRESS, args: [] },
    'this server': { args: ['--data-dir', join(folder, 'data')] },
  };
  if (values.beside) candidates['other build'] = { main: values.beside, args: ['--data-dir', join(folder, 'other')] };
  const subjects: Subject[] = [];
  for (const [name, options] of Object.entries(candidates)) {
    const { server, read, readySeconds } = await start(options);
    if (name === 'this server') goal('seconds until the first response', readySeconds, 1.5);
    subjects.push({ name, servers: [server], requests: { read, create: CREATE } });
  }
  return subjects;
}

async function severalServers(): Promise<Subject[]> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const database = await startPostgres({ bin });
  cleanups.unshift(() => database.close());
  const subjects: Subject[] = [];
  for (const count of [1, 2, 3]) {
    const env = { DATABASE_URL: await database.createDatabase() };
    const started = await Promise.all(Array.from({ length: count }, () => start({ args: [], env })));
    const list = { method: 'GET', path: '/edges/https' } as const;
    const requests = { create: CREATE, read: started[0]!.read, 'list of 100': list };
    subjects.push({ name: `servers: ${count}`, servers: started.map(({ server }) => server), database, requests });
  }
  return subjects;
}

function table(rows: readonly Row[], base: string): string {
  const head = ['request', 'connections', 'measured', 'CPU µs', `of ${base}`, 'database', 'a second'];
  const figures = rows.map(({ request, connections, subject, samples, ofFirst }) => {
    const middle = (figure: keyof Sample) => median(samples.map((sample) => sample[figure])).toFixed(0);
    const cpu = samples.map(({ cpuMicros }) => cpuMicros);
    const range = `${middle('cpuMicros')} (${Math.min(...cpu).toFixed(0)}–${Math.max(...cpu).toFixed(0)})`;
    const ratio = ofFirst.toFixed(2);
    return [request, String(connections), subject, range, ratio, middle('databaseMicros'), middle('perSecond')];
  });
  return ruledColumns([head, ...figures], [1, 3, 4, 5, 6]);
}

function goal(name: string, measured: number, most: number): void {
  say(`${measured <= most ? 'met' : 'MISSED'}: ${name}: ${measured.toFixed(2)}, at most ${most}`);
  if (measured > most && process.version.startsWith('v20.')) process.exitCode = 1;
}

try {
  const [rounds, seconds] = [whole(values.rounds), whole(values.seconds)];
  const connections = values.connections.split(',').map(whole);
  say(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${rounds} rounds of ${seconds} s`);
  const subjects = values.scale ? await severalServers() : await besideBareExpress();
  const rows = await compare(subjects, { connections, rounds, seconds });
  say(`\n${table(rows, subjects[0]!.name)}\n`);
  for (const { request, ofFirst } of rows.filter((row) => row.subject === 'this server' && row.connections === 8))
    goal(`CPU of a ${request}, 8 connections, of bare Express`, ofFirst, request === 'read' ? 0.5 : 1);
} catch (error) {
  process.stderr.write(`bench: ${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  for (const cleanup of cleanups) await cleanup();
  rmSync(folder, { recursive: true, force: true });
}
