/**
 * What the suite costs, in one run: checked requests a second against a service that does nothing, and a default run
 * against a real one.
 *
 *     node tools/run.js conformance/self/speed [URL]
 *
 * Without a URL, the real one is the independent service in this process. With one, the CPU is that of the suite alone.
 */
import { expectSuccess } from '../engine/http/expect-response.ts';
import { tryProperty } from '../engine/run/property.ts';
import { loadContract } from '../engine/contract/load.ts';
import { edgeBodies } from '../api/values/edges.ts';
import { run } from '../engine/run/run.ts';
import { Client } from '../engine/http/client.ts';
import { createImplementation } from '../api/implementation.ts';
import { EDGE_API } from '../api/index.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { curlScript } from '../engine/report/curl.ts';
import { createIndependentService } from './independent/index.ts';
import { serve, type Service } from './service.ts';

const contract = loadContract();

function targetAt(base: string): Implementation {
  const client = new Client({ base, headers: {}, timeoutMs: 10_000, connections: 64 });
  const testData = { subscriptionIds: [], eventTypes: [], hostportDomain: undefined, certificateAuthorityIds: [] };
  return createImplementation({
    contract,
    client,
    level: 'core',
    origin: 'all',
    token: undefined,
    readOnlyToken: undefined,
    testData: testData,
    namespace: `bench-${Date.now()}`,
  });
}

/** Answers everything with one edge that satisfies the contract. */
const nothing: Service = async () => ({
  status: 201,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(EDGE),
});

const EDGE = {
  id: 'e',
  description: '',
  metadata: '',
  created_at: '2026-01-15T09:30:00Z',
  uri: 'http://127.0.0.1/edges/https/e',
  hostports: [],
  mutual_tls: null,
  tls_termination: null,
  routes: [],
};

/** Generated bodies are sent and each response is held to the contract, as in a run. */
async function throughput(cases: number, lanes: number): Promise<number> {
  const { url, close } = await serve(nothing);
  const implementation = targetAt(url);
  const property = {
    label: 'valid edges',
    values: edgeBodies(implementation),
    async check(json: unknown, session: Parameters<Parameters<typeof tryProperty>[0]['check']>[1]) {
      expectSuccess(implementation, session.operation('createEdge'), await session.call('createEdge', { json }));
    },
  };
  await tryProperty(property, implementation, { seed: 1, runs: 200 });
  const started = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      tryProperty(property, implementation, { seed: lane, runs: cases / lanes }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  implementation.client.close();
  await close();
  const broken = outcomes.find(({ kind }) => kind !== 'held');
  if (broken) throw new Error(`the benchmark itself failed: ${JSON.stringify(broken)}`);
  return cases / seconds;
}

async function wholeRun(url: string): Promise<string> {
  const implementation = targetAt(url);
  const started = performance.now();
  const before = process.cpuUsage();
  const report = await run(implementation, {
    seed: 1,
    runs: 20,
    concurrency: 8,
    bail: false,
    only: [],
    skip: [],
    replay: undefined,
    knownFailures: [],
    api: EDGE_API,
    script: curlScript,
    replayCommand: (name) => name,
    suite: { name: 'bench', version: '0' },
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  implementation.client.close();
  const { verdict, requirements, requests } = report;
  const each = `${((user + system) / 1000 / requests).toFixed(2)} ms of CPU each`;
  return `${verdict}, ${requirements.length} requirements, ${requests} requests in ${seconds.toFixed(1)} s, ${each}`;
}

const rates: number[] = [];
for (let round = 0; round < 5; round++) rates.push(await throughput(4000, 8));
rates.sort((a, b) => a - b);
const [low, , median, , high] = rates.map((rate) => Math.round(rate).toLocaleString('en'));
process.stdout.write(`checked requests a second, no-op target, 5 rounds: median ${median}, ${low} to ${high}\n`);

const [, , url] = process.argv;
if (url === undefined) {
  const served = await serve(createIndependentService());
  process.stdout.write(`default core run, independent service: ${await wholeRun(served.url)}\n`);
  await served.close();
} else {
  process.stdout.write(`default core run, ${url}: ${await wholeRun(url)}\n`);
}
