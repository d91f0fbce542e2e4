/**
 * Schemathesis, which knows nothing but the contract, against the reference server:
 *
 *     node tools/run.js server/testing/schemathesis/main [--seeds N] [--first-seed N] [--examples N] [--store NAME]
 *
 * On each store, each seed gets a new server with no data. Ends with `N passed, N failed`; exits with 0 when no run failed,
 * with 1 when one did, with 2 when it could not run.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { CommandError, missing } from '../../../tools/shell.ts';
import { readContract } from '../../contract.ts';
import { findPostgres, startPostgres } from '../../../tools/postgres.ts';
import { startServer } from '../../../tools/reference-server.ts';
import { readResult, type Result } from './result.ts';
import { installSchemathesis, runSchemathesis } from './run.ts';

const HELP = `Tries the reference server with Schemathesis.

  node tools/run.js server/testing/schemathesis/main [OPTIONS]

  --seeds N        so many runs on each store (default 5)
  --first-seed N   the seed of the first run, the others count up from it (default 1)
  --examples N     at most so many cases of each operation in fuzzing and stateful runs (default 200)
  --store NAME     lowdb or postgresql; both when omitted, PostgreSQL where it is installed

It needs Python 3.10 or newer, and keeps Schemathesis in the cache folder. The reports of a run that failed are kept.
`;

const STORES = ['lowdb', 'postgresql'];
const TOKEN = 'schemathesis-token';

interface Options {
  seeds: number[];
  examples: number;
  stores: string[];
}

/** @throws CommandError */
function readOptions(): Options | undefined {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const options = {
    seeds: text('5'),
    'first-seed': text('1'),
    examples: text('200'),
    store: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
  if (values.help) return undefined;
  const whole = (name: 'seeds' | 'first-seed' | 'examples'): number => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 1) throw new CommandError(`--${name} must be a whole number from 1 on`);
    return number;
  };
  if (values.store !== undefined && !STORES.includes(values.store))
    throw new CommandError(`--store must be ${STORES.join(' or ')}`);
  const first = whole('first-seed');
  return {
    seeds: Array.from({ length: whole('seeds') }, (_, index) => first + index),
    examples: whole('examples'),
    stores: values.store === undefined ? STORES : [values.store],
  };
}

interface Run {
  program: string;
  store: string;
  seed: number;
  examples: number;
  /** Of a server that begins with no data, beside its folder. */
  env: Record<string, string>;
}

async function tryServer({ program, store, seed, examples, env }: Run): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `edge-schemathesis-${store}-${seed}-`));
  const [data, reports] = [join(folder, 'data'), join(folder, 'reports')];
  await mkdir(reports);
  const place = env['DATABASE_URL'] ? [] : ['--data-dir', data];
  const server = await startServer({
    args: ['--log-level', 'silent', ...place],
    env: { DATABASE_URL: '', DATA_DIR: '', ...env, API_TOKEN: TOKEN, VALIDATE_RESPONSES: 'on' },
  });
  try {
    const files = await runSchemathesis({ program, url: server.url, token: TOKEN, seed, examples, folder: reports });
    const result = await readResult(files, readContract().operations.length);
    for (const warning of result.warnings) process.stdout.write(`${store}, seed ${seed}, warning: ${warning}\n`);
    if (result.problems.length > 0) process.stdout.write(`\n${failuresIn(files.text)}\nAll of it: ${reports}\n`);
    else await rm(folder, { recursive: true });
    return result;
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

/** The results of all seeds on one store. */
async function tryStore(store: string, program: string, { seeds, examples }: Options): Promise<Result[]> {
  const bin = findPostgres();
  if (store === 'postgresql' && bin === undefined) throw new CommandError('PostgreSQL is not installed');
  const database = store === 'postgresql' ? await startPostgres({ bin: bin!, settings: ['fsync=off'] }) : undefined;
  try {
    const results: Result[] = [];
    for (const seed of seeds) {
      process.stderr.write(`${store}, seed ${seed} …\n`);
      const env: Record<string, string> = database ? { DATABASE_URL: await database.createDatabase() } : {};
      results.push(await tryServer({ program, store, seed, examples, env }));
    }
    return results;
  } finally {
    await database?.close();
  }
}

function report(store: string, { seeds, examples }: Options, results: readonly Result[]): void {
  const names = [...new Set(results.flatMap(({ cases }) => [...cases.keys()]))];
  const rows = names.map((name) => [name, ...results.map(({ cases }) => String(cases.get(name) ?? 0))]);
  const head = ['check', ...seeds.map((seed) => `seed ${seed}`)];
  const numbers = seeds.map((_, index) => index + 1);
  process.stdout.write(`\n${store}, ${examples} examples: cases that each check saw\n\n`);
  process.stdout.write(`${ruledColumns([head, ...rows], numbers)}\n\n`);
  for (const [index, { problems }] of results.entries())
    for (const problem of problems) process.stdout.write(`FAIL  ${store}, seed ${seeds[index]}: ${problem}\n`);
}

async function main(): Promise<number> {
  const options = readOptions();
  if (!options) {
    process.stdout.write(HELP);
    return 0;
  }
  if (missing(['python3']).length > 0) throw new CommandError('python3 is not installed');
  const program = await installSchemathesis();
  const results: Result[] = [];
  for (const store of options.stores) {
    if (store === 'postgresql' && options.stores.length > 1 && findPostgres() === undefined) {
      process.stdout.write('postgresql: skipped, because it is not installed\n');
      continue;
    }
    const ofStore = await tryStore(store, program, options);
    report(store, options, ofStore);
    results.push(...ofStore);
  }
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`schemathesis: ${error.message}\n`);
  process.exitCode = 2;
}
