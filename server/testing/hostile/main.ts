/**
 * Sends to a server what no client should, by kinds, over raw sockets, while a good client works
 * on. Needs Linux.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startReferenceServer } from '../../../tools/reference-server.ts';
import { send } from '../send.ts';
import { KINDS, TOKEN } from './cases.ts';
import type { Turn } from './good-client.ts';

/**
 * MiB, at any time: 120 at the start, and then mostly 16 bodies of 1 MiB at once, parsed. Little is
 * given back.
 */
const MOST_MEMORY = 512;
/** For objects of JavaScript: on a large machine, Node leaves garbage as long as there is room. */
const HEAP_MIB = 320;
const MOST_SENT = 24 * 1024 * 1024;
const TEST_TOKEN = 'hostile-snapshot-6c20';

const server = await startReferenceServer(TOKEN, {
  execArgv: [`--max-old-space-size=${HEAP_MIB}`],
  // Many clients, all of them at one address.
  args: ['--trust-proxy', '1', '--log-level', 'info'],
  env: { TEST_TOKEN },
});
const proc = `/proc/${server.child.pid}`;
const headers = { authorization: `Bearer ${TOKEN}` };
const edge = await send(server.url, {
  method: 'POST',
  path: '/edges/https',
  headers,
  body: { description: 'steady' },
});
const edgePath = `/edges/https/${edge.json.id}`;

/** Everything that the good client asks for must succeed. */
const good = { served: 0, slowestMs: 0, problems: [] as string[] };
const requests = [
  { path: edgePath, headers },
  { path: '/edges/https?limit=10', headers },
  { path: edgePath, method: 'PATCH', headers, body: { description: 'steady' } },
  { path: '/readyz' },
];
const client = new Worker(join(import.meta.dirname, 'good-client.js'), {
  workerData: { url: server.url, requests },
});
client.on('message', ({ path, waitedMs, result }: Turn) => {
  if (result === 200) {
    good.served++;
  } else {
    good.problems.push(`a good client got ${result} for ${path}`);
  }
  good.slowestMs = Math.max(good.slowestMs, waitedMs);
});

/** Waits until the good client was served so many times more, for ten seconds at most. */
async function goodProgress(count: number): Promise<void> {
  const goal = good.served + count;
  for (let waited = 0; good.served < goal && waited < 10_000; waited += 20) {
    await pause(20);
  }
}

/** All records, whatever the store is. */
async function snapshot(): Promise<string> {
  const authorization = `Bearer ${TEST_TOKEN}`;
  const { status, text } = await send(server.url, {
    path: '/testing/snapshot',
    headers: { authorization },
  });
  if (status !== 200) {
    throw new Error(`a snapshot got ${status}: ${text.slice(0, 200)}`);
  }
  // The first line has the time of the export.
  return text.slice(text.indexOf('\n'));
}

/**
 * The log has lines of JSON below the level of an error, without a secret; stderr has the
 * announcement of four lines.
 */
function logProblems(log: string): Set<string> {
  const problems = new Set<string>();
  for (const line of log.split('\n').filter((one) => one !== '')) {
    if (line.includes(TOKEN)) {
      problems.add('a secret in the log');
    }
    // The last line may be half written.
    if (!/^\{"level":[1-4]0,.*\}$/.test(line) && !log.endsWith(line)) {
      problems.add(`in the log: ${line.slice(0, 300)}`);
    }
  }
  const errors = server.stderr().trim().split('\n').slice(4).join(' ');
  if (errors !== '') {
    problems.add(`on stderr: ${errors.slice(0, 300)}`);
  }
  return problems;
}

/** @returns what was seen, in words; problems go to `failures` */
async function attack(kind: string): Promise<string> {
  const stored = await snapshot();
  const logged = server.stdout().length;
  const served = good.served;
  // The peak begins anew.
  writeFileSync(`${proc}/clear_refs`, '5');
  good.slowestMs = 0;
  const port = Number(new URL(server.url).port);
  const attacks = Object.entries(KINDS[kind]!).map(
    async ([name, { statuses, answers = false, run }]) => {
      const found = new Set<string>();
      for (const reply of await run(port)) {
        if (!reply.closed) {
          found.add('the server did not end the connection');
        }
        const isRight =
          reply.statuses.length === 0 ? !answers : reply.statuses.join() === statuses.join();
        if (!isRight) {
          found.add(`the statuses ${reply.statuses.slice(0, 10)}, and not ${statuses}`);
        }
        // The server may read some, and buffers of the network take several MiB more.
        if (reply.sent > MOST_SENT) {
          found.add(`${reply.sent} bytes were taken`);
        }
      }
      return [...found].map((problem) => `${name}: ${problem}`);
    },
  );
  const problems = (await Promise.all(attacks)).flat();
  await goodProgress(5);
  const peak = Math.ceil(
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024,
  );
  problems.push(...good.problems.splice(0), ...logProblems(server.stdout().slice(logged)));
  if ((await snapshot()) !== stored) {
    problems.push('something was stored');
  }
  if (good.served === served) {
    problems.push('no good client was served');
  }
  if (good.slowestMs > patienceMs) {
    problems.push(`a good client waited ${good.slowestMs} ms, of ${patienceMs} at most`);
  }
  if (peak > MOST_MEMORY) {
    problems.push(`${peak} MiB of memory, of ${MOST_MEMORY} at most`);
  }
  failures.push(...problems.map((problem) => `${kind}: ${problem}`));
  return `${peak} MiB; a good client waited ${good.slowestMs} ms`;
}

const failures: string[] = [];
// How long the good client waits in calm: under attack, it may wait twenty times that, and two
// seconds at least.
await goodProgress(100);
const patienceMs = Math.max(2000, 20 * good.slowestMs);
let failed = 0;
for (const name of Object.keys(KINDS)) {
  const before = failures.length;
  const seen = await attack(name).catch((error: Error) => {
    const end = server.runs() ? '' : `; the server has ended: ${server.stderr().slice(-500)}`;
    failures.push(`${name}: it broke off: ${error.message}${end}`);
    return 'broke off';
  });
  if (failures.length > before) {
    failed += 1;
  }
  process.stdout.write(`${failures.length > before ? 'FAIL' : 'pass'}  ${name}: ${seen}\n`);
}
await client.terminate();
await server[Symbol.asyncDispose]();
for (const failure of failures.slice(0, 50)) {
  process.stdout.write(`FAIL  ${failure}\n`);
}
process.stdout.write(`${Object.keys(KINDS).length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
