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

export const BARE_EXPRESS = join(
  packageFolder(),
  'dist',
  'server',
  'testing',
  'bench',
  'bare-express.js',
);

const TOKEN = 'bench-token-0123456789';
export const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** 600 bytes of JSON. */
const EDGE = JSON.stringify(
  JSON.parse(readFileSync(join(packageFolder(), 'server/testing/bench/edge.json'), 'utf8')),
);

type Request = { method: 'GET' | 'POST'; path: string; body?: string };

export const LIST: Request = { method: 'GET', path: '/edges/https' };

export const CREATE: Request = { method: 'POST', path: '/edges/https', body: EDGE };

export interface Subject {
  name: string;
  server: ServerProcess;
  /** The requests that are measured, by name. */
  requests: Record<string, Request>;
}

export type Sample = Awaited<ReturnType<typeof load>>;

/** The samples of one subject, by round. */
export type Row = Awaited<ReturnType<typeof compare>>[number];

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

/**
 * @param amounts how long one measurement takes, and how many there are for each number of
 * connections
 */
export async function compare(
  subjects: readonly Subject[],
  {
    connections,
    rounds,
    seconds,
  }: { connections: readonly number[]; rounds: number; seconds: number },
) {
  const rows = [];
  for (const request of Object.keys(subjects[0]!.requests)) {
    // Before anything is counted, so that every server runs compiled code.
    for (const subject of subjects) {
      await load(subject, subject.requests[request]!, 8, { amount: 3000 });
    }
    for (const count of connections) {
      const samples = subjects.map((): Sample[] => []);
      for (let round = 0; round < rounds; round++) {
        // Each round begins with another subject, so that none always runs after the same one.
        for (let turn = 0; turn < subjects.length; turn++) {
          const index = (round + turn) % subjects.length;
          const subject = subjects[index]!;
          samples[index]!.push(
            await load(subject, subject.requests[request]!, count, { duration: seconds }),
          );
        }
      }
      for (const [index, { name }] of subjects.entries()) {
        const ratios = samples[index]!.map(
          ({ cpuMicros: own }, round) => own / samples[0]![round]!.cpuMicros,
        );
        // The median of each round's ratio, steadier than that of medians.
        rows.push({
          request,
          connections: count,
          subject: name,
          samples: samples[index]!,
          ofFirst: median(ratios),
        });
      }
    }
  }
  return rows;
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
) {
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
