/** Order and pages of lists: complete at every page size, also while others write. */
import fc from 'fast-check';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { ROWS } from '../requirements/header-field-rows.ts';
import { fieldsOfRow } from '../requirements/header-fields.ts';
import type { Listing } from './expect-items.ts';
import {
  forAll,
  forEach,
  type Law,
  type LawProperty,
  once,
  ONE_OF_SEVERAL,
  type OneOfSeveral,
} from './law.ts';
import type { Reading } from './listing.ts';
import { elementAt } from './required.ts';
import {
  bodyOf,
  isShared,
  type Item,
  type Json,
  operationIdOf,
  pagedListOf,
  pick,
  type Place,
  type Resource,
  upper,
} from './resource.ts';
import type { Steps } from './steps.ts';
import { beginningOf } from './uris.ts';

/** The number of items of a page if none is asked for. */
const DEFAULT_LIMIT = 100;

/** The items that are created, by their index, and those that are changed and removed. */
interface OrderCase {
  order: number[];
  changed: number;
  removed: number;
}

const ORDERS: fc.Arbitrary<OrderCase> = fc.record({
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 2, maxLength: 6 }),
  changed: fc.nat(5),
  removed: fc.nat(5),
});

interface PagesCase {
  count: number;
  limit: number;
}

/** Page sizes around the number of items. */
const SIZES: fc.Arbitrary<PagesCase> = fc.record({
  count: fc.integer({ min: 0, max: 7 }),
  limit: fc.integer({ min: 1, max: 8 }),
});

/** The page size, and the items that are written between the first two pages. */
interface WritesCase {
  limit: number;
  added: number;
  removed: number;
  changed: number;
}

const WRITES: fc.Arbitrary<WritesCase> = fc.record({
  limit: fc.integer({ min: 1, max: 3 }),
  added: fc.nat(6),
  removed: fc.nat(5),
  changed: fc.nat(5),
});

export const pageLaws = {
  order: {
    needs: ['create', 'list'],
    sentence: ({ many, order, id }) => {
      const sorted = order === 'by id' ? `by ${id.member}` : order;
      return `${upper(many)} are listed ${sorted}, also after changes and removals.`;
    },
    properties: (_, implementation, offered) => {
      const canChange = offered('update') && offered('delete') && implementation.origin === 'all';
      return forAll('several, one changed and one removed', ORDERS, (chosen, steps: Steps) =>
        tryOrder(chosen, steps, canChange),
      );
    },
  },
  listDeleted: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ one }) =>
      `${upper(one)} that was removed is listed no more, and no other is missing.`,
    properties: forEach('one of several', ONE_OF_SEVERAL, tryListDeleted),
  },
  many: {
    needs: ['create', 'read', 'list'],
    sentence: ({ many }) =>
      `${upper(many)} exist in dozens: each reads as it was created, and the list has them all.`,
    properties: (_, implementation) => [once('thirty', tryThirty), ...hundreds(implementation)],
  },
  pages: {
    needs: ['create', 'list'],
    sentence: (resource) =>
      `Following \`${pagedListOf(resource).next}\` gives all ${resource.many} exactly ` +
      'once, at every page size.',
    properties: (resource) => [
      // The third page shows whether `limit` goes along: seven items have one at these sizes.
      forEach('every small page size', [1, 2, 3, 4, 5, 6, 7, 8], trySmallPages),
      forAll('page sizes around the number of items', SIZES, (sizes, steps: Steps) =>
        tryPages(sizes, steps, {}),
      ),
      forEach('links, with header fields', rowsFor(resource), tryLinks),
    ],
  },
  pagesLimit: {
    needs: ['create', 'list'],
    sentence: () => '`limit` bounds a page, and each page but the last leads on.',
    properties: once('one item a page', tryLimit),
  },
  pagesDefault: {
    needs: ['create', 'list'],
    sentence: ({ many }) => `More ${many} than a page can hold are all listed without \`limit\`.`,
    properties: (_, implementation) => [
      once('101 items', tryDefaultLimit),
      ...hundreds(implementation),
    ],
  },
  pagesLast: {
    needs: ['create', 'list'],
    sentence: (resource) => `\`${pagedListOf(resource).next}\` is null when there is no next page.`,
    properties: once('the last page', tryLastPage),
  },
  pagesUri: {
    needs: ['create', 'list'],
    sentence: () => '`uri` of a page is the URI of that page.',
    properties: forEach('the first page, and one of several', [0, 1], tryPageUri),
  },
  pagesWrites: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ one }) =>
      `${upper(one)} that exists during the whole walk is listed exactly once, ` +
      'also while others are created, changed and removed between the pages.',
    properties: [
      forEach('the last of each page is removed', [1, 2, 3], tryLastRemoved),
      forAll('writes between two pages', WRITES, tryWrites),
    ],
  },
} satisfies Record<string, Law>;

