/** Does one kind of attack to a server while a good client works, and looks at everything afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Kind, Reply, Target } from './attack.ts';
import type { GoodClient } from './good-client.ts';
import { emptyOutcome, judge, MOST_MEMORY, type Outcome } from './outcome.ts';
import { SECRET, type Subject, TOKEN } from './subject.ts';
import { exchange } from './wire.ts';

/** A fault of this program is one of the outcome, too: the others go on. */
export async function attack(kind: Kind, subject: Subject, target: Target, good: GoodClient): Promise<Outcome> {
  try {
    return await meet(kind, subject, target, good);
  } catch (error) {
    return { ...emptyOutcome(kind), faults: [`it broke off: ${(error as Error).message}`, ...endOf(subject)] };
  }
}

/** Nothing while the server runs; else how it ended, and its last words. */
function endOf({ server }: Subject): string[] {
  const { exitCode, signalCode } = server.child;
  return server.runs() ? [] : [`the server ended with ${exitCode ?? signalCode}: ${server.stderr().slice(-500)}`];
}

async function meet(kind: Kind, subject: Subject, target: Target, good: GoodClient): Promise<Outcome> {
  const outcome = emptyOutcome(kind);
  const before = {
    stored: await subject.stored(),
    log: subject.server.stdout().length,
    served: good.served,
    faults: good.faults.length,
  };
  subject.forgetPeak();
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
  outcome.peak = subject.peak();
  const faults = outcome.faults;
  faults.push(...good.faults.slice(before.faults));
  if (outcome.good === 0) faults.push('no good client was served');
  if (outcome.peak !== undefined && outcome.peak > MOST_MEMORY)
    faults.push(`${outcome.peak} MiB of memory, of ${MOST_MEMORY} at most`);
  if ((await subject.stored()) !== before.stored) faults.push('something was stored');
  faults.push(...endOf(subject));
  faults.push(...logFaults(subject.server.stdout().slice(before.log), subject.server.stderr()));
  return outcome;
}

async function perform({ send }: Case, target: Target): Promise<Reply[]> {
  if (typeof send === 'function') return send(target);
  return [await exchange(target.port, typeof send === 'string' || Buffer.isBuffer(send) ? [send] : send)];
}

function record(outcome: Outcome, one: Case, replies: Reply[]): void {
  const { verdict, worst, faults } = judge(one, replies);
  outcome[verdict] += 1;
  if (worst > 0) outcome.worst = Math.max(outcome.worst ?? 0, worst);
  outcome.faults.push(...faults.map((fault) => `${one.name}: ${fault}`));
}

/** The log holds lines of JSON below the level of an error, without a trace of the program or a secret. */
function logFaults(stdout: string, stderr: string): string[] {
  const faults = new Set<string>();
  for (const line of stdout.split('\n')) {
    if (line.includes(TOKEN) || line.includes(SECRET)) faults.add('a secret in the log');
    try {
      if (line !== '' && (JSON.parse(line) as { level: number }).level >= 50)
        faults.add(`an error in the log: ${line.slice(0, 300)}`);
    } catch {
      // The last line may be half written yet.
      if (!stdout.endsWith(line)) faults.add(`no line of JSON in the log: ${line.slice(0, 100)}`);
    }
  }
  // Three lines of announcement.
  if (stderr.trim().split('\n').length > 3)
    faults.add(`on stderr: ${stderr.split('\n').slice(3).join(' ').slice(0, 300)}`);
  return [...faults];
}
