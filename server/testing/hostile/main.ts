/**
 * Sends to a server what no client should, by kinds, over raw sockets, while a well-behaved client works on:
 *
 *     node tools/run.js server/testing/hostile/main [--seed N] [--rounds N] [--only KIND] [--quick]
 *
 * The server refuses each case with 4xx (501 or 505 where HTTP has them) or closes the connection. It never sends another
 * 5xx, keeps to a bound of memory, serves the well-behaved client, stores nothing, and logs no error and no secret. --quick
 * takes some cases of each kind that take no time. Ends with `N passed, N failed`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { type ServerProcess, startServer } from '../../../tools/reference-server.ts';
import { openFileLimit } from '../../open-files.ts';
import { send } from '../send.ts';
import { type Kind, kindsOf, SECRETS, TOKEN } from './cases.ts';
import { classify } from './wire.ts';

/**
 * The most that the process may have in memory at any time, in MiB. It begins with 120, mostly for Node and the validator of
 * the contract; 16 bodies of 1 MiB at once, parsed, are the largest part of the rest. Memory that was taken once is hardly
 * given back, so that this holds for all kinds, one after the other.
 */
const MOST_MEMORY = 512;
/** For objects of JavaScript: on a large machine, Node leaves garbage as long as there is room. */
const HEAP_MIB = 320;
const TEST_TOKEN = 'hostile-snapshot-6c20';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
/** Of each kind in a quick run. */
const QUICK_CASES = 8;

/** A well-behaved client that works on: all that it asks for must succeed. */
class GoodClient {
  served = 0;
  /** Milliseconds of the slowest response since it was last set. */
  slowest = 0;
  problems: string[] = [];
  readonly #stopping = new AbortController();
  readonly #work: Promise<void>;

  constructor(url: string, edgePath: string) {
    this.#work = this.#run(url, edgePath);
  }

  async #run(url: string, path: string): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const requests = [
      { path, headers: AUTHORIZED },
      { path: '/edges/https?limit=10', headers: AUTHORIZED },
      { path: '/event_subscriptions/steady/sources', headers: AUTHORIZED },
      { path, method: 'PATCH', headers: AUTHORIZED, body: { description: 'steady' } },
      { path: '/readyz' },
    ];
    for (let turn = 0; !this.#stopping.signal.aborted; turn++) {
      const request = requests[turn % requests.length]!;
      const start = Date.now();
      const result = await send(url, { ...request, agent }).then(
        ({ status }) => status,
        (error: NodeJS.ErrnoException) => error.code,
      );
      if (result === 200) this.served++;
      else this.problems.push(`a good client got ${result} for ${request.path}`);
      this.slowest = Math.max(this.slowest, Date.now() - start);
      await pause(10);
    }
    agent.destroy();
  }

  /** Waits until so many more requests were served, for ten seconds at most. */
  async progress(requests: number): Promise<void> {
    const goal = this.served + requests;
    for (let waited = 0; this.served < goal && waited < 10_000; waited += 20) await pause(20);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
  }
}

interface Outcome {
  row: string[];
  problems: string[];
}

/** @param patienceMs the longest that the good client may wait for a response */
async function attack(kind: Kind, server: ServerProcess, good: GoodClient, patienceMs: number): Promise<Outcome> {
  const [stored, logged, served] = [await snapshot(server), server.stdout().length, good.served];
  const verdicts = { refused: 0, closed: 0, served: 0 };
  const problems: string[] = [];
  let worstStatus = 0;
  measureMemory(server);
  const start = Date.now();
  Object.assign(good, { slowest: 0, problems });
  const rest = [...kind.cases];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      const { name, mayBeServed } = next;
      const {
        verdict,
        worst,
        problems: found,
      } = classify(await next.send(Number(new URL(server.url).port)), mayBeServed);
      verdicts[verdict] += 1;
      worstStatus = Math.max(worstStatus, worst);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
  };
  try {
    await Promise.all(Array.from({ length: kind.atOnce }, worker));
    await good.progress(5);
    if ((await snapshot(server)) !== stored) problems.push('something was stored');
  } catch (error) {
    problems.push(`it broke off: ${(error as Error).message}`);
  }
  const { exitCode, signalCode } = server.child;
  if (!server.runs()) problems.push(`the server ended with ${exitCode ?? signalCode}: ${server.stderr().slice(-500)}`);
  if (good.served === served) problems.push('no good client was served');
  if (good.slowest > patienceMs) problems.push(`a good client waited ${good.slowest} ms, of ${patienceMs} at most`);
  const peak = peakMemory(server);
  if (peak > MOST_MEMORY) problems.push(`${peak} MiB of memory, of ${MOST_MEMORY} at most`);
  problems.push(...logProblems(server.stdout().slice(logged)));
  // Four lines of announcement.
  const errors = server.stderr().trim().split('\n').slice(4).join(' ');
  if (errors !== '') problems.push(`on stderr: ${errors.slice(0, 300)}`);
  const seconds = Math.round((Date.now() - start) / 1000);
  const figures = [
    kind.cases.length,
    ...Object.values(verdicts),
    worstStatus,
    peak,
    good.served - served,
    good.slowest,
  ];
  const row = [kind.name, ...[...figures, seconds].map(String), problems.length > 0 ? 'FAIL' : 'pass'];
  return { row, problems };
}

