/**
 * Sends to a server what no client should, by kinds, over raw sockets, while a well-behaved client works on:
 *
 *     node tools/run.js server/testing/hostile/main [--seed N] [--rounds N] [--only KIND] [--json FILE]
 *
 * Of each case, the server refuses with 4xx (505 where HTTP has it) or closes; it never sends 5xx, keeps to a bound of
 * memory, serves the well-behaved client, stores nothing and logs no error and no secret. Ends with `N passed, N failed`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openFileLimit } from '../../limits.ts';
import { startGoodClient } from './good-client.ts';
import { kindsFor } from './kinds/index.ts';
import { MOST_MEMORY, type Outcome, table } from './outcome.ts';
import { attack } from './attack.ts';
import { startServerToAttack, TOKEN } from './server.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string', default: '500' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const rounds = Number(values.rounds);
if (!Number.isInteger(seed) || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('fuzz: --seed and --rounds must be whole numbers, rounds from 1 on\n');
  process.exit(2);
}

const attacked = await startServerToAttack();
const good = await startGoodClient(attacked);
/** As good as none where there is no limit. */
const files = Math.min(openFileLimit(), 1_000_000);
const outcomes: Outcome[] = [];
try {
  const kinds = kindsFor(attacked, { seed, rounds, openFiles: files }).filter(
    ({ name }) => values.only === undefined || name.includes(values.only),
  );
  for (const kind of kinds) {
    process.stderr.write(`${kind.name} …\n`);
    outcomes.push(await attack(kind, attacked, { port: attacked.port, token: TOKEN, rounds, openFiles: files }, good));
  }
} finally {
  await good.stop();
  await attacked.close();
}

process.stdout.write(`${table(outcomes)}\n`);
for (const { kind, problems } of outcomes) {
  for (const problem of problems.slice(0, 10)) process.stdout.write(`FAIL  ${kind}: ${problem}\n`);
  if (problems.length > 10) process.stdout.write(`FAIL  ${kind}: ${problems.length - 10} more\n`);
}
const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
process.stdout.write(
  `seed ${seed}, ${files} open files allowed, ${MOST_MEMORY} MiB at most\n${outcomes.length - failed} passed, ${failed} failed\n`,
);
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ seed, rounds, openFiles: files, kinds: outcomes }, null, 2)}\n`);
process.exitCode = failed === 0 && outcomes.length > 0 ? 0 : 1;
