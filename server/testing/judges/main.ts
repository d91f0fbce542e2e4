/**
 * Schemathesis, which others wrote and which knows nothing but the contract, against the reference server:
 *
 *     node tools/run.js server/testing/judges/main [--seeds N] [--first-seed N] [--examples N] [--store lowdb|postgresql]
 *
 * On each store, each seed gets a new server with no data. Ends with `N passed, N failed`; exits with 0 when none failed,
 * with 1 when one did, with 2 when it could not judge.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, missing } from '../../../tools/shell.ts';
import { readContract } from '../../contract.ts';
import { findPostgres, startPostgres } from '../postgres.ts';
import { startServer } from '../server-process.ts';
import { readReport } from './report.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';
import { table, tally, type Verdict, verdictOf } from './verdict.ts';

const HELP = `Tries the reference server with Schemathesis.

  node tools/run.js server/testing/judges/main [OPTIONS]

  --seeds N        so many runs on each store (default 5)
  --first-seed N   the seed of the first run, the others count up from it (default 1)
  --examples N     at most so many cases of each operation in fuzzing and stateful runs (default 200)
  --store NAME     lowdb or postgresql; both when left out, PostgreSQL where it is installed

It needs Python 3.10 or newer, and keeps Schemathesis in the cache folder. The reports of a run that failed are kept.
`;

interface Options {
  seeds: number[];
  examples: number;
  stores: string[];
}

class BadOption extends Error {}

/** @throws BadOption */
function readOptions(): Options | undefined {
  const options = {
    seeds: { type: 'string', default: '5' },
    'first-seed': { type: 'string', default: '1' },
    examples: { type: 'string', default: '200' },
    store: { type: 'string' },
    help: { type: 'boolean', default: false },
  } as const;
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new BadOption((error as Error).message);
  }
  if (values.help) return undefined;
  const whole = (name: 'seeds' | 'first-seed' | 'examples') => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 1) throw new BadOption(`--${name} must be a whole number from 1 on`);
    return number;
  };
  if (values.store !== undefined && !['lowdb', 'postgresql'].includes(values.store))
    throw new BadOption('--store must be lowdb or postgresql');
  const first = whole('first-seed');
  return {
    seeds: Array.from({ length: whole('seeds') }, (_, index) => first + index),
    examples: whole('examples'),
    stores: values.store === undefined ? ['lowdb', 'postgresql'] : [values.store],
  };
}

const TOKEN = 'judge-token';

interface Store {
  name: string;
  /** The environment of a server that begins with no data; `folder` is empty and its own. */
  environment(folder: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const lowdb: Store = {
  name: 'lowdb',
  environment: async (folder) => ({ DATA_DIR: folder, DATABASE_URL: '' }),
  close: async () => undefined,
};

async function postgresql(bin: string): Promise<Store> {
  const server = await startPostgres({ bin, settings: ['fsync=off'] });
  return {
    name: 'PostgreSQL',
    environment: async () => ({ DATA_DIR: '', DATABASE_URL: await server.createDatabase() }),
    close: () => server.close(),
  };
}

async function judge(store: Store, program: string, seed: number, { examples }: Options): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), `edge-judge-${store.name.toLowerCase()}-${seed}-`));
  const [data, reports] = [join(folder, 'data'), join(folder, 'reports')];
  await mkdir(data);
  await mkdir(reports);
  const server = await startServer({
    args: ['--log-level', 'silent'],
    env: { ...(await store.environment(data)), API_TOKEN: TOKEN, NODE_ENV: 'test' },
  });
  try {
    const files = await runSchemathesis({ program, url: server.url, token: TOKEN, seed, examples, folder: reports });
    const report = await readReport(files.events, files.summary);
    const verdict = verdictOf(report, readContract().operations.length);
    for (const warning of report.warnings) process.stdout.write(`${store.name}, seed ${seed}, warning: ${warning}\n`);
    if (tally([verdict]).failed === 0) await rm(folder, { recursive: true, force: true });
    else process.stdout.write(`\n${failuresIn(files.text)}\nAll of it: ${reports}\n`);
    return verdict;
  } finally {
    await server.end('SIGTERM');
    await rm(data, { recursive: true, force: true });
  }
}

/** From what it wrote for people: the failures, each with a curl command, and the summary. */
function failuresIn(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^=+ (FAILURES|ERRORS) =+$/.test(line));
  return lines.slice(Math.max(0, start)).slice(0, 300).join('\n');
}

async function main(): Promise<number> {
  const options = readOptions();
  if (!options) {
    process.stdout.write(HELP);
    return 0;
  }
  const absent = missing(['python3']);
  if (absent.length > 0) throw new CommandError(`${absent.join(', ')} is not installed`);
  const program = await installSchemathesis();
  const verdicts: Verdict[] = [];
  for (const name of options.stores) {
    const bin = name === 'postgresql' ? findPostgres() : undefined;
    if (name === 'postgresql' && bin === undefined) {
      if (options.stores.length === 1) throw new CommandError('PostgreSQL is not installed');
      process.stdout.write('\nPostgreSQL: skipped, since it is not installed\n');
      continue;
    }
    const store = bin === undefined ? lowdb : await postgresql(bin);
    try {
      const ofStore: Verdict[] = [];
      for (const seed of options.seeds) {
        process.stderr.write(`${store.name}, seed ${seed} …\n`);
        const started = performance.now();
        ofStore.push(await judge(store, program, seed, options));
        process.stderr.write(`${store.name}, seed ${seed}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
      }
      process.stdout.write(
        `\n${store.name}, ${options.examples} examples: cases that each check saw\n\n${table(options.seeds, ofStore)}\n`,
      );
      options.seeds.forEach((seed, index) => {
        for (const fault of ofStore[index]!.faults)
          process.stdout.write(`FAIL  ${store.name}, seed ${seed}: ${fault}\n`);
      });
      verdicts.push(...ofStore);
    } finally {
      await store.close();
    }
  }
  const { passed, failed } = tally(verdicts);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof CommandError) && !(error instanceof BadOption)) throw error;
  process.stderr.write(`judge:server: ${error.message}\n`);
  process.exitCode = 2;
}
