/**
 * Requirements: they follow from a clause of the contract or from a law, and can be tried on a
 * service.
 */
import fc from 'fast-check';
import type { Session } from '../http/session.ts';
import type { Level, Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';

export interface Requirement {
  /** The file of the suite that states it, below `conformance/`. */
  file?: string;
  /**
   * Frozen, once it is released. It names its subject from the outside in, such as
   * `createEdge.body.description.x-max-bytes`.
   */
  id: string;
  level: Level;
  /** `source §2.5`, or a decision such as `D06`. */
  origin: string;
  /** JSON Pointer into openapi.yaml of the clause that states it. */
  clause: string;
  /**
   * The beginning of the sentence of `info.description` that states it, if `clause` is that text:
   * it gives the line.
   */
  words?: string;
  sentence: string;
  /**
   * Its part of the cases that each requirement gets (`--runs`), 0 to 1, if it is one of many of
   * its kind; default: 1.
   */
  weight?: number;
  /** Whether it looks for errors of the service, and for nothing else. */
  isForErrors?: boolean;
  /**
   * The operation of which it needs an accepted call: a refusal says something only beside a
   * success. Default: none.
   */
  base?: string;
  /** Operations that it calls and that are not those of its own resource. Default: none. */
  others?: readonly string[];
  /** Why it cannot be tried on this implementation; undefined if it can. */
  skip?(implementation: Implementation): string | undefined;
  /** At least one, unless it is skipped. */
  properties(implementation: Implementation): Property[];
}

/** Laws of resources, and requirements that a user adds. */
const FILES_OF_LAWS = /\/(laws|resources)\//;

/** Whether it is about a resource, and not about one call. */
export function isLaw({ file }: Pick<Requirement, 'file'>): boolean {
  return file === undefined || FILES_OF_LAWS.test(file);
}

/** The weight of a clause: an error is found by the first values that break it. */
export const CLAUSE = 0.25;

/** Something that holds for every generated value, tried one case at a time. */
// oxlint-disable-next-line typescript/no-explicit-any -- each property has a value type of its own
export interface Property<T = any, Context = Session> {
  /** Describes the case in a few words; unique in its requirement. */
  label: string;
  values: fc.Arbitrary<T>;
  /** Tried once, because values do not vary, or because each case is long. */
  once?: boolean;
  /** Another property of the same kind may be tried in its place: see `--runs`. */
  kind?: string | undefined;
  /**
   * Whether there may be no values (`GaveUp`): then there is nothing to try. For other properties,
   * that is an error.
   */
  mayBeEmpty?: boolean;
  /** @throws Nonconformity, NoResponse, NotPossible or BrokenOff */
  check(value: T, context: Context): Promise<void>;
}

/** Requirements, with the file that states them. */
export const statedIn = (file: string, requirements: readonly Requirement[]): Requirement[] =>
  requirements.map((requirement) => ({ ...requirement, file }));

/** The rule of a requirement on an operation, and its place in the contract. */
interface Statement {
  stated: { origin: string; pointer: string };
  sentence: string;
  properties: Requirement['properties'];
}

/** A requirement on an operation. @param part the end of its id */
export function requirementOf(
  { operationId, level }: Operation,
  part: string,
  { stated: { origin, pointer }, sentence, properties }: Statement,
): Requirement {
  return { id: `${operationId}.${part}`, level, origin, clause: pointer, sentence, properties };
}

/** A requirement that says something only beside an accepted call of its operation. */
export function basedRequirement(
  operation: Operation,
  part: string,
  statement: Statement,
): Requirement {
  return { ...requirementOf(operation, part, statement), base: operation.operationId };
}

/**
 * A requirement that cannot be tried: lists and reports show it with its reason.
 * @param part the end of its id
 */
export function skippedRequirement(
  operation: Operation,
  part: string,
  sentence: string,
  reason: string,
): Requirement {
  return {
    ...requirementOf(operation, part, { stated: operation, sentence, properties: () => [] }),
    skip: () => reason,
  };
}

/** A property with one case. */
export function once<Context = Session>(
  label: string,
  check: (context: Context) => Promise<void>,
): Property<undefined, Context> {
  return withValue(label, undefined, (_, context: Context) => check(context));
}

type Check<T, Context> = Property<T, Context>['check'];

export function forAll<T, Context = Session>(
  label: string,
  values: fc.Arbitrary<T>,
  check: Check<T, Context>,
): Property<T, Context> {
  return { label, values, check };
}

/**
 * A property for each of the values, which are tried once: a service may fail at any one of them.
 */
export function forEach<T, Context = Session>(
  label: string,
  values: readonly T[],
  check: Check<T, Context>,
): Property<T, Context>[] {
  return values.map((value, index) =>
    withValue(`${label} (${index + 1} of ${values.length})`, value, check),
  );
}

/**
 * A property for each of the values, by its label. A service may fail at any one of them: each is
 * tried once.
 */
export function each<T>(values: Record<string, T>, check: Property<T>['check']): Property[] {
  return Object.entries(values).map(([label, value]) => withValue(label, value, check));
}

/** A property for each of the texts, which are labels themselves. */
export function eachText(texts: readonly string[], check: Property<string>['check']): Property[] {
  const labelled = texts.map((text) => [JSON.stringify(text), text]);
  return each(Object.fromEntries(labelled) as Record<string, string>, check);
}

/** A property with one case, which has this value. */
function withValue<T, Context>(
  label: string,
  value: T,
  check: Check<T, Context>,
): Property<T, Context> {
  return { label, values: fc.constant(value), once: true, check };
}

/** Why requirements about tokens cannot be tried; undefined if they can. */
export function withoutToken({ token }: Implementation): string | undefined {
  if (token === undefined) {
    return 'needs --token: without one, no service is asked to refuse';
  }
  return undefined;
}

/** Why requirements about tokens that may only read cannot be tried; undefined if they can. */
export function withoutReadOnlyToken({ readOnlyToken }: Implementation): string | undefined {
  if (readOnlyToken === undefined) {
    return 'needs --read-only-token: a service need not have such tokens';
  }
  return undefined;
}
