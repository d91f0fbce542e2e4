/**
 * Measures servers side by side: they are asked in turn, so that other work on the machine affects
 * all alike.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import {
  type ServerProcess,
  startServer,
  type StartOptions,
} from '../../../tools/reference-server.ts';
import { packageFolder } from '../../contract.ts';
import { send } from '../send.ts';

const PEERS = join(packageFolder(), 'dist', 'server', 'testing', 'bench', 'peers');

/** The programs of the servers that this one is compared with. */
export const BARE_EXPRESS = join(PEERS, 'bare-express.js');
export const FASTIFY = join(PEERS, 'fastify.js');
export const EXPRESS_OPENAPI_VALIDATOR = join(PEERS, 'express-openapi-validator.js');

const TOKEN = 'bench-token-0123456789';
export const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** 600 bytes of JSON. */
const EDGE = JSON.stringify(
  JSON.parse(readFileSync(join(packageFolder(), 'server/testing/bench/edge.json'), 'utf8')),
);

export type Request = { method: 'GET' | 'POST'; path: string; body?: string };

export const LIST: Request = { method: 'GET', path: '/edges/https' };

export const CREATE: Request = { method: 'POST', path: '/edges/https', body: EDGE };

export interface Subject {
  name: string;
  server: ServerProcess;
  /** The requests that are measured, by name. */
  requests: Record<string, Request>;
}

/** One measurement. */
export interface Sample {
  /** CPU time of the server for a request, in microseconds. */
  cpuMicros: number;
  /** Requests. */
  perSecond: number;
}

/** The samples of one subject, by round. */
export interface Row {
  request: string;
  connections: number;
  subject: string;
  samples: Sample[];
}

export interface Amounts {
  connections: readonly number[];
  /** How many measurements there are for each number of connections. */
  rounds: number;
  /** How long one measurement takes. */
  seconds: number;
}

/**
 * Starts a server with a token, without settings of the user's environment, and with a log that is
 * read.
 */
export function startBare(options: StartOptions): Promise<ServerProcess> {
  const env = {
    API_TOKEN: TOKEN,
    DATABASE_URL: '',
    DATA_DIR: '',
    VALIDATE_RESPONSES: '',
    NODE_OPTIONS: '',
  };
  return startServer({ ...options, env: { ...env, ...options.env }, stdout: 'discard' });
}

/** The request for an edge that this makes, with so many routes. */
export async function readOfNew(server: ServerProcess, routes = 0): Promise<Request> {
  const create = async (request: Request) => {
    const { status, text, json } = await send(server.url, { ...request, headers: HEADERS });
    if (status !== 201) {
      throw new Error(`a server answers ${status}: ${text.slice(0, 500)}`);
    }
    return json.id as string;
  };
  const path = `/edges/https/${await create(CREATE)}`;
  for (let number = 0; number < routes; number++) {
    const route = { match_type: 'path_prefix', match: `/shop/${number}`, description: 'Shop' };
    const body = JSON.stringify({ ...route, compression: { enabled: true } });
    await create({ method: 'POST', path: `${path}/routes`, body });
  }
  return { method: 'GET', path };
}

export async function compare(subjects: readonly Subject[], amounts: Amounts): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of Object.keys(subjects[0]?.requests ?? {})) {
    // Before anything is counted, so that every server runs compiled code.
    for (const subject of subjects) {
      await load(subject, requestOf(subject, request), 8, { amount: 3000 });
    }
    for (const count of amounts.connections) {
      rows.push(...(await inTurns(subjects, { request, connections: count }, amounts)));
    }
  }
  return rows;
}

async function inTurns(
  subjects: readonly Subject[],
  what: Pick<Row, 'request' | 'connections'>,
  { rounds, seconds }: Amounts,
): Promise<Row[]> {
  const rows = subjects.map(({ name }): Row => ({ ...what, subject: name, samples: [] }));
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another subject, so that none always runs after the same one.
    for (const [index, row] of rotated([...rows.entries()], round)) {
      const subject = subjects[index] as Subject;
      const request = requestOf(subject, what.request);
      row.samples.push(await load(subject, request, what.connections, { duration: seconds }));
    }
  }
  return rows;
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function requestOf({ name, requests }: Subject, request: string): Request {
  const found = requests[request];
  if (found === undefined) {
    throw new Error(`${name} has no request ${request}`);
  }
  return found;
}

/** The median of the ratios within each round, which is steadier than the ratio of medians. */
export function ratio(row: Row, base: Row, figure: keyof Sample): number {
  const ratios = row.samples.map((sample, round) => {
    const other = base.samples[round]?.[figure] ?? Number.NaN;
    return sample[figure] / other;
  });
  return median(ratios);
}

/**
 * The CPU time of the server, user and system, in microseconds a request.
 * @throws Error when a request fails
 */
export async function load(
  { name, server }: Subject,
  { path, ...request }: Request,
  connections: number,
  amount: { amount: number } | { duration: number },
): Promise<Sample> {
  const before = cpuMicros(server.child.pid!);
  const result = await autocannon({
    url: server.url + path,
    headers: HEADERS,
    connections,
    ...request,
    ...amount,
  });
  const after = cpuMicros(server.child.pid!);
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0) {
    throw new Error(`${name}: ${bad} requests to ${path} failed`);
  }
  return {
    cpuMicros: (after - before) / result['2xx'],
    perSecond: result['2xx'] / result.duration,
  };
}

/** CPU time of a process, in microseconds. Linux counts it in hundredths of a second. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  // Its own and that of children that have ended.
  return 10_000 * fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}
