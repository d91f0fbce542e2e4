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
import { FAULTS } from './faults.ts';
import { CannotTry, tornRecords, withSubject } from './subject.ts';
import { Ledger } from './workload.ts';

const { rounds: text } = parseArgs({ options: { rounds: { type: 'string', default: '50' } } }).values;
const rounds = Number(text);
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('faults: --rounds must be an integer from 1\n');
  process.exit(2);
}
const rows = [['fault', 'store', 'acknowledged', 'refused', 'lost', 'torn', 'verdict', 'seen']];
const failures: string[] = [];
const count = { pass: 0, FAIL: 0, skip: 0 };

for (const { name, run, ...options } of FAULTS) {
  process.stderr.write(`${name}, ${options.store} …\n`);
  const ledger = new Ledger();
  let verdict: keyof typeof count = 'pass';
  let seen: string;
  try {
    seen = await withSubject(options, async (subject) => {
      const note = await run({ subject, ledger, rounds });
      await subject.stop();
      ledger.torn.push(...(await tornRecords(subject)));
      await ledger.verify((await subject.start()).url);
      return note;
    });
    if (ledger.acknowledged === 0) ledger.problems.push('nothing was acknowledged');
  } catch (error) {
    seen = (error as Error).message.split('\n')[0]!;
    if (error instanceof CannotTry) verdict = 'skip';
    else ledger.problems.push(`it broke off: ${seen}`);
  }
  const { acknowledged, refused, lost, torn, problems } = ledger;
  for (const [kind, found] of Object.entries({ lost, torn, problem: problems })) {
    if (found.length > 0) verdict = 'FAIL';
    failures.push(...found.slice(0, 3).map((one) => `FAIL  ${name}, ${options.store}: ${kind}: ${one}\n`));
  }
  count[verdict] += 1;
  rows.push([name, options.store, ...[acknowledged, refused, lost.length, torn.length].map(String), verdict, seen]);
}

process.stdout.write(`${ruledColumns(rows, [2, 3, 4, 5])}\n${failures.join('')}`);
if (count.skip > 0) process.stdout.write(`${count.skip} skipped\n`);
process.stdout.write(`${count.pass} passed, ${count.FAIL} failed\n`);
process.exitCode = count.FAIL === 0 ? 0 : 1;