/** All records, whatever the store is. */
async function snapshot({ url }: ServerProcess): Promise<string> {
  const headers = { authorization: `Bearer ${TEST_TOKEN}` };
  const { status, text } = await send(url, { path: '/testing/snapshot', headers });
  if (status !== 200) throw new Error(`a snapshot got ${status}: ${text.slice(0, 200)}`);
  // The first line has the time of the export.
  return text.slice(text.indexOf('\n'));
}

/** Sets the peak back to what is used now. Without /proc, no memory is measured. */
function measureMemory({ child }: ServerProcess): void {
  try {
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  } catch {
    // Without it, the peak is that of all kinds so far.
  }
}

/** In MiB; 0 where the system does not report it. */
function peakMemory({ child }: ServerProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Math.ceil(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  } catch {
    return 0;
  }
}

/** The log has lines of JSON below the level of an error, without a secret. */
function logProblems(log: string): Set<string> {
  const problems = new Set<string>();
  for (const line of log.split('\n').filter((one) => one !== '')) {
    if (SECRETS.some((secret) => line.includes(secret))) problems.add('a secret in the log');
    try {
      if ((JSON.parse(line) as { level: number }).level >= 50)
        problems.add(`an error in the log: ${line.slice(0, 300)}`);
    } catch {
      // The last line may be half written.
      if (!log.endsWith(line)) problems.add(`not a line of JSON in the log: ${line.slice(0, 100)}`);
    }
  }
  return problems;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
});
const [seed, rounds] = [Number(values.seed), Number(values.rounds)];
if (!Number.isInteger(seed) || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('hostile: --seed must be an integer, and --rounds an integer from 1\n');
  process.exit(2);
}
// A quick run opens few connections.
const openFiles = values.quick ? 300 : Math.min(openFileLimit(), 1_000_000);
const folder = await mkdtemp(join(tmpdir(), 'edge-contract-hostile-'));
const server = await startServer({
  execArgv: [`--max-old-space-size=${HEAP_MIB}`],
  args: ['--data-dir', folder],
  env: { API_TOKEN: TOKEN, TEST_TOKEN, DATABASE_URL: '' },
});
const post = (path: string, body: object) => send(server.url, { method: 'POST', path, headers: AUTHORIZED, body });
const { json: edge } = await post('/edges/https', { description: 'steady' });
await post('/event_subscriptions/steady/sources', { type: 'steady.v0' });
const edgePath = `/edges/https/${edge.id}`;
const good = new GoodClient(server.url, edgePath);
const outcomes: Outcome[] = [];
try {
  // How long it waits in calm: under attack, it may wait twenty times that, and two seconds at least.
  await good.progress(100);
  const patienceMs = Math.max(2000, 20 * good.slowest);
  for (const kind of kindsOf(edgePath, { seed, rounds, openFiles }).filter(({ name }) => name.includes(values.only))) {
    process.stderr.write(`${kind.name} …\n`);
    if (values.quick) {
      const short = kind.cases.filter((one) => !one.long);
      const step = Math.max(1, Math.floor(short.length / QUICK_CASES));
      kind.cases = short.filter((_, index) => index % step === 0);
    }
    outcomes.push(await attack(kind, server, good, patienceMs));
  }
} finally {
  await good.stop();
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

const counts = ['cases', '4xx', 'closed', 'served', 'worst', 'peak MiB', 'good', 'slowest ms', 'seconds'];
const rows = [['kind', ...counts, 'verdict'], ...outcomes.map(({ row }) => row)];
process.stdout.write(`${ruledColumns(rows, [1, 2, 3, 4, 5, 6, 7, 8, 9])}\n`);
for (const { row, problems } of outcomes)
  for (const problem of problems.slice(0, 10)) process.stdout.write(`FAIL  ${row[0]}: ${problem}\n`);
const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
process.stdout.write(`seed ${seed}, ${openFiles} open files, at most ${MOST_MEMORY} MiB\n`);
process.stdout.write(`${outcomes.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && outcomes.length > 0 ? 0 : 1;
