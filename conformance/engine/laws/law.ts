/**
 * The type of laws. A law is stated for any resource, and its cases take steps on items of that
 * resource.
 */
import type { Implementation } from '../http/implementation.ts';
import type { Property } from '../requirements/requirement.ts';
import type { Facts, Resource, ResourceCall } from './resource.ts';
import { Steps } from './steps.ts';

export { forAll, forEach, once } from '../requirements/requirement.ts';

export interface Law {
  /**
   * The calls without which nothing can be tried. The law has the highest level of their
   * operations. Default: create, read, update.
   */
  needs?: readonly ResourceCall[];
  /** Likewise, the calls on what is inside of an item. Default: none. */
  needsInside?: readonly ResourceCall[];
  /** Whether the contract states it of a resource; default: it holds of any. */
  applies?(facts: Facts): boolean;
  /** Whether it is about members that name other items, too: it sends the names of made ones. */
  tellsNames?: boolean;
  sentence(resource: Resource): string;
  properties: LawProperties | PropertiesOf;
}

/**
 * Makes the properties of a law.
 * @param offered whether the implementation has a call at the level of the law
 */
type PropertiesOf = (
  resource: Resource,
  implementation: Implementation,
  offered: (call: ResourceCall) => boolean,
) => LawProperties;

/** A property whose cases take steps on a resource. */
// oxlint-disable-next-line typescript/no-explicit-any -- each property has a value type of its own
export type LawProperty<T = any> = Property<T, Steps>;

/** The properties of a law. Lists in the list are those that `forEach` returns. */
export type LawProperties = LawProperty | readonly (LawProperty | LawProperty[])[];

/** The properties of a law on a resource, whose cases need no more than a session. */
export function propertiesOn(resource: Resource, properties: LawProperties): Property[] {
  return [properties].flat(2).map(({ check, ...property }) => ({
    ...property,
    check: (value, session) => check(value, new Steps(session, resource)),
  }));
}

/** One of several items, by the number of items and by its index. */
export interface OneOfSeveral {
  count: number;
  at: number;
}

export const ONE_OF_SEVERAL: readonly OneOfSeveral[] = [1, 2, 4].flatMap((count) =>
  Array.from({ length: count }, (_, at) => ({ count, at })),
);
