/**
 * `--list`. It uses no module that sends requests or writes reports: to load those takes longer
 * than all the rest.
 */
import type { Contract } from '../engine/contract/load.ts';
import { clauseLine } from '../engine/report/words.ts';
import { describe } from '../engine/run/attempt.ts';
import { select } from '../engine/run/select.ts';
import { apiFor } from './choose-api.ts';
import { chosenOperations } from './chosen-operations.ts';
import type { Options } from './options.ts';

/**
 * Every requirement, with its place in the contract and the file of the suite that states it: in
 * lines whose columns are separated by tabs, or in JSON.
 * @throws OptionError for options that name nothing
 */
export async function listRequirements(
  options: Options,
  contract: Contract,
  cwd: string,
): Promise<string> {
  const { api } = await apiFor(contract, options, cwd);
  const within = chosenOperations(contract, options);
  const scope = { contract, level: options.level ?? 'extended', origin: options.origin };
  const rows = select(scope, { ...options, within, api }).map(({ requirement }) => {
    return { ...describe(requirement, contract), file: requirement.file };
  });
  if (options.format === 'json') {
    return `${JSON.stringify(rows, null, 2)}\n`;
  }
  let lines = '';
  for (const row of rows) {
    const columns = [row.id, row.level, row.origin, clauseLine(row), row.file, row.sentence];
    lines += `${columns.join('\t')}\n`;
  }
  return lines;
}
