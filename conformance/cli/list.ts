/** `--list`: it needs nothing that sends requests or writes reports, which takes longer to load than all the rest. */
import { apiFor, chosenOperations } from './choose-api.ts';
import type { Contract } from '../engine/contract/load.ts';
import { clauseLine } from '../engine/report/words.ts';
import { describe } from '../engine/run/attempt.ts';
import { select } from '../engine/run/select.ts';
import type { Options } from './options.ts';

/** Every requirement, with its place in the contract and its file. @throws OptionError for options that name nothing */
export async function listRequirements(
  options: Options,
  contract: Contract,
  cwd: string,
): Promise<string> {
  const { api } = await apiFor(contract, options, cwd);
  const target = { contract, level: options.level ?? 'extended', origin: options.origin };
  const chosen = { ...options, within: chosenOperations(contract, options), api };
  const rows = select(target, chosen).map(({ requirement: one }) => ({
    ...describe(one, contract),
    file: one.file,
  }));
  if (options.format === 'json') {
    return `${JSON.stringify(rows, null, 2)}\n`;
  }
  const lines = rows.map((row) =>
    [row.id, row.level, row.origin, clauseLine(row), row.file, row.sentence].join('\t'),
  );
  return lines.map((line) => `${line}\n`).join('');
}
