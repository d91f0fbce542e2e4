/** The laws of a resource, each under the id that its description gives it. */
import type { Level, Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { echoLaws } from './echo.ts';
import { identityLaws } from './identity.ts';
import { casesOn, type Law } from './steps.ts';
import { pageLaws } from './pages.ts';
import { raceLaws } from './races.ts';
import { refusedLaws } from './refused.ts';
import { type ResourceCall, levelOf, type Resource } from './resource.ts';
import { unknownLaws } from './unknown.ts';
import { updateLaws } from './updates.ts';

export const LAWS = {
  ...echoLaws,
  ...identityLaws,
  ...unknownLaws,
  ...updateLaws,
  ...refusedLaws,
  ...pageLaws,
  ...raceLaws,
};

export type LawName = keyof typeof LAWS;

/** Where a law is stated. */
export interface Rule {
  /** The id of the requirement. */
  id: string;
  /** Where the rule comes from: a section of the source document, or a decision. */
  origin: string;
  /** JSON Pointer of the clause of the contract. */
  clause: string;
  /** How the sentence begins that states it, where the clause is a description of several sentences. */
  words?: string;
}

/** Where each law is stated, or the reason why it does not apply to the resource. */
export type Rules = Readonly<Record<LawName, Rule | string>>;

/** The requirements that follow from the description of a resource, in the order of the rules. */
export function lawsOfResource(
  resource: Resource,
  rules: Partial<Rules>,
  operations: readonly Operation[],
): Requirement[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    if (typeof rule === 'string') {
      return [];
    }
    return [requirementFrom(LAWS[name as LawName], rule, resource, operations)];
  });
}

export function requirementFrom(
  law: Law,
  rule: Rule,
  resource: Resource,
  operations: readonly Operation[],
) {
  const { id, origin, clause, words } = rule;
  const isCore = (call: ResourceCall) => levelOf(resource, operations, call) === 'core';
  const { needs = ['create', 'read', 'update'], properties: cases } = law;
  const level: Level = needs.every(isCore) ? 'core' : 'extended';
  const offered = (call: ResourceCall) =>
    isCore(call) || (level === 'extended' && levelOf(resource, operations, call) !== undefined);
  const properties = (implementation: Implementation) =>
    casesOn(
      resource,
      typeof cases === 'function' ? cases(resource, implementation, offered) : cases,
    );
  const sentence = law.sentence(resource);
  return {
    id,
    level,
    origin,
    clause,
    ...(words === undefined ? {} : { words }),
    sentence,
    properties,
  };
}