/** The list has these items and no others, in their order. @param items in the order of creation */
async function expectInOrder(
  steps: Steps,
  place: Place,
  items: readonly Item[],
  reading: Reading = {},
): Promise<Listing> {
  const { resource } = steps;
  const listing = await steps.list(place, items, reading);
  steps.expectListedAs(listing, items);
  if (isShared(resource)) {
    return listing;
  }
  steps.expectAllListed(listing, place, items);
  if (resource.order === 'by id') {
    expectSame('The list has another order', listing.ids, listing.ids.toSorted());
  }
  return listing;
}

/** Something that is created inside of the first item does not move that item. */
async function createInside(steps: Steps, items: Item[]): Promise<void> {
  const { children } = steps.resource;
  const [first] = items;
  if (!children || !first) {
    return;
  }
  const inside = children.placeIn(first, 1);
  await steps.on(children.resource).create(inside, bodyOf(inside));
  items[0] = { ...first, shown: (await steps.read(first)) as Json };
  await expectInOrder(steps, first.place, items);
}

async function tryOrder(
  { order, changed, removed }: OrderCase,
  steps: Steps,
  canChange: boolean,
): Promise<void> {
  const { unique } = steps.resource;
  const place = await steps.place({ items: 8, atLeast: 3 });
  const last = elementAt(place.bodies, -1);
  const bodies = place.bodies.slice(0, -1).toReversed();
  const indices = order.filter((index) => index < bodies.length);
  const chosen = indices.map((index) => elementAt(bodies, index));
  const items = await steps.createAll(place, chosen);
  await expectInOrder(steps, place, items);
  if (!canChange || items.length === 0) {
    return;
  }
  await createInside(steps, items);
  const at = changed % items.length;
  const patch = unique ? pick(last, unique.members.slice(-1)) : steps.otherOf(place);
  items[at] = await steps.update(elementAt(items, at), patch);
  await expectInOrder(steps, place, items);
  const index = removed % items.length;
  await steps.remove(elementAt(items, index));
  items.splice(index, 1);
  items.push(await steps.create(place, elementAt(chosen, at)));
  await expectInOrder(steps, place, items);
}

async function tryListDeleted({ count, at }: OneOfSeveral, steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: count });
  const gone = elementAt(items, at);
  const left = items.toSpliced(at, 1);
  const before = await steps.removeSeen(gone);
  const listing = await steps.list(place, left);
  steps.expectListedAs(listing, left);
  if (await steps.isOtherIn(listing, gone, before)) {
    return;
  }
  steps.expectNotListed(listing, [gone], 'The list has an item that was removed.');
}

async function tryThirty(steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: 30 });
  for (const item of items) {
    await steps.expectRead(item, 'The item is not what was created');
  }
  await expectInOrder(steps, place, items, { limit: 7 });
  await expectInOrder(steps, place, items);
}

/** A service that keeps fewer items of a place loses the first ones. */
const HUNDREDS = 300;

function hundreds({ level }: Implementation): LawProperty[] {
  return level === 'core' ? [] : [once('hundreds', tryHundreds)];
}

async function tryHundreds(steps: Steps): Promise<void> {
  const { most = HUNDREDS } = steps.resource;
  // A list that has items of others is never empty.
  const empty = !isShared(steps.resource);
  const { place, items } = await steps.createSome({ items: Math.min(most, HUNDREDS), empty });
  const [first, ...others] = items;
  for (const item of [first, others.at(-1)]) {
    if (item !== undefined) {
      await steps.expectRead(item, 'The item is not what was created');
    }
  }
  await expectInOrder(steps, place, items);
}

async function tryPages(
  { count, limit }: PagesCase,
  steps: Steps,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = { items: count, atLeast: Math.min(count, 2) };
  const { place, items } = await steps.createSome(wanted);
  await expectInOrder(steps, place, items, { limit, headers });
}

/** Links are the same if requests have header fields, such as those of a proxy. */
function trySmallPages(limit: number, steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const { ignoresFields } = pagedListOf(resource);
  const list = session.operation(operationIdOf(resource, 'list'));
  const headers = ignoresFields ? fieldsOfRow(list, implementation, limit) : {};
  return tryPages({ count: 7, limit }, steps, headers);
}

/** The rows of fields that do not change the links of a page: none, unless the contract says so. */
function rowsFor(resource: Resource): number[] {
  const { ignoresFields, size } = pagedListOf(resource);
  return ignoresFields && size !== undefined ? [...ROWS.keys()] : [];
}

/** Links lead to the same host, by the same scheme, whatever a proxy seems to say. */
async function tryLinks(row: number, steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const { next, size = '' } = pagedListOf(resource);
  const { place } = await steps.createSome({ items: 2, atLeast: 2 });
  const input = { path: place.path, query: { [size]: '1' } };
  const list = session.operation(operationIdOf(resource, 'list'));
  const headers = fieldsOfRow(list, implementation, row);
  const plain = (await steps.succeed('list', input)).json as Json;
  const withFields = (await steps.succeed('list', { ...input, headers })).json as Json;
  for (const name of [next, 'uri']) {
    const [due, got] = [plain, withFields].map((page) => beginningOf(session, page[name]));
    expectSame('With header fields, a page has another link', got, due);
  }
}

