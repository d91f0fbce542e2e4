/**
 * Lets both stores suffer what happens to machines, and counts the changes that were acknowledged,
 * lost and torn. Disks need root.
 */
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  CannotTry,
  type Subject,
  type SubjectOptions,
  tornRecords,
  withSubject,
} from './subject.ts';
import { Ledger, type Load, startLoad, WRITERS } from './workload.ts';

interface Trial {
  subject: Subject;
  /** Problems go there, too. Everything in it is verified on a new server after the fault. */
  ledger: Ledger;
}

/** Done to a store while 32 writers are at work. */
interface Fault extends SubjectOptions {
  name: string;
  /** @returns what was seen */
  run(trial: Trial): Promise<string>;
}

const random = (least: number, most: number) =>
  least + Math.floor(Math.random() * (most - least + 1));

/** At a random moment of a random round of writes. */
async function killServer({ subject, ledger }: Trial): Promise<string> {
  for (let round = 0; round < rounds; round++) {
    const server = await subject.start();
    await ledger.verify(server.url);
    const load = startLoad(server, ledger, `r${round}`);
    await load.progress(random(1, 150));
    await pause(random(0, 30));
    await server.end('SIGKILL');
    await load.ended;
    ledger.torn.push(...(await tornRecords(subject)));
  }
  return `the server was killed ${rounds} times`;
}

async function killDatabase({ subject, ledger }: Trial): Promise<string> {
  const { server: database } = subject.database!;
  const server = await subject.start();
  const load = startLoad(server, ledger, 'db');
  const times = Math.ceil(rounds / 10);
  for (let round = 0; round < times; round++) {
    await load.progress(random(50, 200));
    await database.kill();
    await refusals(ledger, WRITERS);
    await database.restart();
  }
  await writesGoOn(load, ledger);
  await ledger.verify(server.url);
  if (load.cut() > 0) {
    ledger.problems.push(`${load.cut()} connections were cut`);
  }
  return `the database was killed ${times} times, and the server served again`;
}

async function fillDisk({ subject, ledger }: Trial): Promise<string> {
  const { disk, database } = subject;
  const server = await subject.start();
  const load = startLoad(server, ledger, 'full');
  await refusals(ledger, 10 * WRITERS);
  await load.stop();
  const { bavail, bsize } = await statfs(disk);
  // A full disk does not keep the embedded store from reading.
  if (!database) {
    await ledger.verify(server.url);
  }
  await rm(join(disk, 'ballast'));
  if (database && !database.server.running()) {
    await database.server.restart();
  }
  await writesGoOn(startLoad(server, ledger, 'room'), ledger);
  await ledger.verify(server.url);
  return `${Math.round((bavail * bsize) / 1024)} KB left when it was full; writes again with room`;
}

/** @throws Error when not so many more changes are refused within a minute */
async function refusals(ledger: Ledger, changes: number): Promise<void> {
  const goal = ledger.refused + changes;
  for (let waited = 0; ledger.refused < goal; waited += 5) {
    if (waited > 60_000) {
      throw new Error(`${ledger.acknowledged} changes are acknowledged, and none is refused`);
    }
    await pause(5);
  }
}

async function writesGoOn(load: Load, ledger: Ledger): Promise<void> {
  const before = ledger.acknowledged;
  await load.progress(50);
  await load.stop();
  if (ledger.acknowledged === before) {
    ledger.problems.push('no write succeeded afterwards');
  }
}

const FAULTS: readonly Fault[] = [
  { name: 'kill -9 of the server', store: 'lowdb', run: killServer },
  { name: 'full disk', store: 'lowdb', smallDisk: true, run: fillDisk },
  { name: 'kill -9 of the server', store: 'PostgreSQL', run: killServer },
  { name: 'kill -9 of PostgreSQL', store: 'PostgreSQL', run: killDatabase },
  { name: 'full disk', store: 'PostgreSQL', smallDisk: true, run: fillDisk },
];

/** How often a server is killed. */
const rounds = Number(
  parseArgs({ options: { rounds: { type: 'string', default: '50' } } }).values.rounds,
);
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('faults: --rounds must be an integer from 1\n');
  process.exit(2);
}
const count = { pass: 0, FAIL: 0, skip: 0 };
const say = (text: string): void => void process.stdout.write(`${text}\n`);

for (const { name, run, ...options } of FAULTS) {
  const ledger = new Ledger();
  const { lost, torn, problems } = ledger;
  let verdict: keyof typeof count = 'pass';
  let seen: string;
  try {
    seen = await withSubject(options, async (subject) => {
      const note = await run({ subject, ledger });
      await subject.stop();
      torn.push(...(await tornRecords(subject)));
      await ledger.verify((await subject.start()).url);
      return note;
    });
    if (ledger.acknowledged === 0) {
      problems.push('nothing was acknowledged');
    }
  } catch (error) {
    seen = (error as Error).message.split('\n')[0]!;
    if (error instanceof CannotTry) {
      verdict = 'skip';
    } else {
      problems.push(`it broke off: ${seen}`);
    }
  }
  if (lost.length + torn.length + problems.length > 0) {
    verdict = 'FAIL';
  }
  count[verdict] += 1;
  const figures =
    `${ledger.acknowledged} acknowledged, ${ledger.refused} ` +
    `refused, ${lost.length} lost, ${torn.length} torn`;
  say(`${verdict}  ${name}, ${options.store}: ${figures}; ${seen}`);
  for (const [kind, found] of Object.entries({ lost, torn, problem: problems })) {
    for (const one of found.slice(0, 3)) {
      say(`      ${kind}: ${one}`);
    }
  }
}

if (count.skip > 0) {
  say(`${count.skip} skipped`);
}
say(`${count.pass} passed, ${count.FAIL} failed`);
process.exitCode = count.FAIL === 0 ? 0 : 1;
