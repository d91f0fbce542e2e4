/**
 * What a request costs the server that `npm start` runs, in CPU time, beside bare Express:
 *
 *     npm run bench -- [--rounds N] [--seconds N] [--connections N,N] [--beside FILE]
 *     npm run bench -- --edges N     with N edges in the data folder, beside 200
 *     npm run bench -- --scale       with two and three servers on one PostgreSQL database, beside one
 *
 * --beside measures another build, too: FILE is its dist/server/main.js. Needs Linux. The exit code is 1 when a goal is
 * missed on Node 20, for which the goals are set.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { findPostgres, startPostgres } from '../../../tools/postgres.ts';
import type { StartOptions } from '../../../tools/reference-server.ts';
import { packageFolder } from '../../contract.ts';
import {
  ask,
  BARE_EXPRESS,
  compare,
  CREATE,
  find,
  load,
  median,
  pathOfNew,
  ratio,
  type Row,
  startLogging,
  type Subject,
  usageOf,
} from './measure.ts';

const FEW = 200;

const text = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({
  options: {
    rounds: text('5'),
    seconds: text('1'),
    connections: { type: 'string' },
    beside: { type: 'string' },
    edges: { type: 'string' },
    scale: { type: 'boolean', default: false },
  },
});

function whole(name: string, value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new Error(`--${name} must be a number from 1, not ${JSON.stringify(value)}`);
}

const subjects: Subject[] = [];
const cleanups: (() => unknown)[] = [];

async function start(folder: string, name: string, options: StartOptions, data = name) {
  const dataDir =
    options.main === BARE_EXPRESS || options.env?.['DATABASE_URL'] ? [] : ['--data-dir', join(folder, data)];
  const { server, readyMs } = await startLogging(folder, name, { ...options, args: [...options.args, ...dataDir] });
  cleanups.unshift(() => server.end('SIGTERM'));
  const { cpuSeconds } = usageOf(server);
  process.stdout.write(`${name}: ready after ${(readyMs / 1000).toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU\n`);
  return { server, readyMs };
}

/** @returns the milliseconds until this server was ready */
async function besideBareExpress(folder: string): Promise<number> {
  const options: Record<string, StartOptions> = {
    'bare Express': { main: BARE_EXPRESS, args: [] },
    'this server': { args: [] },
    'this server, --validate-responses': { args: ['--validate-responses'] },
    ...(values.beside === undefined ? {} : { [values.beside]: { main: values.beside, args: [] } }),
  };
  let ownReadyMs = 0;
  for (const [name, one] of Object.entries(options)) {
    const { server, readyMs } = await start(folder, name.replaceAll('/', '_'), one);
    if (name === 'this server') ownReadyMs = readyMs;
    const requests = { read: { method: 'GET', path: await pathOfNew(server) }, create: CREATE } as const;
    subjects.push({ name, servers: [server], requests });
  }
  return ownReadyMs;
}

async function withEdges(folder: string, many: number): Promise<void> {
  for (const count of [FEW, many]) {
    const name = `${count} edges`;
    const { server: filled } = await start(folder, name, { args: [] });
    const { perSecond } = await load({ name, servers: [filled], requests: {} }, CREATE, 32, { amount: count });
    process.stdout.write(`${name}: ${perSecond.toFixed(0)} created a second by 32 clients\n`);
    await filled.end('SIGTERM');
    const { server } = await start(folder, `${name}, started again`, { args: [] }, name);
    let middle = '/edges/https?limit=100';
    for (let passed = 0; passed < count / 2; passed += 100) {
      const { pathname, search } = new URL((await ask(server, { method: 'GET', path: middle })).json.uri as string);
      middle = pathname + search;
    }
    const requests = {
      read: { method: 'GET', path: await pathOfNew(server) },
      create: CREATE,
      'list of 20, first page': { method: 'GET', path: '/edges/https?limit=20' },
      'list of 20, in the middle': { method: 'GET', path: middle.replace('limit=100', 'limit=20') },
    } as const;
    subjects.push({ name, servers: [server], requests });
  }
}

