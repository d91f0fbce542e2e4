/**
 * What the embedded store costs with many edges of 650 bytes:
 *
 *     node tools/run.js server/testing/bench/store [--edges N]
 *
 * A server is filled over HTTP by 32 clients and started again. Then it is asked in turn with one that holds 200 edges, so
 * that whatever else the machine does hits both alike.
 */
import autocannon from 'autocannon';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { send } from '../send.ts';
import { CACHE, OURS } from './candidates.ts';
import { measure, median } from './load.ts';
import { table } from './report.ts';
import { EDGE, HEADERS, type Request, requestOf } from './scenarios.ts';
import { type Server, startServer } from './server.ts';

const FEW = 200;
const ROUNDS = 5;

const { values } = parseArgs({ options: { edges: { type: 'string', default: '100000' } } });
const many = Number(values.edges);
if (!Number.isSafeInteger(many) || many <= FEW) {
  process.stderr.write(`bench: --edges must be a number above ${FEW}\n`);
  process.exit(2);
}

mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'store-'));

/** The same data at each start. */
const start = (name: string): Promise<Server> =>
  startServer({ ...OURS, name, command: (port) => OURS.command(port, join(folder, name)) }, folder);

async function fill(name: string, edges: number): Promise<number> {
  const server = await start(name);
  try {
    const { duration } = await autocannon({
      url: `${server.url}/edges/https`,
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(EDGE),
      connections: 32,
      amount: edges,
    });
    return duration;
  } finally {
    await server.end();
  }
}

async function requestsOf({ url }: Server, edges: number): Promise<Record<string, Request>> {
  const first = '/edges/https?limit=20';
  return {
    read: await requestOf('read', url),
    create: await requestOf('create', url),
    'list of 20, first page': { method: 'GET', path: first },
    'list of 20, in the middle': { method: 'GET', path: await follow(url, edges / 2) },
  };
}

/** The path of a page of 20 behind so many edges. */
async function follow(url: string, edges: number): Promise<string> {
  let path = '/edges/https?limit=100';
  for (let passed = 0; passed < edges; passed += 100) {
    const { json } = await send(url, { path, headers: HEADERS });
    if (json.uri === null) break;
    const next = new URL(json.uri as string);
    path = next.pathname + next.search;
  }
  return path.replace('limit=100', 'limit=20');
}

try {
  await fill('few', FEW);
  const seconds = await fill('many', many);
  const [few, full] = [await start('few'), await start('many')];
  try {
    process.stdout.write(
      `${many} edges: created in ${seconds.toFixed(0)} s by 32 clients (${(many / seconds).toFixed(0)} a second)\n` +
        `start: ready after ${(full.readyMs / 1000).toFixed(2)} s, ${(full.readyCpuMicros / 1e6).toFixed(2)} s of CPU, ` +
        `${((await full.usage()).peakBytes / 1e6).toFixed(0)} MB at most; with ${FEW} edges ` +
        `${(few.readyMs / 1000).toFixed(2)} s, ${(few.readyCpuMicros / 1e6).toFixed(2)} s of CPU, ` +
        `${((await few.usage()).peakBytes / 1e6).toFixed(0)} MB\n\n`,
    );
    const [ofFew, ofMany] = [await requestsOf(few, FEW), await requestsOf(full, many)];
    const rows: string[][] = [];
    for (const name of Object.keys(ofFew)) {
      const cpu: [number[], number[]] = [[], []];
      for (let round = 0; round <= ROUNDS; round++) {
        const samples = [
          await measure(few, ofFew[name]!, { connections: 8, seconds: 1 }),
          await measure(full, ofMany[name]!, { connections: 8, seconds: 1 }),
        ];
        // The first round warms up.
        if (round > 0) for (const [index, { cpuMicros }] of samples.entries()) cpu[index as 0 | 1].push(cpuMicros);
      }
      const [a, b] = [median(cpu[0]), median(cpu[1])];
      rows.push([name, a.toFixed(0), b.toFixed(0), (b / a).toFixed(2)]);
    }
    process.stdout.write(table(['CPU µs a request', `${FEW} edges`, `${many} edges`, 'ratio'], rows));
  } finally {
    await few.end();
    await full.end();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