async function tryLimit(steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: 3, atLeast: 2 });
  const { pages, next } = await steps.list(place, items, { limit: 1 });
  expectThat(pages.length > 1, 'The next page is missing.', { expected: 'a URI', got: next });
}

async function tryDefaultLimit(steps: Steps): Promise<void> {
  const wanted = { items: DEFAULT_LIMIT + 1, empty: true };
  const { place, items } = await steps.createSome(wanted);
  const { pages } = await expectInOrder(steps, place, items);
  const most = Math.max(...pages);
  const details = { expected: `at most ${DEFAULT_LIMIT}`, got: most };
  expectThat(most <= DEFAULT_LIMIT, `A page has more than ${DEFAULT_LIMIT} items.`, details);
}

async function tryLastPage(steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: 2 });
  // If the pages do not end, this fails.
  const { next } = await steps.list(place, items);
  expectThat(next === null, 'Another page follows the last one.', { expected: null, got: next });
}

/**
 * @param skipped the number of the newest items that are on earlier pages: the list has the newest
 * items first
 */
async function tryPageUri(skipped: number, steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: 3 });
  await expectPageUri(steps, { place, items, at: items.length - skipped, reading: { limit: 1 } });
}

/** A page whose `uri` is followed. */
export interface PageOfList {
  place: Place;
  /** In the order of creation. */
  items: readonly Item[];
  /** The index after the newest item of the page. */
  at: number;
  /**
   * The options with which the list is read as far as the page. With a query, which names the
   * beginning, the page is the first one.
   */
  reading: Reading & { limit: number };
}

/** The `uri` of a page leads to this page, and on to all that follow. */
export async function expectPageUri(
  steps: Steps,
  { place, items, at, reading }: PageOfList,
): Promise<void> {
  const rest = items.slice(0, at);
  const newest = rest.slice(-1);
  let uri: unknown;
  // Where a query says at which item the list begins, the first page has it, though items of others
  // may come before the newest of these.
  const isFirst = at === items.length || reading.query !== undefined;
  const find = async (page: number, shown: Json[], whole: Json) => {
    const isFound = isFirst ? page === 1 : steps.ownIn({ items: shown }, newest).length > 0;
    if (isFound) {
      uri = whole['uri'];
    }
  };
  await steps.list(place, rest, { ...reading, between: find });
  // Others may create items meanwhile, and a page may have fewer: only the rest of the list is
  // compared.
  const compare = async (page: number, _: unknown, { uri: got }: Json) => {
    const isSame = page > 1 || got === uri;
    const details = { expected: uri, got };
    expectThat(isSame, 'The page has another `uri` under its `uri`.', details);
  };
  const { limit } = reading;
  const again = await steps.list(place, rest, { limit, from: uri, between: compare });
  steps.expectListedAs(again, rest);
  steps.expectNotListed(again, items.slice(at), 'The page under `uri` is an earlier page.');
}

/** A place with several items, and a body for one item more. */
interface Prepared {
  place: Place;
  items: Item[];
  body: Json;
}

/** @param added the index of the body that is not created */
async function prepare(steps: Steps, added: number): Promise<Prepared> {
  const place = await steps.place({ items: 7, atLeast: 3 });
  const index = Math.min(added, place.bodies.length - 1);
  const items = await steps.createAll(place, place.bodies.toSpliced(index, 1));
  return { place, items, body: bodyOf(place, index) };
}

/** Removes the last item of each page before the next page is read: a cursor may name this item. */
async function tryLastRemoved(limit: number, steps: Steps): Promise<void> {
  const { place, items } = await prepare(steps, 6);
  const last = elementAt(steps.inOrder(items), -1);
  const removeLastOf = async (_: number, page: readonly Json[]) => {
    const shown = page.at(-1);
    const id = shown ? steps.idOf({ shown }) : '';
    const item = items.find((one) => steps.idOf(one) === id);
    if (item && item !== last) {
      await steps.remove(item);
    }
  };
  // The walk shows each item before it is removed.
  steps.expectListed(await steps.list(place, items, { limit, between: removeLastOf }), items);
}

async function tryWrites(
  { limit, added, removed, changed }: WritesCase,
  steps: Steps,
): Promise<void> {
  const { resource } = steps;
  const { place, items, body } = await prepare(steps, added);
  const gone = items[indexToRemove(resource, removed % items.length)];
  const changesId = resource.id.givenBy === 'body';
  const write = async (page: number) => {
    if (page > 1) {
      return;
    }
    await steps.create(place, body);
    const other = elementAt(items, changed % items.length);
    if (!changesId && other !== gone) {
      await steps.update(other, steps.otherOf(place));
    }
    if (gone) {
      await steps.remove(gone);
    }
  };
  const kept = items.filter((item) => item !== gone);
  steps.expectListed(await steps.list(place, items, { limit, between: write }), kept);
}

/** A shared list with the newest items first is read as far as the oldest item, which must stay. */
function indexToRemove({ order }: Resource, index: number): number {
  const first = order === 'newest first' ? 1 : 0;
  return Math.max(first, index);
}
