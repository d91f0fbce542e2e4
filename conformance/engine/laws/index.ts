/** The laws of a resource, each under the id that its description gives it. */
import type { Level, Operation } from '../contract/operations.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { echoLaws } from './echo.ts';
import { identityLaws } from './identity.ts';
import { isolationLaws, parentLaws } from './isolation.ts';
import type { Law } from './law.ts';
import { orderLaws, pageLaws } from './pages.ts';
import { raceLaws } from './races.ts';
import { refusedLaws } from './refused.ts';
import type { Call, Resource } from './resource.ts';
import { stableLaws } from './stable.ts';
import { uniqueLaws } from './unique.ts';
import { unknownLaws } from './unknown.ts';
import { updateLaws } from './updates.ts';

export const LAWS = {
  ...echoLaws,
  ...stableLaws,
  ...identityLaws,
  ...unknownLaws,
  ...isolationLaws,
  ...parentLaws,
  ...updateLaws,
  ...uniqueLaws,
  ...refusedLaws,
  ...orderLaws,
  ...pageLaws,
  ...raceLaws,
};

export type LawName = keyof typeof LAWS;

/** Where a law is stated: the id of its requirement, the origin, and the clause of the contract, and its words. */
export type Rule = readonly [id: string, origin: string, clause: string, words?: string];

/** Each law of the kit, or why it says nothing about the resource. */
export type Rules = Readonly<Record<LawName, Rule | string>>;

/** The requirements that follow from the description of a resource, in the order of the rules. */
export function lawsOf(resource: Resource, rules: Partial<Rules>, operations: readonly Operation[]): Requirement[] {
  const levelOf = (call: Call): Level | undefined => {
    const { list, calls } = resource;
    const id = call === 'list' && list.kind === 'embedded' ? list.read : calls[call];
    return operations.find(({ operationId }) => operationId === id)?.level;
  };
  return Object.entries(rules).flatMap(([name, rule]): Requirement[] => {
    if (typeof rule === 'string') return [];
    const law: Law = LAWS[name as LawName];
    const [id, origin, clause, words] = rule;
    const level = law.needs.every((call) => levelOf(call) === 'core') ? 'core' : 'extended';
    const offered = (call: Call) => levelOf(call) === 'core' || (level === 'extended' && levelOf(call) !== undefined);
    return [
      {
        id,
        level,
        origin,
        clause,
        ...(words === undefined ? {} : { words }),
        sentence: law.sentence(resource),
        properties: (implementation) => law.properties(resource, implementation, offered).flat(),
      },
    ];
  });
}
