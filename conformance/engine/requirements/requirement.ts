/** A promise of the contract that can be tried on a service. */
import fc from 'fast-check';
import type { Session } from '../http/session.ts';
import type { Level, Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';

export interface Requirement {
  /** The file of the suite that states it, below `conformance/`. */
  file?: string;
  /** Frozen, once it is released. It names its subject from the outside in, such as `createEdge.body.description.x-max-bytes`. */
  id: string;
  level: Level;
  /** `source §2.5`, or a decision such as `D06`. */
  origin: string;
  /** JSON Pointer into openapi.yaml of what states it. */
  clause: string;
  /** The beginning of the sentence of `info.description` that states it, for its line, if `clause` is that text. */
  words?: string;
  sentence: string;
  /** Its part of the cases that each requirement gets (`--runs`), where it is one of many of its kind; by default all. */
  weight?: number;
  /** Why it cannot be tried on this target; undefined when it can. */
  skip?(implementation: Implementation): string | undefined;
  /** At least one, unless it is skipped. */
  properties(implementation: Implementation): Property[];
}

/** The weight of a clause: what breaks it is found by the first values that do. */
export const CLAUSE = 0.25;

/** Something that holds for every generated value, tried one case at a time. */
// oxlint-disable-next-line typescript/no-explicit-any -- each property has a value type of its own
export interface Property<T = any, Context = Session> {
  /** Describes the case in a few words; unique in its requirement. */
  label: string;
  values: fc.Arbitrary<T>;
  /** Tried once, where values do not vary or each case is long. */
  once?: boolean;
  /** Where it has one, another property of the kind may stand for it: see `--runs`. */
  kind?: string | undefined;
  /** There may be no such values (`GaveUp`): then there is nothing to try. For any other property, that is an error. */
  mayBeEmpty?: boolean;
  /** @throws Nonconformity, NoResponse, NotPossible or BrokenOff */
  check(value: T, context: Context): Promise<void>;
}

/** Requirements, with the file that states them. */
export const statedIn = (file: string, requirements: readonly Requirement[]): Requirement[] =>
  requirements.map((requirement) => ({ ...requirement, file }));

/** A requirement on an operation. @param part the end of its id */
export function requirementOf(
  { operationId, level }: Operation,
  part: string,
  { origin, pointer }: { origin: string; pointer: string },
  sentence: string,
  properties: Requirement['properties'],
): Requirement {
  return { id: `${operationId}.${part}`, level, origin, clause: pointer, sentence, properties };
}

/** A requirement that cannot be tried: lists and reports show it with its reason. @param part the end of its id */
export function untried(
  operation: Operation,
  part: string,
  sentence: string,
  reason: string,
): Requirement {
  return { ...requirementOf(operation, part, operation, sentence, () => []), skip: () => reason };
}

/** A case that does not vary. */
export function once<Context = Session>(label: string, check: (context: Context) => Promise<void>) {
  return {
    label,
    values: fc.constant(undefined),
    once: true,
    check: (_: unknown, context: Context) => check(context),
  };
}

type Check<T, Context> = Property<T, Context>['check'];

export function forAll<T, Context = Session>(
  label: string,
  values: fc.Arbitrary<T>,
  check: Check<T, Context>,
) {
  return { label, values, check };
}

/** Each of the values once: where a service may fail on any one of them, none is left to chance. */
export function forEach<T, Context = Session>(
  label: string,
  values: readonly T[],
  check: Check<T, Context>,
) {
  const labelOf = (index: number) => `${label} (${index + 1} of ${values.length})`;
  return values.map((value, index) => ({
    label: labelOf(index),
    values: fc.constant(value),
    once: true,
    check,
  }));
}

/** A property for each of a few values: where a service may fail on any one of them, none is left to chance. */
export function each<T>(values: Record<string, T>, check: Property<T>['check']): Property[] {
  return Object.entries(values).map(([label, value]) => ({
    label,
    values: fc.constant(value),
    once: true,
    check,
  }));
}

/** The same, where the values are texts that are labels themselves. */
export function eachText(texts: readonly string[], check: Property<string>['check']): Property[] {
  return each(Object.fromEntries(texts.map((text) => [JSON.stringify(text), text])), check);
}

/** Why requirements about tokens cannot be tried; undefined where they can. */
export const withoutToken = ({ token }: Implementation): string | undefined => {
  if (token === undefined) {
    return 'needs --token: without one, no service is asked to refuse';
  }
  return undefined;
};

export const withoutReadOnlyToken = ({ readOnlyToken }: Implementation): string | undefined => {
  if (readOnlyToken === undefined) {
    return 'needs --read-only-token: a service need not have such tokens';
  }
  return undefined;
};