async function severalServers(folder: string): Promise<void> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const database = await startPostgres({ bin });
  cleanups.unshift(() => database.close());
  for (const count of [1, 2, 3]) {
    const name = `${count} servers`;
    const options = { args: ['--log-level', 'silent'], env: { DATABASE_URL: await database.createDatabase() } };
    const started = await Promise.all(
      Array.from({ length: count }, (_, n) => start(folder, `${name}, number ${n + 1}`, options)),
    );
    const servers = started.map(({ server }) => server);
    const requests = {
      create: CREATE,
      read: { method: 'GET', path: await pathOfNew(servers[0]!) },
      'list of 100': { method: 'GET', path: '/edges/https' },
    } as const;
    subjects.push({ name, servers, database, requests });
  }
}

/** The figures, each row beside that of the first subject. */
function table(rows: readonly Row[]): string {
  const [base] = subjects;
  const head = ['request', 'connections', 'measured', 'CPU µs', `of ${base!.name}`, 'database', 'a second', 'p99 ms'];
  const figures = rows.map((row) => {
    const middle = (figure: 'cpuMicros' | 'databaseMicros' | 'perSecond' | 'p99Ms') =>
      median(row.samples.map((sample) => sample[figure])).toFixed(0);
    const cpu = row.samples.map(({ cpuMicros }) => cpuMicros);
    return [
      row.request,
      String(row.connections),
      row.subject,
      `${middle('cpuMicros')} (${Math.min(...cpu).toFixed(0)}–${Math.max(...cpu).toFixed(0)})`,
      ratio(row, find(rows, row.request, row.connections, base!.name)!).toFixed(2),
      ...[middle('databaseMicros'), middle('perSecond'), middle('p99Ms')],
    ];
  });
  return ruledColumns([head, ...figures], [1, 3, 4, 5, 6, 7]);
}

/** @returns whether all goals that were measured are met */
function showGoals(rows: readonly Row[], readyMs: number): boolean {
  const compared = (request: string) => {
    const [own, bare] = ['this server', 'bare Express'].map((name) => find(rows, request, 8, name));
    return own && bare && ratio(own, bare);
  };
  const goals: [string, number | undefined, number][] = [
    ['CPU of a read, 8 connections, of bare Express', compared('read'), 0.5],
    ['CPU of a create, 8 connections, of bare Express', compared('create'), 1],
    ['seconds until the first response', readyMs / 1000, 1.5],
  ];
  const missed = goals.filter(([, measured, bound]) => measured !== undefined && measured > bound);
  for (const goal of goals) {
    const [name, measured, bound] = goal;
    const verdict = missed.includes(goal) ? 'MISSED' : 'met';
    if (measured !== undefined) process.stdout.write(`${verdict}: ${name}: ${measured.toFixed(2)}, at most ${bound}\n`);
  }
  return missed.length === 0;
}

async function main(): Promise<number> {
  const connections = values.connections ?? (values.scale ? '32' : values.edges ? '8' : '1,8,32');
  const amounts = {
    rounds: whole('rounds', values.rounds),
    seconds: whole('seconds', values.seconds),
    connections: connections.split(',').map((one) => whole('connections', one)),
  };
  // On the disk of the project: temporary files may be kept in memory, where flushing costs nothing.
  const cache = join(packageFolder(), 'node_modules', '.cache', 'edge-contract');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bench-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n`);
  let readyMs: number | undefined;
  if (values.scale) await severalServers(folder);
  else if (values.edges) await withEdges(folder, whole('edges', values.edges));
  else readyMs = await besideBareExpress(folder);
  const rows = await compare(subjects, amounts);
  process.stdout.write(`\n${table(rows)}\n\n`);
  for (const { name, servers } of subjects)
    process.stdout.write(`${name}: ${usageOf(servers[0]!).peakMegabytes.toFixed(0)} MB of memory at most\n`);
  const met = readyMs === undefined || showGoals(rows, readyMs);
  return !met && process.version.startsWith('v20.') ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench: ${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  for (const cleanup of cleanups) await cleanup();
}
