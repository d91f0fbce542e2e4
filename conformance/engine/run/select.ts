/** The requirements of a run: those of the contract, its level and origin, with filters applied. */
import { type Contract, entry, perContract } from '../contract/load.ts';
import { includesLevel, operationsOf } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Api } from '../requirements/api.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { requirementsOf } from '../requirements/requirements-of.ts';
import { parseCaseName } from './case-name.ts';
import { beginningOf, matches, matchesGlob } from './id-patterns.ts';
import { OptionError } from './known-failures.ts';
import type { Level } from './result.ts';
import { leftOutOperations } from './left-out.ts';
import type { RunOptions } from './run-options.ts';

/**
 * Derived once for each contract, API, level and filter: it takes a while, and the requirements
 * keep nothing of a run.
 */
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

/** The ids of all requirements, of any level and origin. */
export function allIds(contract: Contract, api: Api): Set<string> {
  const requirements = derivedFrom(contract, api, 'extended');
  return new Set(requirements.map(({ id }) => id));
}

/** A requirement of a run; one that is disabled is not tried. */
export interface Selected {
  requirement: Requirement;
  disabled?: string;
}

type Scope = Pick<Implementation, 'contract' | 'level' | 'origin'>;
type Filters = Pick<RunOptions, 'api' | 'only' | 'within' | 'skip' | 'replay' | 'allow'>;

/**
 * Those of the level and origin of the implementation, with filters applied.
 * @throws OptionError if none is left
 */
export function select(scope: Scope, filters: Filters): Selected[] {
  const { only, within, skip, replay } = filters;
  expectOperations(scope.contract, filters.allow);
  const inScope = requirementsIn(scope, filters);
  if (replay !== undefined) {
    return [{ requirement: replayed(replay, inScope, scope) }];
  }
  expectMatches('only', only, inScope, scope);
  expectMatches('skip', patternsOf(skip), inScope, scope);
  const chosen = inScope.filter(
    ({ id }) => isAmong(only, id, matches) && isAmong(within, id, startsWith),
  );
  if (chosen.length === 0 && within.length > 0) {
    throw new OptionError('--only names nothing of what --path, --method and --tag choose');
  }
  const leftOut = leftOutOperations(scope.contract, filters.allow);
  return chosen.map((requirement): Selected => {
    const { id } = requirement;
    const skipped = skip.find(({ pattern }) => matches(pattern, id));
    const harmful = leftOut.find(({ operationId }) => id.startsWith(`${operationId}.`));
    const reason = skipped?.reason ?? harmful?.reason;
    if (reason !== undefined) {
      return { requirement, disabled: reason };
    }
    return { requirement };
  });
}

/** @throws OptionError if a glob of `--allow` names no operation */
function expectOperations(contract: Contract, allow: readonly string[]): void {
  const operations = operationsOf(contract);
  for (const glob of allow) {
    if (!operations.some(({ operationId }) => matchesGlob([glob], operationId))) {
      throw new OptionError(
        `--allow ${glob} matches no operation of the contract; --survey shows them`,
      );
    }
  }
}

/** Those of the level and origin. Only the operations that a filter names are looked at. */
function requirementsIn({ contract, level, origin }: Scope, filters: Filters): Requirement[] {
  const all = derivedFrom(contract, filters.api, level, prefixesIn(filters));
  return all.filter((one) => {
    const isOfLevel = includesLevel(level, one.level);
    const isOfOrigin = origin === 'all' || one.origin.startsWith('source');
    return isOfLevel && isOfOrigin;
  });
}

/** The beginnings of the ids that the filters name. */
function prefixesIn({ only, within, skip, replay }: Filters): readonly string[] {
  if (replay !== undefined) {
    return [replay];
  }
  const wanted = only.length > 0 ? only.map(beginningOf) : within;
  if (wanted.length > 0) {
    return [...wanted, ...patternsOf(skip).map(beginningOf)];
  }
  return [''];
}

const patternsOf = (skip: Filters['skip']): string[] => skip.map(({ pattern }) => pattern);

function replayed(replay: string, requirements: readonly Requirement[], scope: Scope): Requirement {
  const name = parseCaseName(replay);
  if (!name) {
    throw new OptionError(`--replay ${replay} is not the name of a case; copy it from a failure`);
  }
  const requirement = requirements.find(({ id }) => id === name.id);
  if (!requirement) {
    throw new OptionError(
      `--replay ${replay} names no requirement ${inWords(scope)}; copy it from a failure`,
    );
  }
  return requirement;
}

function expectMatches(
  option: 'only' | 'skip',
  patterns: readonly string[],
  requirements: readonly Requirement[],
  scope: Scope,
): void {
  for (const pattern of patterns) {
    if (!requirements.some(({ id }) => matches(pattern, id))) {
      throw new OptionError(
        `--${option} ${pattern} matches no requirement ${inWords(scope)}; --list shows them`,
      );
    }
  }
}

/** Such as `of level core`: a higher level has more. */
function inWords({ level, origin }: Scope): string {
  return origin === 'all' ? `of level ${level}` : `of level ${level} and origin ${origin}`;
}

/** Whether an id is one of the patterns, if there are any. */
function isAmong(
  patterns: readonly string[],
  id: string,
  isOf: (pattern: string, id: string) => boolean,
): boolean {
  return patterns.length === 0 || patterns.some((pattern) => isOf(pattern, id));
}

const startsWith = (prefix: string, id: string): boolean => id.startsWith(prefix);
