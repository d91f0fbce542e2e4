/** Measures servers side by side: they are asked in turn, so that other work on the machine affects all alike. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type { PostgresServer } from '../../../tools/postgres.ts';
import { type ServerProcess, startServer, type StartOptions } from '../../../tools/reference-server.ts';
import { packageFolder } from '../../contract.ts';
import { send } from '../send.ts';

export const BARE_EXPRESS = join(packageFolder(), 'dist', 'server', 'testing', 'bench', 'bare-express.js');

const TOKEN = 'bench-token-0123456789';
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** 600 bytes of JSON. */
const EDGE = JSON.stringify({
  description: 'Storefront of the shop, behind the edge in two regions',
  metadata: `{"team":"storefront","tier":"gold","note":"${'n'.repeat(115)}"}`,
  hostports: ['shop.example.com:443', 'www.shop.example.com:443', '*.eu.shop.example.com:8443'],
  mutual_tls: {
    enabled: true,
    certificate_authority_ids: ['ca_01hq3v5t8w9x2y4z6a7b8c9d0e', 'ca_01hq3v5t8w9x2y4z6a7b8c9d0f'],
  },
  tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' },
});

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

export const CREATE: Request = { method: 'POST', path: '/edges/https', body: EDGE };

/** What is measured as one: a server, or several on one database, over which the connections are spread. */
export interface Subject {
  name: string;
  servers: ServerProcess[];
  database?: PostgresServer;
  /** The requests that are measured, by name. */
  requests: Record<string, Request>;
}

export interface Sample {
  /** CPU time of the servers, user and system, in microseconds a request. */
  cpuMicros: number;
  /** The same of the database; 0 without one. */
  databaseMicros: number;
  perSecond: number;
  p99Ms: number;
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
  rounds: number;
  /** The duration of one measurement. */
  seconds: number;
}

/**
 * Starts a server with a token, its log in a file of `folder`.
 * @returns the server, and the milliseconds from its start to its first response
 */
export async function startLogging(folder: string, name: string, options: StartOptions) {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const began = performance.now();
  // Settings of the user's environment must not change what is measured.
  const env = { API_TOKEN: TOKEN, DATABASE_URL: '', DATA_DIR: '', VALIDATE_RESPONSES: '', NODE_OPTIONS: '' };
  const server = await startServer({ ...options, env: { ...env, ...options.env }, stdout: log });
  closeSync(log);
  await pathOfNew(server);
  return { server, readyMs: performance.now() - began };
}

export function ask({ url }: ServerProcess, request: Request) {
  return send(url, { ...request, headers: HEADERS });
}

/** The path of an edge that this makes. */
export async function pathOfNew(server: ServerProcess): Promise<string> {
  const { status, text, json } = await ask(server, CREATE);
  if (status !== 201) throw new Error(`a server answers ${status}: ${text.slice(0, 500)}`);
  return `/edges/https/${json.id}`;
}

export async function compare(subjects: readonly Subject[], { connections, rounds, seconds }: Amounts): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of Object.keys(subjects[0]!.requests)) {
    // Before anything is counted, so that every server runs compiled code.
    for (const subject of subjects) await load(subject, subject.requests[request]!, 8, { amount: 3000 });
    for (const count of connections) {
      const group = subjects.map(({ name }): Row => ({ request, connections: count, subject: name, samples: [] }));
      for (let round = 0; round < rounds; round++) {
        // Each round begins with another subject, so that none always runs after the same one.
        for (let turn = 0; turn < subjects.length; turn++) {
          const index = (round + turn) % subjects.length;
          const subject = subjects[index]!;
          group[index]!.samples.push(await load(subject, subject.requests[request]!, count, { duration: seconds }));
        }
      }
      rows.push(...group);
    }
  }
  return rows;
}

/** @throws Error when a request fails */
export async function load(
  { name, servers, database }: Subject,
  { path, ...request }: Request,
  connections: number,
  amount: { amount: number } | { duration: number },
): Promise<Sample> {
  const cpuOf = (pids: number[]) => pids.reduce((sum, pid) => sum + cpuMicrosOf(pid), 0);
  const cpu = () => ({
    servers: cpuOf(servers.map(({ child }) => child.pid!)),
    database: cpuOf(database?.pids() ?? []),
  });
  const before = cpu();
  const share = Math.max(1, Math.round(connections / servers.length));
  const results = await Promise.all(
    servers.map(({ url }) =>
      autocannon({ url: url + path, ...request, headers: HEADERS, connections: share, ...amount }),
    ),
  );
  const after = cpu();
  const bad = results.reduce((sum, { non2xx, errors, timeouts }) => sum + non2xx + errors + timeouts, 0);
  if (bad > 0) throw new Error(`${name}: ${bad} requests to ${path} failed`);
  const count = results.reduce((sum, result) => sum + result['2xx'], 0);
  return {
    cpuMicros: (after.servers - before.servers) / count,
    databaseMicros: (after.database - before.database) / count,
    perSecond: results.reduce((sum, result) => sum + result['2xx'] / result.duration, 0),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
  };
}

/** CPU time of a process, in microseconds; 0 once it is gone. Linux counts it in hundredths of a second. */
function cpuMicrosOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return 10_000 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

/** CPU seconds since the start, and the most memory that was resident at once, in MB. */
export function usageOf({ child }: ServerProcess): { cpuSeconds: number; peakMegabytes: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const peakMegabytes = (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
  return { cpuSeconds: cpuMicrosOf(child.pid!) / 1e6, peakMegabytes };
}

export function find(rows: readonly Row[], request: string, connections: number, subject: string): Row | undefined {
  return rows.find((row) => row.request === request && row.connections === connections && row.subject === subject);
}

/** CPU time of `row` divided by that of `to`: the median of the ratios of each round, steadier than the ratio of medians. */
export function ratio(row: Row, to: Row): number {
  return median(row.samples.map(({ cpuMicros }, round) => cpuMicros / to.samples[round]!.cpuMicros));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
