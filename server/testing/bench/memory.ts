/**
 * The memory of the server under a load that leaves as many records as it found:
 *     node tools/run.js server/testing/bench/memory [--minutes N] [--clients N]
 * Each client creates, reads, changes, lists and deletes, and sends what is refused. `/metrics` is
 * read once a second. The exit code is 1 when the heap of the second half is larger than that of
 * the first half.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { packageFolder } from '../../contract.ts';
import { type Family, parseMetrics, valueOf } from '../prometheus.ts';
import { send, type Sending } from '../send.ts';
import { CREATE, HEADERS, startBare } from './measure.ts';

const MEBIBYTE = 1024 * 1024;
const SECONDS_A_MINUTE = 60;
/** The live heap differs from minute to minute, since a minute need not have a full collection. */
const TOLERANCE = 1.1;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
  },
});

function whole(name: string, text: string, least: number): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) >= least) {
    return Number(text);
  }
  throw new Error(`--${name} must be an integer from ${least}, not ${JSON.stringify(text)}`);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What was seen within one minute. */
interface Minute {
  requests: number;
  /** The least heap: what is left after a collection. */
  heapMiB: number;
  rssMiB: number;
  records: number;
  /** The delay of the event loop that one turn of a hundred exceeds, the largest one. */
  lagMs: number;
}

/** Goes on until the signal is aborted. @throws Error for an unexpected status */
async function oneClient(url: string, signal: AbortSignal, agent: Agent): Promise<void> {
  const ask = async (expected: number, request: Sending) => {
    const { status, text, json } = await send(url, { headers: HEADERS, agent, ...request });
    if (status !== expected) {
      throw new Error(`${request.method ?? 'GET'} ${request.path} got ${status}: ${text}`);
    }
    return json;
  };
  while (!signal.aborted) {
    const { id } = await ask(201, CREATE);
    const path = `/edges/https/${id}`;
    const route = { match_type: 'path_prefix', match: '/shop', compression: {} };
    await ask(201, { method: 'POST', path: `${path}/routes`, body: JSON.stringify(route) });
    await ask(200, { path });
    await ask(200, { method: 'PATCH', path, body: '{"description":"Changed","metadata":null}' });
    await ask(200, { path: '/edges/https?limit=10' });
    await ask(400, { method: 'PATCH', path, body: '{"hostports":["no port"],"colour":"red"}' });
    await ask(204, { method: 'DELETE', path });
    await ask(404, { path });
  }
}

async function scrape(url: string): Promise<Map<string, Family>> {
  const { text } = await send(url, { path: '/metrics', headers: HEADERS });
  return parseMetrics(text);
}

/** @throws Error when the server does not show it */
function shown(families: Map<string, Family>, name: string, labels?: string): number {
  const value = valueOf(families, name, labels);
  if (value === undefined) {
    throw new Error(`/metrics does not have ${name}`);
  }
  return value;
}

function requestsIn(families: Map<string, Family>): number {
  const samples = families.get('edge_server_requests_total')?.samples ?? new Map<string, number>();
  return [...samples.values()].reduce((sum, count) => sum + count, 0);
}

async function oneMinute(url: string): Promise<Minute> {
  const before = requestsIn(await scrape(url));
  const minute = { requests: 0, heapMiB: Infinity, rssMiB: 0, records: 0, lagMs: 0 };
  for (let second = 0; second < SECONDS_A_MINUTE; second++) {
    await pause(1000);
    const families = await scrape(url);
    const heap = shown(families, 'nodejs_heap_size_used_bytes') / MEBIBYTE;
    const lag = shown(families, 'nodejs_eventloop_lag_p99_seconds') * 1000;
    minute.heapMiB = Math.min(minute.heapMiB, heap);
    minute.lagMs = Math.max(minute.lagMs, lag);
    minute.rssMiB = shown(families, 'process_resident_memory_bytes') / MEBIBYTE;
    minute.records = shown(families, 'edge_server_records', '{collection="edges"}');
    minute.requests = requestsIn(families) - before;
  }
  return minute;
}

async function measure(folder: string, minutes: number, clients: number): Promise<Minute[]> {
  const server = await startBare({ args: ['--data-dir', folder, '--metrics'] });
  const stop = new AbortController();
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const load = Promise.all(
    Array.from({ length: clients }, () => oneClient(server.url, stop.signal, agent)),
  );
  /** A client that fails ends the measurement. */
  const failure = new Promise<never>((_resolve, reject) => void load.catch(reject));
  const seen: Minute[] = [];
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      seen.push(await Promise.race([oneMinute(server.url), failure]));
    }
    return seen;
  } finally {
    stop.abort();
    await load.catch(() => undefined);
    agent.destroy();
    await server.end('SIGTERM');
  }
}

function table(minutes: readonly Minute[]): string {
  const head = ['minute', 'requests', 'edges', 'heap MiB', 'RSS MiB', 'lag p99 ms'];
  const rows = minutes.map((minute, index) => [
    String(index + 1),
    minute.requests.toLocaleString('en'),
    String(minute.records),
    minute.heapMiB.toFixed(1),
    minute.rssMiB.toFixed(0),
    minute.lagMs.toFixed(0),
  ]);
  return ruledColumns([head, ...rows], [...head.keys()]);
}

function leastHeap(minutes: readonly Minute[]): number {
  return Math.min(...minutes.map(({ heapMiB }) => heapMiB));
}

const cache = join(packageFolder(), 'node_modules', '.cache', 'edge-contract');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'memory-'));
try {
  const count = whole('minutes', values.minutes, 3);
  const clients = whole('clients', values.clients, 1);
  say(`Node ${process.version}, ${count} minutes, ${clients} clients`);
  const minutes = await measure(folder, count, clients);
  say(`\n${table(minutes)}\n`);
  // In the first minute, code is compiled and caches are filled.
  const half = Math.ceil((count + 1) / 2);
  const first = leastHeap(minutes.slice(1, half));
  const second = leastHeap(minutes.slice(half));
  const grows = second > TOLERANCE * first;
  const halves = `${first.toFixed(1)} MiB, then ${second.toFixed(1)} MiB`;
  say(`${grows ? 'GROWS' : 'steady'}: the least heap of each half was ${halves}`);
  process.exitCode = grows ? 1 : 0;
} catch (error) {
  process.stderr.write(`memory: ${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
