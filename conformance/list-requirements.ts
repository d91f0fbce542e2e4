/** `--list`: every requirement, with its level, its origin and its place in the contract. */
import { describe } from './engine/run/attempt.ts';
import { apiFor } from './choose-api.ts';
import type { Contract } from './engine/contract/load.ts';
import { clauseLine } from './engine/report/words.ts';
import type { Options } from './options.ts';
import { select } from './engine/run/run.ts';

/** @throws OptionError for options that name nothing */
export function listRequirements(options: Options, contract: Contract): string {
  const { api } = apiFor(contract, options);
  const target = { contract, level: options.level ?? 'extended', origin: options.origin };
  const rows = select(target, { ...options, api }).map(({ requirement }) => describe(requirement, target));
  if (options.format === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  return rows.map((row) => `${row.id}\t${row.level}\t${row.origin}\t${clauseLine(row)}\t${row.sentence}\n`).join('');
}
