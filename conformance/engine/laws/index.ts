/** The laws of a resource, and the requirements that follow from them. */
import { includesLevel, type Level, type Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { besideLaws } from './beside.ts';
import { changedTimeLaws } from './changed-times.ts';
import { childLaws } from './children.ts';
import { echoLaws } from './echo.ts';
import { identityLaws } from './identity.ts';
import { type Law, propertiesOn } from './law.ts';
import { membersAtOnceLaws } from './members-at-once.ts';
import { withoutNames } from './named-members.ts';
import { mergePatchLaws } from './merge-patch.ts';
import { noticedLaws } from './noticed.ts';
import { pageLaws } from './pages.ts';
import { raceInsideLaws } from './race-inside.ts';
import { raceLaws } from './races.ts';
import { nestedRaceLaws } from './race-nested.ts';
import { readOnlyLaws } from './read-only.ts';
import { refusedLaws } from './refused.ts';
import { refusedReasonLaws } from './refused-reasons.ts';
import { childrenOf, levelOf, type Resource, type ResourceCall } from './resource.ts';
import { spellingLaws } from './spellings.ts';
import { actionLaws } from './actions.ts';
import { conflictLaws } from './conflicts.ts';
import { idLaws } from './ids.ts';
import { listedItemLaws } from './listed-items.ts';
import { placeLaws } from './places.ts';
import { removedListedLaws } from './removed-listed.ts';
import { restoredConflictLaws } from './restored-conflicts.ts';
import { removedValueLaws } from './removed-values.ts';
import { unusualValueLaws } from './unusual-values.ts';
import { defaultSizeLaws } from './default-size.ts';
import { filterLaws } from './filters.ts';
import { smallPageLaws } from './small-pages.ts';
import { sortingLaws } from './sorting.ts';
import { statedFilterLaws } from './stated-filters.ts';
import { timeFilterLaws } from './time-filters.ts';
import { statedOrderLaws } from './stated-order.ts';
import { uniqueLaws } from './unique.ts';
import { unknownLaws } from './unknown.ts';
import { updateLaws } from './updates.ts';

/** Laws that hold of any resource. */
export const COMMON_LAWS = {
  ...echoLaws,
  ...spellingLaws,
  ...identityLaws,
  ...uniqueLaws,
  ...unknownLaws,
  ...childLaws,
  ...updateLaws,
  ...refusedLaws,
  ...besideLaws,
  ...noticedLaws,
  ...pageLaws,
  ...raceLaws,
  ...raceInsideLaws,
};

/** Laws of what a contract may state of a resource, beside its calls. */
export const STATED_LAWS = {
  ...unusualValueLaws,
  ...placeLaws,
  ...idLaws,
  ...conflictLaws,
  ...removedValueLaws,
  ...listedItemLaws,
  ...filterLaws,
  ...statedFilterLaws,
  ...timeFilterLaws,
  ...sortingLaws,
  ...statedOrderLaws,
  ...defaultSizeLaws,
  ...smallPageLaws,
  ...actionLaws,
  ...refusedReasonLaws,
  ...nestedRaceLaws,
  ...membersAtOnceLaws,
  ...readOnlyLaws,
  ...changedTimeLaws,
  ...mergePatchLaws,
  ...removedListedLaws,
  ...restoredConflictLaws,
};

/** All laws, by the names under which the description of a resource states them. */
export const LAWS = { ...COMMON_LAWS, ...STATED_LAWS };

export type LawName = keyof typeof LAWS;

const DEFAULT_NEEDS: readonly ResourceCall[] = ['create', 'read', 'update'];

/** The place at which a law is stated. */
export interface Rule {
  /** The id of the requirement. */
  id: string;
  /** The origin of the rule: a section of the source document, or a decision. */
  origin: string;
  /** JSON Pointer of the clause of the contract. */
  clause: string;
  /**
   * The beginning of the sentence that states it, if the clause is a description of several
   * sentences.
   */
  words?: string;
}

/** The place at which each law is stated, or the reason why it does not apply to the resource. */
export type Rules = Readonly<Record<LawName, Rule | string>>;

/** The requirements that follow from the description of a resource, in the order of the rules. */
export function lawsOfResource(
  resource: Resource,
  rules: Partial<Rules>,
  operations: readonly Operation[],
): Requirement[] {
  const requirements: Requirement[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    const applies = typeof rule !== 'string';
    if (applies) {
      requirements.push(requirementFrom(LAWS[name as LawName], rule, resource, operations));
    }
  }
  return requirements;
}

/** The level of all calls that the law needs. */
function levelNeeded(
  { needs = DEFAULT_NEEDS, needsInside = [] }: Law,
  resource: Resource,
  operations: readonly Operation[],
): Level {
  const levels = needs.map((call) => levelOf(resource, operations, call));
  if (needsInside.length > 0) {
    const { resource: inner } = childrenOf(resource);
    levels.push(...needsInside.map((call) => levelOf(inner, operations, call)));
  }
  return levels.every((level) => level === 'core') ? 'core' : 'extended';
}

/** The requirement that follows from a law. It is core if all calls that the law needs are core. */
export function requirementFrom(
  law: Law,
  rule: Rule,
  resource: Resource,
  operations: readonly Operation[],
): Requirement {
  const { id, origin, clause, words } = rule;
  const { properties } = law;
  const level = levelNeeded(law, resource, operations);
  const isOffered = (call: ResourceCall) => {
    const callLevel = levelOf(resource, operations, call);
    return callLevel !== undefined && includesLevel(level, callLevel);
  };
  const requirement: Requirement = {
    id,
    level,
    origin,
    clause,
    sentence: law.sentence(resource),
    properties: (implementation: Implementation) => {
      const tried = withoutNames(resource, implementation, law.tellsNames);
      const stated =
        typeof properties === 'function'
          ? properties(tried, implementation, isOffered)
          : properties;
      return propertiesOn(tried, stated);
    },
  };
  if (words !== undefined) {
    requirement.words = words;
  }
  return requirement;
}
