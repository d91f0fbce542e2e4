/** Runs Schemathesis, the pinned version, with every check, every phase, right and wrong data. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder, readContract } from '../../contract.ts';
import { pythonProgram } from '../../../tools/python.ts';
import { run } from '../../../tools/shell.ts';

const VERSION = '4.32.5';
/** A run of 200 examples takes minutes; what takes this long hangs. */
const LIMIT_MS = 6 * 3_600_000;
const FOLDER = join(packageFolder(), 'server', 'testing', 'schemathesis');

/**
 * The program, in a virtual environment that is made once.
 * @throws {CommandError} when it cannot be made
 */
export async function installSchemathesis(): Promise<string> {
  return join(await pythonProgram('schemathesis', VERSION, join(FOLDER, 'requirements.txt')), 'bin', 'schemathesis');
}

export interface Run {
  program: string;
  url: string;
  token: string;
  seed: number;
  /** At most so many cases of each operation, in fuzzing and in stateful runs. */
  examples: number;
  /** An empty folder, for its reports. */
  folder: string;
}

export interface Files {
  /** Every request with the result of each check, a line for each scenario. */
  events: string;
  summary: string;
  /** What it wrote for people. */
  text: string;
}

/** @throws {CommandError} when it ends in another way than with a result */
export async function runSchemathesis({ program, url, token, seed, examples, folder }: Run): Promise<Files> {
  const root = packageFolder();
  const events = join(folder, 'events.ndjson');
  const summary = join(folder, 'summary.json');
  // The contract lets a service run open. This one asks for a token, and without it the check of that has no case.
  const contract = join(folder, 'openapi.json');
  writeFileSync(contract, JSON.stringify({ ...readContract().document, security: [{ bearerAuth: [] }] }));
  const options = {
    '--url': url,
    '--header': `Authorization: Bearer ${token}`,
    '--checks': 'all',
    '--phases': 'examples,coverage,fuzzing,stateful',
    '--mode': 'all',
    '--seed': String(seed),
    '--max-examples': String(examples),
    '--generation-database': 'none',
    // A loaded machine is slow, not wrong.
    '--request-timeout': '120',
    '--suppress-health-check': 'too_slow',
    '--report': 'ndjson,json',
    '--report-ndjson-path': events,
    '--report-json-path': summary,
  };
  const { output } = await run({
    command: program,
    args: [
      ...['--config-file', join(root, 'schemathesis.toml'), 'run', contract],
      ...Object.entries(options).flat(),
      ...['--continue-on-failure', '--no-color'],
    ],
    // It leaves files of its own where it runs.
    cwd: folder,
    env: { SCHEMATHESIS_HOOKS: join(FOLDER, 'hooks.py') },
    codes: [0, 1],
    limitMs: LIMIT_MS,
  });
  return { events, summary, text: output };
}
