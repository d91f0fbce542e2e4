/** A law of any resource, and short forms for what laws try. */
import fc from 'fast-check';
import type { Implementation } from '../http/implementation.ts';
import type { Session } from '../http/session.ts';
import type { Property } from '../requirements/requirement.ts';
import type { Call, Resource } from './resource.ts';

export interface Law {
  /** The calls without which nothing can be tried: the law has the level of the highest of them. */
  needs: readonly Call[];
  sentence(resource: Resource): string;
  /** @param offered which calls the level of the law has, beyond those that it needs */
  properties(resource: Resource, implementation: Implementation, offered: (call: Call) => boolean): Cases;
}

/** The properties of a law; lists in it are those of `forEach`. */
export type Cases = readonly (Property | Property[])[];

/** Several laws by name, which keep their names as types. */
export function laws<Name extends string>(all: Record<Name, Law>): Record<Name, Law> {
  return all;
}

/** A case that does not vary. */
export function once(label: string, check: (session: Session) => Promise<void>): Property {
  return { label, values: fc.constant(undefined), once: true, check: (_, session) => check(session) };
}

export function forAll<T>(
  label: string,
  values: fc.Arbitrary<T>,
  check: (value: T, session: Session) => Promise<void>,
): Property<T> {
  return { label, values, check };
}

/** Each of the values once: where a service may fail on any one of them, none is left to chance. */
export function forEach<T>(
  label: string,
  values: readonly T[],
  check: (value: T, session: Session) => Promise<void>,
): Property<T>[] {
  const labelOf = (index: number) => `${label} (${index + 1} of ${values.length})`;
  return values.map((value, index) => ({ label: labelOf(index), values: fc.constant(value), once: true, check }));
}

/** Longer than a timestamp of whole seconds can hide. */
export async function moreThanASecond(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
}
