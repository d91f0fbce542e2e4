/**
 * Sends to a server what no client should, by kinds, over raw sockets, while a well-behaved client works on:
 *
 *     node tools/run.js server/testing/hostile/main [--quick]
 *
 * The server refuses each case with 4xx (501 or 505 where HTTP has them) or closes the connection. It never sends another
 * 5xx, keeps to a bound of memory, serves the well-behaved client, stores nothing, and logs no error and no secret. --quick
 * takes some cases of each kind that take no time. Needs Linux. Ends with `N passed, N failed`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { startReferenceServer } from '../../../tools/reference-server.ts';
import { openFileLimit } from '../../limits.ts';
import { send } from '../send.ts';
import { type Kind, kindsOf, TOKEN } from './cases.ts';
import { classify, exchange } from './wire.ts';

/** MiB, at any time: 120 at the start, and then mostly 16 bodies of 1 MiB at once, parsed. Little is given back. */
const MOST_MEMORY = 512;
/** For objects of JavaScript: on a large machine, Node leaves garbage as long as there is room. */
const HEAP_MIB = 320;
const TEST_TOKEN = 'hostile-snapshot-6c20';
/** The most cases of a kind in a quick run. */
const QUICK_CASES = 12;

const { quick = false } = parseArgs({ options: { quick: { type: 'boolean' } } }).values;
const openFiles = quick ? 300 : Math.min(openFileLimit(), 1_000_000);
const server = await startReferenceServer(TOKEN, {
  execArgv: [`--max-old-space-size=${HEAP_MIB}`],
  // Many clients, all of them at one address.
  args: ['--trust-proxy', '1', '--log-level', 'info'],
  env: { TEST_TOKEN },
});
const proc = `/proc/${server.child.pid}`;
const headers = { authorization: `Bearer ${TOKEN}` };
const edge = await send(server.url, { method: 'POST', path: '/edges/https', headers, body: { description: 'steady' } });
const edgePath = `/edges/https/${edge.json.id}`;

/** A well-behaved client that works on: everything that it asks for must succeed. */
const good = { served: 0, slowestMs: 0, problems: [] as string[], stopped: false };

async function workOn(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const requests = [
    { path: edgePath, headers },
    { path: '/edges/https?limit=10', headers },
    { path: edgePath, method: 'PATCH', headers, body: { description: 'steady' } },
    { path: '/readyz' },
  ];
  for (let turn = 0; !good.stopped; turn++) {
    const request = requests[turn % requests.length]!;
    const start = Date.now();
    const result = await send(server.url, { ...request, agent }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (result === 200) good.served++;
    else good.problems.push(`a good client got ${result} for ${request.path}`);
    good.slowestMs = Math.max(good.slowestMs, Date.now() - start);
    await pause(10);
  }
  agent.destroy();
}

/** Waits until the good client was served so many times more, for ten seconds at most. */
async function goodProgress(requests: number): Promise<void> {
  const goal = good.served + requests;
  for (let waited = 0; good.served < goal && waited < 10_000; waited += 20) await pause(20);
}

/** All records, whatever the store is. */
async function snapshot(): Promise<string> {
  const authorization = `Bearer ${TEST_TOKEN}`;
  const { status, text } = await send(server.url, { path: '/testing/snapshot', headers: { authorization } });
  if (status !== 200) throw new Error(`a snapshot got ${status}: ${text.slice(0, 200)}`);
  // The first line has the time of the export.
  return text.slice(text.indexOf('\n'));
}

/** The log has lines of JSON below the level of an error, without a secret; stderr has the announcement of four lines. */
function logProblems(log: string): Set<string> {
  const problems = new Set<string>();
  for (const line of log.split('\n').filter((one) => one !== '')) {
    if (line.includes(TOKEN)) problems.add('a secret in the log');
    // The last line may be half written.
    if (!/^\{"level":[1-4]0,.*\}$/.test(line) && !log.endsWith(line)) problems.add(`in the log: ${line.slice(0, 300)}`);
  }
  const errors = server.stderr().trim().split('\n').slice(4).join(' ');
  if (errors !== '') problems.add(`on stderr: ${errors.slice(0, 300)}`);
  return problems;
}

/** @returns a row of the table, without the verdict */
async function attack({ name, atOnce, refused, served: mayBeServed }: Kind, patienceMs: number) {
  const [stored, logged, served] = [await snapshot(), server.stdout().length, good.served];
  const verdicts = { refused: 0, closed: 0, served: 0 };
  // The peak begins anew.
  writeFileSync(`${proc}/clear_refs`, '5');
  good.slowestMs = 0;
  const all = Object.entries({ ...refused, ...mayBeServed });
  const rest = all.filter((_, index) => !quick || index % Math.ceil(all.length / QUICK_CASES) === 0);
  const port = Number(new URL(server.url).port);
  const worker = async () => {
    for (let one = rest.shift(); one; one = rest.shift()) {
      const [title, sending] = one;
      const replies = [typeof sending === 'function' ? await sending(port) : await exchange(port, sending)].flat();
      const { verdict, problems } = classify(replies, title in (mayBeServed ?? {}));
      verdicts[verdict] += 1;
      failures.push(...problems.map((problem) => `${name}: ${title}: ${problem}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await goodProgress(5);
  const peak = Math.ceil(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024);
  const problems = [...good.problems.splice(0), ...logProblems(server.stdout().slice(logged))];
  if ((await snapshot()) !== stored) problems.push('something was stored');
  if (good.served === served) problems.push('no good client was served');
  if (good.slowestMs > patienceMs) problems.push(`a good client waited ${good.slowestMs} ms, of ${patienceMs} at most`);
  if (peak > MOST_MEMORY) problems.push(`${peak} MiB of memory, of ${MOST_MEMORY} at most`);
  failures.push(...problems.map((problem) => `${name}: ${problem}`));
  return [name, ...Object.values(verdicts), peak, good.served - served, good.slowestMs];
}

const failures: string[] = [];
const rows = [['kind', '4xx', 'closed', 'served', 'peak MiB', 'good', 'slowest ms', 'verdict']];
const kinds = kindsOf(openFiles).filter(({ long }) => !(quick && long));
const working = workOn();
try {
  // How long the good client waits in calm: under attack, it may wait twenty times that, and two seconds at least.
  await goodProgress(100);
  // A quick run is a test, which runs beside others.
  const patienceMs = quick ? Infinity : Math.max(2000, 20 * good.slowestMs);
  for (const kind of kinds) {
    process.stderr.write(`${kind.name} …\n`);
    const before = failures.length;
    const row = await attack(kind, patienceMs).catch((error: Error) => {
      const end = server.runs() ? '' : `; the server has ended: ${server.stderr().slice(-500)}`;
      failures.push(`${kind.name}: it broke off: ${error.message}${end}`);
      return [kind.name, ...Array<string>(6).fill('-')];
    });
    const passed = failures.length === before;
    rows.push([...row.map(String), passed ? 'pass' : 'FAIL']);
  }
} finally {
  good.stopped = true;
  await working;
  await server[Symbol.asyncDispose]();
}
process.stdout.write(`${ruledColumns(rows, [1, 2, 3, 4, 5, 6])}\n`);
for (const failure of failures.slice(0, 50)) process.stdout.write(`FAIL  ${failure}\n`);
process.stdout.write(`${openFiles} open files, at most ${MOST_MEMORY} MiB\n`);
const failed = rows.filter((row) => row.at(-1) === 'FAIL').length;
process.stdout.write(`${rows.length - 1 - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && rows.length > 1 ? 0 : 1;
