/** `--list`: every requirement, with its level, its origin and its place in the contract. */
import { describe } from './engine/run/attempt.ts';
import { checkKnowledge } from './api/check-knowledge.ts';
import { EDGE_API } from './api/index.ts';
import type { Contract } from './engine/contract/load.ts';
import type { Options } from './options.ts';
import { select } from './engine/run/run.ts';

/** @throws OptionError for options that name nothing */
export function listRequirements(options: Options, contract: Contract): string {
  checkKnowledge(options, contract);
  const target = { contract, level: options.level ?? 'extended', origin: options.origin };
  const rows = select(target, { ...options, api: EDGE_API }).map(({ requirement }) => describe(requirement, target));
  if (options.format === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  return rows
    .map(
      ({ id, level, origin, clause, sentence }) =>
        `${id}\t${level}\t${origin}\topenapi.yaml:${clause.line}\t${sentence}\n`,
    )
    .join('');
}
