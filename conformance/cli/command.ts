/** The command as a function: arguments and surroundings in, output and an exit code out. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Contract, loadAnyContract, loadContract, nearest } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { HELP, OptionError, type Options, readOptions } from './options.ts';
import type { Report } from '../engine/run/result.ts';
import type { Io } from './run-and-report.ts';

/** It never throws: an error is one line on stderr, and exit code 2. */
export async function main(argv: readonly string[], io: Io): Promise<0 | 1 | 2> {
  try {
    return await execute(argv, io);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    io.stderr.write(
      `edge-conformance: ${error instanceof OptionError ? message : `unexpected: ${message}`}\n`,
    );
    return 2;
  }
}

async function execute(argv: readonly string[], io: Io): Promise<0 | 1 | 2> {
  const options = readOptions([...argv], io.env, io.cwd);
  // The package that this file is part of, from the sources as from dist/.
  const text = readFileSync(nearest('package.json', import.meta.dirname), 'utf8');
  const { name, version } = JSON.parse(text) as Report['suite'];
  const print = (shown: string) => {
    io.stdout.write(shown);
    return 0 as const;
  };
  if (options === 'help') {
    return print(HELP);
  }
  if (options === 'version') {
    return print(`${name} ${version}, contract ${loadContract().version}\n`);
  }
  const contract = await contractFor(options, io);
  // Modules that make and send requests are loaded where they are needed: that takes longer than all the rest.
  if (options.list) {
    return print(await (await import('./list.ts')).listRequirements(options, contract, io.cwd));
  }
  return (await import('./run-and-report.ts')).runAndReport(
    options,
    contract,
    { name, version },
    io,
  );
}

/** @throws OptionError for a contract that cannot be used */
export async function contractFor(
  { contract, references }: Options,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<Contract> {
  const placeOf = (place: string) => (/^https?:/i.test(place) ? place : resolve(cwd, place));
  if (contract === undefined) {
    return loadContract();
  }
  try {
    const loaded = await loadAnyContract(placeOf(contract), references.map(placeOf));
    operationsOf(loaded);
    return loaded;
  } catch (error) {
    throw new OptionError(`--contract ${contract}: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}
