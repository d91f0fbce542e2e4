/**
 * Does to both stores what happens to machines, and counts what was acknowledged, lost and torn:
 *
 *     node tools/run.js server/testing/faults/main [--rounds N]    how often a server is killed, 50 when omitted
 *
 * Needs root for the disks and a PostgreSQL server for the second store; what cannot be tried is shown as a skip, with
 * the reason. Ends with `N passed, N failed`.
 */
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { findPostgres } from '../../../tools/postgres.ts';
import { type Fault, FAULTS } from './faults.ts';
import { CannotMount, type StoreName, tornRecords, withSubject } from './subject.ts';
import { Ledger } from './workload.ts';

const { rounds: text } = parseArgs({ options: { rounds: { type: 'string', default: '50' } } }).values;
const allRounds = Number(text);
if (!Number.isInteger(allRounds) || allRounds < 1) {
  process.stderr.write('faults: --rounds must be an integer from 1\n');
  process.exit(2);
}
const bin = findPostgres();
const rows: string[][] = [];
const failures: string[] = [];
const count = { pass: 0, FAIL: 0, skip: 0 };

async function attempt(fault: Fault, store: StoreName): Promise<void> {
  process.stderr.write(`${fault.name}, ${store} …\n`);
  const ledger = new Ledger();
  const rounds = fault.allRounds ? allRounds : Math.ceil(allRounds / 10);
  let verdict: keyof typeof count = 'pass';
  let seen: string;
  try {
    if (store === 'PostgreSQL' && bin === undefined) throw new CannotMount('PostgreSQL is not installed');
    seen = await withSubject({ store, bin, smallDisk: fault.smallDisk ?? false }, async (subject) => {
      const note = await fault.run({ subject, ledger, rounds });
      const server = await subject.start();
      await ledger.verify(server.url);
      await server.end('SIGTERM');
      ledger.torn.push(...(await tornRecords(subject)));
      return note;
    });
    if (ledger.acknowledged === 0) ledger.problems.push('nothing was acknowledged');
  } catch (error) {
    seen = (error as Error).message.split('\n')[0]!;
    if (error instanceof CannotMount) verdict = 'skip';
    else ledger.problems.push(`it broke off: ${seen}`);
  }
  const { acknowledged, refused, lost, torn, problems } = ledger;
  const found = Object.entries({ lost, torn, problem: problems }).flatMap(([kind, all]) =>
    all.slice(0, 3).map((one) => `${fault.name}, ${store}: ${kind}: ${one}`),
  );
  if (found.length > 0) verdict = 'FAIL';
  failures.push(...found);
  count[verdict] += 1;
  const figures = [rounds, acknowledged, refused, lost.length, torn.length].map(String);
  rows.push([fault.name, store, ...figures, verdict, seen]);
}

for (const store of ['lowdb', 'PostgreSQL'] as const)
  for (const fault of FAULTS) if (fault.store === undefined || fault.store === store) await attempt(fault, store);

const head = ['fault', 'store', 'rounds', 'acknowledged', 'refused', 'lost', 'torn', 'verdict', 'seen'];
process.stdout.write(`${ruledColumns([head, ...rows], [2, 3, 4, 5, 6])}\n`);
for (const failure of failures) process.stdout.write(`FAIL  ${failure}\n`);
if (count.skip > 0) process.stdout.write(`${count.skip} skipped\n`);
process.stdout.write(`${count.pass} passed, ${count.FAIL} failed\n`);
process.exitCode = count.FAIL === 0 ? 0 : 1;
