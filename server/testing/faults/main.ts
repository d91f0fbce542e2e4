/**
 * Does to both stores what happens to machines, and counts what was acknowledged, lost and torn:
 *
 *     node tools/run.js server/testing/faults/main [--rounds N]    how often a server is killed, 50 when omitted
 *
 * Needs root for the disks and a PostgreSQL server for the second store; what cannot be tried is shown as a skip, with
 * the reason. Ends with `N passed, N failed`.
 */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findPostgres, startPostgres } from '../../../tools/postgres.ts';
import {
  ballast,
  fillDisk,
  killDatabase,
  killServer,
  race,
  readOnly,
  type Result,
  slowDisk,
  terminate,
} from './faults.ts';
import { CannotMount, onSmallDisk } from './mount.ts';
import { type Outcome, table } from './outcome.ts';
import { lowdbSubject, postgresSubject, type Subject } from './subject.ts';

const { rounds: text } = parseArgs({ options: { rounds: { type: 'string', default: '50' } } }).values;
const rounds = Number(text);
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write('faults: --rounds must be a whole number from 1 on\n');
  process.exit(2);
}
/** Of faults that are less of a lottery than kill -9 of the server. */
const few = Math.max(1, Math.ceil(rounds / 10));

const outcomes: Outcome[] = [];
/** Of what was not tried to its end. */
const nothing = { rounds: 0, acknowledged: 0, refused: 0, lost: 0, torn: 0, note: '', faults: [] };

async function attempt(fault: string, store: string, work: () => Promise<Result>): Promise<void> {
  process.stderr.write(`${fault}, ${store} …\n`);
  try {
    outcomes.push({ fault, store, ...(await work()) });
  } catch (error) {
    const message = (error as Error).message.split('\n')[0] ?? '';
    if (error instanceof CannotMount) outcomes.push({ fault, store, ...nothing, skipped: message });
    else outcomes.push({ fault, store, ...nothing, faults: [`it broke off: ${message}`] });
  }
}

async function each(make: () => Promise<Subject>, work: (subject: Subject) => Promise<Result>): Promise<Result> {
  const subject = await make();
  try {
    return await work(subject);
  } finally {
    await subject.close();
  }
}

const lowdb = (work: (subject: Subject) => Promise<Result>) => () => each(() => lowdbSubject(), work);

await attempt(
  'kill -9 of the server',
  'lowdb',
  lowdb((subject) => killServer(subject, rounds)),
);
await attempt('full disk', 'lowdb', () =>
  onSmallDisk(6, async (disk) => {
    await ballast(disk, 4096);
    await mkdir(`${disk}/data`);
    return each(
      () => lowdbSubject(`${disk}/data`),
      (subject) => fillDisk(subject, disk, async () => undefined),
    );
  }),
);
await attempt('read-only data folder', 'lowdb', lowdb(readOnly));
await attempt('slow disk', 'lowdb', lowdb(slowDisk));
await attempt(
  'SIGTERM under load',
  'lowdb',
  lowdb((subject) => terminate(subject, few)),
);
await attempt(
  'racing adds',
  'lowdb',
  lowdb((subject) => race(subject, few)),
);

const bin = findPostgres();
if (bin === undefined) {
  outcomes.push({ fault: 'all', store: 'PostgreSQL', ...nothing, skipped: 'no PostgreSQL server is installed' });
} else {
  const server = await startPostgres({ bin });
  const postgres = (work: (subject: Subject) => Promise<Result>) => () => each(() => postgresSubject(server), work);
  await attempt(
    'kill -9 of the server',
    'PostgreSQL',
    postgres((subject) => killServer(subject, rounds)),
  );
  await attempt(
    'kill -9 of PostgreSQL',
    'PostgreSQL',
    postgres((subject) => killDatabase(subject, few)),
  );
  await attempt('full disk', 'PostgreSQL', () =>
    onSmallDisk(160, async (disk) => {
      const small = await startPostgres({
        bin,
        folder: await mkdtemp(`${disk}/postgres-`),
        settings: ['max_wal_size=32MB', 'min_wal_size=32MB'],
      });
      try {
        return await each(
          () => postgresSubject(small),
          async (subject) => {
            await ballast(disk, 4096);
            return fillDisk(subject, disk, async () => {
              if (!small.running()) await small.restart();
            });
          },
        );
      } finally {
        await small.close();
      }
    }),
  );
  await attempt('read-only database', 'PostgreSQL', postgres(readOnly));
  await attempt('slow disk', 'PostgreSQL', postgres(slowDisk));
  await attempt(
    'SIGTERM under load',
    'PostgreSQL',
    postgres((subject) => terminate(subject, few)),
  );
  await attempt(
    'racing adds',
    'PostgreSQL',
    postgres((subject) => race(subject, few)),
  );
  await server.close();
}

process.stdout.write(`${table(outcomes)}\n`);
for (const { fault, store, faults } of outcomes)
  for (const one of faults) process.stdout.write(`FAIL  ${fault}, ${store}: ${one}\n`);
const failed = outcomes.filter(({ faults }) => faults.length > 0).length;
const skipped = outcomes.filter((one) => one.skipped !== undefined).length;
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${outcomes.length - failed - skipped} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
