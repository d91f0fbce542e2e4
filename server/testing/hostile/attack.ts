/** Does one kind of attack to a server while a good client works, and looks at everything afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Kind, Reply, Target } from './case.ts';
import type { GoodClient } from './good-client.ts';
import { emptyOutcome, classify, MOST_MEMORY, type Outcome } from './outcome.ts';
import { SECRET, type AttackedServer, TOKEN } from './server.ts';
import { exchange } from './wire.ts';

/** An error of this program becomes a problem of the outcome, so that the other kinds go on. */
export async function attack(kind: Kind, attacked: AttackedServer, target: Target, good: GoodClient): Promise<Outcome> {
  try {
    return await meet(kind, attacked, target, good);
  } catch (error) {
    return { ...emptyOutcome(kind), problems: [`it broke off: ${(error as Error).message}`, ...endOf(attacked)] };
  }
}

/** Nothing while the server runs; else how it ended, and its last words. */
function endOf({ server }: AttackedServer): string[] {
  const { exitCode, signalCode } = server.child;
  return server.runs() ? [] : [`the server ended with ${exitCode ?? signalCode}: ${server.stderr().slice(-500)}`];
}

async function meet(kind: Kind, attacked: AttackedServer, target: Target, good: GoodClient): Promise<Outcome> {
  const outcome = emptyOutcome(kind);
  const before = {
    stored: await attacked.stored(),
    log: attacked.server.stdout().length,
    served: good.served,
    problems: good.problems.length,
  };
  attacked.forgetPeak();
  const start = Date.now();
  good.slowest = 0;
  const rest = [...kind.cases];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) record(outcome, next, await perform(next, target));
  };
  await Promise.all(Array.from({ length: kind.atOnce ?? 16 }, worker));
  // A good client comes to its turn, however quick it all was.
  for (let waited = 0; good.served < before.served + 5 && waited < 10_000; waited += 20) await pause(20);
  outcome.good = good.served - before.served;
  outcome.slowest = good.slowest;
  outcome.seconds = Math.round((Date.now() - start) / 1000);
  outcome.peak = attacked.peak();
  const problems = outcome.problems;
  problems.push(...good.problems.slice(before.problems));
  if (outcome.good === 0) problems.push('no good client was served');
  if (good.slowest > good.patienceMs)
    problems.push(`a good client waited ${good.slowest} ms, of ${good.patienceMs} at most`);
  if (outcome.peak !== undefined && outcome.peak > MOST_MEMORY)
    problems.push(`${outcome.peak} MiB of memory, of ${MOST_MEMORY} at most`);
  if ((await attacked.stored()) !== before.stored) problems.push('something was stored');
  problems.push(...endOf(attacked));
  problems.push(...logProblems(attacked.server.stdout().slice(before.log), attacked.server.stderr()));
  return outcome;
}

async function perform({ send }: Case, target: Target): Promise<Reply[]> {
  if (typeof send === 'function') return send(target);
  return [await exchange(target.port, typeof send === 'string' || Buffer.isBuffer(send) ? [send] : send)];
}

function record(outcome: Outcome, one: Case, replies: Reply[]): void {
  const { verdict, worst, problems } = classify(one, replies);
  outcome[verdict] += 1;
  if (worst > 0) outcome.worst = Math.max(outcome.worst ?? 0, worst);
  outcome.problems.push(...problems.map((problem) => `${one.name}: ${problem}`));
}

/** The log holds lines of JSON below the level of an error, without a trace of the program or a secret. */
function logProblems(stdout: string, stderr: string): string[] {
  const problems = new Set<string>();
  for (const line of stdout.split('\n')) {
    if (line.includes(TOKEN) || line.includes(SECRET)) problems.add('a secret in the log');
    try {
      if (line !== '' && (JSON.parse(line) as { level: number }).level >= 50)
        problems.add(`an error in the log: ${line.slice(0, 300)}`);
    } catch {
      // The last line may be half written yet.
      if (!stdout.endsWith(line)) problems.add(`no line of JSON in the log: ${line.slice(0, 100)}`);
    }
  }
  // Four lines of announcement.
  if (stderr.trim().split('\n').length > 4)
    problems.add(`on stderr: ${stderr.split('\n').slice(4).join(' ').slice(0, 300)}`);
  return [...problems];
}
