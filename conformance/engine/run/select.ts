/** The requirements of a run: those of the contract, its level and origin, with filters applied. */
import { type Contract, entry, perContract } from '../contract/load.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Api } from '../requirements/api.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { requirementsOf } from '../requirements/requirements-of.ts';
import { parseName } from './attempt.ts';
import { OptionError } from './known-failures.ts';
import type { Level } from './result.ts';
import type { RunOptions } from './run-options.ts';

/** Deriving them takes a while, and they hold nothing of a run. */
const derived = perContract(() => new WeakMap<Api, Map<string, Requirement[]>>());

function derivedFrom(
  contract: Contract,
  api: Api,
  level: Level,
  prefixes: readonly string[] = [''],
): Requirement[] {
  const known = entry(derived(contract), api, () => new Map<string, Requirement[]>());
  return entry(known, [level, ...prefixes].join('\n'), () =>
    requirementsOf(contract, api, level, prefixes),
  );
}

/** The ids of all requirements, of whichever level and origin. */
export const allIds = (contract: Contract, api: Api): Set<string> =>
  new Set(derivedFrom(contract, api, 'extended').map(({ id }) => id));

/** A requirement of a run; one that is disabled is not tried. */
export interface Selected {
  requirement: Requirement;
  disabled?: string;
}

/** Those of the level and origin of the implementation, with filters applied. @throws OptionError where none is left */
export function select(
  { contract, level, origin }: Pick<Implementation, 'contract' | 'level' | 'origin'>,
  {
    api,
    only,
    within,
    skip,
    replay,
  }: Pick<RunOptions, 'api' | 'only' | 'within' | 'skip' | 'replay'>,
): Selected[] {
  const wanted = only.length > 0 ? only : within;
  const named = wanted.length > 0 ? [...wanted, ...skip.map(({ prefix }) => prefix)] : [''];
  const all = derivedFrom(contract, api, level, replay === undefined ? named : [replay]).filter(
    (one) =>
      (one.level === 'core' || level === 'extended') &&
      (origin === 'all' || one.origin.startsWith('source')),
  );
  if (replay !== undefined) {
    const name = parseName(replay);
    if (!name) {
      throw new OptionError(`--replay ${replay} is not the name of a case; copy it from a failure`);
    }
    const requirement = all.find(({ id }) => id === name.id);
    if (requirement) {
      return [{ requirement }];
    }
    throw new OptionError(
      `--replay ${replay} names no requirement of this level and origin; copy it from a failure`,
    );
  }
  const filters = [
    ...only.map((prefix) => ['only', prefix]),
    ...skip.map(({ prefix }) => ['skip', prefix]),
  ];
  for (const [option, prefix] of filters as [string, string][]) {
    if (!all.some(({ id }) => id.startsWith(prefix))) {
      throw new OptionError(
        `--${option} ${prefix} matches no requirement of this level and origin; --list shows them`,
      );
    }
  }
  const isAmong = (prefixes: readonly string[], id: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix));
  const chosen = all.filter(({ id }) => isAmong(only, id) && isAmong(within, id));
  if (chosen.length === 0 && within.length > 0) {
    throw new OptionError('--only names nothing of what --path, --method and --tag choose');
  }
  return chosen.map((requirement) => {
    const skipped = skip.find(({ prefix }) => requirement.id.startsWith(prefix));
    if (skipped) {
      return { requirement, disabled: skipped.reason };
    }
    return { requirement };
  });
}
