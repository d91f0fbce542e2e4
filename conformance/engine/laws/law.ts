/** A law of any resource, and short forms for what laws try. */
import type { Implementation } from '../http/implementation.ts';
import type { Property } from '../requirements/requirement.ts';
import type { Call, Resource } from './resource.ts';
import { Steps } from './steps.ts';

export { forAll, forEach, once } from '../requirements/requirement.ts';

export interface Law {
  /** The calls without which nothing can be tried: the law has the level of the highest of them. */
  needs: readonly Call[];
  sentence(resource: Resource): string;
  /** Where they depend on the resource: `offered` is which calls the level of the law has, beyond those that it needs. */
  properties: Cases | ((resource: Resource, implementation: Implementation, offered: (call: Call) => boolean) => Cases);
}

/** A property whose cases take steps on a resource. */
// oxlint-disable-next-line typescript/no-explicit-any -- each property has a value type of its own
export type Case<T = any> = Property<T, Steps>;

/** The properties of a law; lists in it are those of `forEach`. */
export type Cases = Case | readonly (Case | Case[])[];

/** The properties of a requirement on the resource. */
export function casesOn(resource: Resource, cases: Cases): Property[] {
  return [cases].flat(2).map(({ check, ...property }) => ({
    ...property,
    check: (value, session) => check(value, new Steps(session, resource)),
  }));
}

/** How many items there are, and which of them is removed. */
export const ONE_OF_SEVERAL = [1, 2, 4].flatMap((count) => Array.from({ length: count }, (_, at) => ({ count, at })));

/** Longer than a timestamp of whole seconds can hide. */
export async function moreThanASecond(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
}
