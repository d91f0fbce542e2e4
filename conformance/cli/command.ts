/** The command as a function: arguments and surroundings in, output and an exit code out. */
import { readFileSync } from 'node:fs';
import { loadContract, nearest } from '../engine/contract/load.ts';
import { OptionError } from '../engine/run/known-failures.ts';
import type { Report } from '../engine/run/result.ts';
import { contractFor } from './contract.ts';
import type { Io } from './io.ts';
import { HELP } from './option-table.ts';
import { readOptions } from './options.ts';

export type ExitCode = 0 | 1 | 2;

/** It never throws: an error is one line on stderr, and exit code 2. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await execute(argv, io);
  } catch (error) {
    io.stderr.write(`edge-conformance: ${messageOf(error)}\n`);
    return 2;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof OptionError) {
    return error.message;
  }
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`;
}

async function execute(argv: readonly string[], io: Io): Promise<ExitCode> {
  const options = readOptions([...argv], io.env, io.cwd);
  if (options === 'help') {
    io.stdout.write(HELP);
    return 0;
  }
  const suite = readPackage();
  if (options === 'version') {
    io.stdout.write(`${suite.name} ${suite.version}, contract ${loadContract().version}\n`);
    return 0;
  }
  if (options.explain !== undefined) {
    const { explainFinding } = await import('./explain.ts');
    io.stdout.write(explainFinding(options.explain, options.report ?? '.', io.cwd));
    return 0;
  }
  const contract = await contractFor(options, io.cwd);
  // Modules that make and send requests are loaded only for a run: that takes longer than all the
  // rest.
  if (options.list) {
    const { listRequirements } = await import('./list.ts');
    io.stdout.write(await listRequirements(options, contract, io.cwd));
    return 0;
  }
  const { runAndReport } = await import('./run-and-report.ts');
  return runAndReport(options, contract, suite, io);
}

/** The package that this file is part of, from the sources as from dist/. */
function readPackage(): Report['suite'] {
  const text = readFileSync(nearest('package.json', import.meta.dirname), 'utf8');
  const { name, version } = JSON.parse(text) as Report['suite'];
  return { name, version };
}
