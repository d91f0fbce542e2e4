/** Functions by which this API states its own requirements. */
import type { Operation } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import type { LawName, Rule } from '../engine/laws/index.ts';
import { type LawProperties as StepCases, propertiesOn } from '../engine/laws/law.ts';
import type { Property, Requirement } from '../engine/requirements/requirement.ts';
import type { ResourceIn } from './resources/laid-over.ts';

/** A rule of the contract that a requirement tests. */
export interface ApiRule extends Omit<Rule, 'words'> {
  /**
   * The beginning of each sentence of `info.description` that the requirement tests. If `clause` is
   * `INFO`, the first of them states the rule.
   */
  quotes?: readonly string[];
  /** The rule in one sentence. */
  sentence: string;
}

/** A rule of one operation. */
export interface OperationRule extends Omit<ApiRule, 'id'> {
  /** The id of the requirement, without the name of the operation that it begins with. */
  part: string;
  /** The rule in one sentence, without the name of the operation that it begins with. */
  sentence: string;
}

export interface ApiRequirement extends Requirement {
  /**
   * The beginnings of further sentences of `info.description` that it tests, in addition to
   * `words`.
   */
  tests?: readonly string[];
}

/** The pointer of the text of the contract that has rules in words. */
export const INFO = '/info/description';
/** The beginning of the sentence of `INFO` that states atomicity. */
export const ATOMIC = 'One request is atomic';
/** The beginning of the sentence of `INFO` that says what a body is. */
export const JSON_TEXT = 'A body is JSON as RFC 8259';
/** Pointers of rules in the contract. */
export const AT = {
  createEdge: '/paths/~1edges~1https/post',
  updateEdge: '/paths/~1edges~1https~1{edge_id}/patch',
  deleteEdge: '/paths/~1edges~1https~1{edge_id}/delete',
  createRoute: '/paths/~1edges~1https~1{edge_id}~1routes/post',
  updateRoute: '/paths/~1edges~1https~1{edge_id}~1routes~1{route_id}/patch',
  responses: '/components/responses',
  conflict: '/components/responses/Conflict',
  schemas: '/components/schemas',
};

type Properties = Property | Property[];
/** Properties, or a function if they depend on the implementation or are large. */
type Cases = Properties | ((implementation: Implementation) => Properties);

/** States requirements of a level. */
export function define(level: Requirement['level']) {
  return (stated: ApiRule, ...cases: readonly Cases[]): ApiRequirement => {
    const { quotes = [], ...others } = stated;
    const [words, ...tests] = quotes;
    const requirement: ApiRequirement = {
      ...others,
      level,
      tests,
      properties: (implementation) => cases.flatMap((one) => madeFor(implementation, one)),
    };
    if (words !== undefined) {
      requirement.words = words;
    }
    return requirement;
  };
}

export const core = define('core');
export const extended = define('extended');

/** States requirements whose cases take steps on a resource of the contract. */
export function on(resourceIn: ResourceIn, level: Requirement['level']) {
  return (
    stated: ApiRule,
    ...cases: readonly (StepCases | ((implementation: Implementation) => StepCases))[]
  ): ApiRequirement =>
    define(level)(stated, (implementation) =>
      cases.flatMap((one) =>
        propertiesOn(resourceIn(implementation.contract), madeFor(implementation, one)),
      ),
    );
}

/** The value, or what the function makes for the implementation. */
function madeFor<T extends object>(
  implementation: Implementation,
  value: T | ((implementation: Implementation) => T),
): T {
  return typeof value === 'function' ? value(implementation) : value;
}

/** States requirements of one operation: their ids and sentences begin with its name. */
export function ofOperation({ operationId, level }: Operation) {
  return ({ part, sentence, ...others }: OperationRule, ...cases: readonly Cases[]) =>
    define(level)(
      { ...others, id: `${operationId}.${part}`, sentence: `${operationId} ${sentence}` },
      ...cases,
    );
}

/**
 * A rule of a law of the kit, for the tables of resources.
 * @param id of the requirement
 * @param origin `source §2.5`, or a decision such as `D06`
 * @param clause JSON Pointer into openapi.yaml of the clause that states the rule
 * @param words the beginning of the sentence of `info.description` that states or explains it
 */
export function rule(id: string, origin: string, clause: string, words?: string): Rule {
  if (words === undefined) {
    return { id, origin, clause };
  }
  return { id, origin, clause, words };
}

/** The reason why laws of the kit do not apply to a resource, under the name of each. */
export function because<Name extends LawName>(
  reason: string,
  ...names: Name[]
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, reason])) as Record<Name, string>;
}
