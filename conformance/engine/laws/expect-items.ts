/** Checks of what a service showed of items and of lists. Each throws a Nonconformity. */
import { valueAt } from '../contract/pointers.ts';
import { apart, expectSame, expectThat, Nonconformity } from '../http/nonconformity.ts';
import { idOf, idsOf, inListOrder } from './items.ts';
import type { Item, Json, Place, Resource } from './resource.ts';

/** The content of a list. */
export interface Listing {
  /** In the order of the list. A shared list has items of others among them. */
  items: Json[];
  /** The ids of `items`. */
  ids: string[];
  /** The number of items of each page. */
  pages: number[];
  /** The link to the next page, as the last page that was read has it. */
  next?: unknown;
}

/** Whether a check passes. @throws every error of it except for Nonconformity */
export function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Nonconformity) {
      return false;
    }
    throw error;
  }
}

/** An item shows these members. A map in it has no other names. */
export function expectShown(
  { maps = [] }: Pick<Resource, 'maps'>,
  what: string,
  got: Json,
  expected: Json,
): void {
  expectSame(what, got, expected);
  for (const pointer of maps) {
    const shown = valueAt(got, pointer) as Json | undefined;
    const due = valueAt(expected, pointer) as Json | undefined;
    if (due !== undefined) {
      const names = Object.keys(shown ?? {}).toSorted();
      expectSame(`${what}: the names in ${pointer}`, names, Object.keys(due).toSorted());
    }
  }
}

/** @param got the value that is shown, if it is not an array */
export function expectArray(
  value: unknown,
  what: string,
  got: unknown = value,
): asserts value is Json[] {
  expectThat(Array.isArray(value), what, { expected: 'an array', got });
}

export function expectOnce(ids: readonly string[], what: string): void {
  expectThat(new Set(ids).size === ids.length, what, { expected: 'each once', got: ids });
}

/**
 * Each of the items is listed exactly once, in their order; others may be between them.
 * @param items in the order of creation
 */
export function expectListed(
  resource: Resource,
  { ids: listed }: Pick<Listing, 'ids'>,
  items: readonly Item[],
): void {
  const { order, many } = resource;
  const due = idsOf(resource, inListOrder(resource, items));
  const got = listed.filter((id) => due.includes(id));
  const hasOrder = order !== 'any';
  const gotText = (hasOrder ? got : got.toSorted()).join(' ');
  const dueText = (hasOrder ? due : due.toSorted()).join(' ');
  const what = `The list has other ${many}, or in another order.`;
  expectThat(gotText === dueText, what, apart(got, due));
}

/** The list shows each of the items as it was shown last. */
export function expectShownIn(
  resource: Resource,
  { items: listed, ids }: Listing,
  items: readonly Item[],
  what: string,
): void {
  for (const { shown } of items) {
    expectSame(what, listed[ids.indexOf(idOf(resource, shown))], shown);
  }
}

/** The items that a list shows, without others. */
export function shownOf(
  resource: Resource,
  { items: listed }: Pick<Listing, 'items'>,
  items: readonly Item[],
): Json[] {
  const ids = idsOf(resource, items);
  return listed.filter((shown) => ids.includes(idOf(resource, shown)));
}

/** The list has these items, those that others had there before, and no more. */
export function expectAllListed(
  resource: Resource,
  { ids }: Pick<Listing, 'ids'>,
  { foreign }: Place,
  items: readonly Item[],
): void {
  const due = [...idsOf(resource, items), ...foreign];
  expectSame('Unexpected list items', ids.toSorted(), due.toSorted());
}

export function expectNotListed(
  resource: Resource,
  { ids }: Listing,
  items: readonly Item[],
  what: string,
): void {
  const got = idsOf(resource, items).filter((id) => ids.includes(id));
  expectThat(got.length === 0, what, { expected: 'none of these', got });
}
