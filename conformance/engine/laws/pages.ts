/** Order and pages: complete at every page size, also while others write. */
import fc from 'fast-check';
import { succeed } from '../http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import {
  create,
  createAll,
  expectListed,
  expectNotListed,
  expectRead,
  follow,
  inOrder,
  listOf,
  otherOf,
  placeFor,
  type Reading,
  remove,
  update,
} from './items.ts';
import { forAll, forEach, laws, once } from './law.ts';
import {
  idOf,
  isShared,
  type Item,
  type Json,
  type PagedList,
  pick,
  type Place,
  type Resource,
  upper,
  type Wanted,
} from './resource.ts';

/** The list has just these, in their order. @param items in the order of creation */
async function expectInOrder(
  session: Session,
  resource: Resource,
  place: Place,
  items: readonly Item[],
  reading: Reading = {},
): Promise<void> {
  const listing = await listOf(session, resource, place, items, reading);
  expectListed(resource, listing, inOrder(resource, items));
  if (isShared(resource)) return;
  const due = [...items.map((item) => idOf(resource, item)), ...place.foreign];
  expectSame('The list is not what was created', listing.ids.toSorted(), due.toSorted());
  if (resource.order === 'by id') expectSame('The list has another order', listing.ids, due.toSorted());
}

/** Items in one place, one for each of its bodies. */
async function someItems(
  session: Session,
  resource: Resource,
  wanted: Wanted,
): Promise<{ place: Place; items: Item[] }> {
  const place = await placeFor(session, resource, wanted);
  return { place, items: await createAll(session, resource, place) };
}

export const orderLaws = laws({
  order: {
    needs: ['create', 'list'],
    sentence: ({ many, order }) => `${upper(many)} are listed ${order}, also after changes and removals.`,
    properties: (resource, implementation, offered) => {
      const canChange = offered('update') && offered('delete') && implementation.origin === 'all';
      return [
        forAll(
          'several, one changed and one removed',
          fc.record({
            order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 2, maxLength: 6 }),
            changed: fc.nat({ max: 5 }),
            removed: fc.nat({ max: 5 }),
          }),
          (choice, session) => tryOrder(session, resource, choice, canChange),
        ),
      ];
    },
  },
  listDeleted: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ one }) => `${upper(one)} that was removed is listed no more, and no other is missing.`,
    properties: (resource) => {
      const cases: [count: number, at: number][] = [
        [2, 0],
        [2, 1],
        [3, 1],
        [4, 0],
        [4, 3],
      ];
      return [
        forEach('one of several', cases, async ([count, at], session) => {
          const { place, items } = await someItems(session, resource, { items: count });
          const [gone] = items.splice(at, 1) as [Item];
          await remove(session, resource, gone);
          const listing = await listOf(session, resource, place, items);
          expectListed(resource, listing, inOrder(resource, items));
          expectNotListed(resource, listing, gone);
        }),
      ];
    },
  },
  many: {
    needs: ['create', 'read', 'list'],
    sentence: ({ many }) => `${upper(many)} exist in dozens: each reads as it was created, and the list has them all.`,
    properties: (resource) => [
      once('thirty', async (session) => {
        const { place, items } = await someItems(session, resource, { items: 30 });
        for (const item of items) await expectRead(session, resource, item, 'It reads otherwise');
        await expectInOrder(session, resource, place, items, { limit: 7 });
        await expectInOrder(session, resource, place, items);
      }),
    ],
  },
});

async function tryOrder(
  session: Session,
  resource: Resource,
  { order, changed, removed }: { order: number[]; changed: number; removed: number },
  canChange: boolean,
): Promise<void> {
  const { unique } = resource;
  const place = await placeFor(session, resource, { items: 8, atLeast: 3 });
  const [last, ...bodies] = place.bodies.toReversed() as [Json, ...Json[]];
  const chosen = order.filter((index) => index < bodies.length).map((index) => bodies[index]!);
  const items = await createAll(session, resource, place, chosen);
  await expectInOrder(session, resource, place, items);
  if (!canChange || items.length === 0) return;
  const at = changed % items.length;
  const patch = unique ? pick(last, unique.members.slice(-1)) : otherOf(session, resource, place);
  items[at] = await update(session, resource, items[at]!, patch);
  await expectInOrder(session, resource, place, items);
  const [gone] = items.splice(removed % items.length, 1) as [Item];
  await remove(session, resource, gone);
  items.push(await create(session, resource, place, chosen[at]!));
  await expectInOrder(session, resource, place, items);
}

async function pageOf(session: Session, resource: Resource, place: Place, limit?: number) {
  const list = resource.list as PagedList;
  const query = limit === undefined ? {} : { query: { limit: String(limit) } };
  const page = (await succeed(session, resource.calls.list!, { path: place.path, ...query })).json as Json;
  return { page, items: page[list.items] as Json[], next: page[list.next] };
}

export const pageLaws = laws({
  pages: {
    needs: ['create', 'list'],
    sentence: ({ many, list }) =>
      `Following \`${(list as PagedList).next}\` gives all ${many} exactly once, at every page size.`,
    properties: (resource) => {
      const check = async ({ count, limit }: { count: number; limit: number }, session: Session) => {
        const wanted = { items: count, atLeast: Math.min(count, 2) };
        const { place, items } = await someItems(session, resource, wanted);
        await expectInOrder(session, resource, place, items, { limit });
      };
      return [
        // A page after the second one shows whether `limit` goes along: with seven items, small pages all have it.
        forEach('every small page size', [1, 2, 3, 4, 5, 6, 7, 8], (limit, session) =>
          check({ count: 7, limit }, session),
        ),
        forAll(
          'page sizes around the number of items',
          fc.record({ count: fc.integer({ min: 0, max: 7 }), limit: fc.integer({ min: 1, max: 8 }) }),
          check,
        ),
      ];
    },
  },
  pagesLimit: {
    needs: ['create', 'list'],
    sentence: () => '`limit` bounds a page, and each page but the last leads on.',
    properties: (resource) => [
      once('one item a page', async (session) => {
        const { place } = await someItems(session, resource, { items: 3, atLeast: 2 });
        const { items, next } = await pageOf(session, resource, place, 1);
        expectThat(items.length === 1, 'A page of at most one item.', { expected: '1 item', got: items.length });
        expectThat(typeof next === 'string', 'There is a next page.', { expected: 'a URI', got: next });
      }),
    ],
  },
  pagesDefault: {
    needs: ['create', 'list'],
    sentence: ({ many }) => `More ${many} than a page can hold are all listed without \`limit\`.`,
    properties: (resource) => [
      once('101 items', async (session) => {
        const { place, items } = await someItems(session, resource, { items: 101, empty: true });
        const { pages } = await listOf(session, resource, place, items);
        await expectInOrder(session, resource, place, items);
        const most = Math.max(...pages);
        expectThat(most <= 100, 'A page has more than 100 items.', { expected: 'at most 100', got: most });
      }),
    ],
  },
  pagesLast: {
    needs: ['create', 'list'],
    sentence: ({ list }) => `\`${(list as PagedList).next}\` is null when there is no next page.`,
    properties: (resource) => [
      once('fewer items than fit on a page', async (session) => {
        const { place } = await someItems(session, resource, { items: 2 });
        const { items, next } = await pageOf(session, resource, place);
        if (place.foreign.length > 0 && items.length < place.foreign.length + 2)
          throw new NotPossible('needs a place whose items fit on one page');
        expectThat(next === null, 'The whole list is on this page.', { expected: null, got: next });
      }),
    ],
  },
  pagesUri: {
    needs: ['create', 'list'],
    sentence: () => '`uri` of a page is the URI of that page.',
    properties: (resource) => [
      forEach('the first page and the second', [1, 2], async (number, session) => {
        const { place } = await someItems(session, resource, { items: 3 });
        const to = (uri: unknown) => follow(session, uri, resource.calls.list!, 'The URI of a page leads to it.');
        const first = await pageOf(session, resource, place, 1);
        const { uri } = number === 1 ? first.page : await to(first.next);
        const same = await to(uri);
        const what = 'The page has another `uri` under its `uri`.';
        expectThat(same['uri'] === uri, what, { expected: uri, got: same['uri'] });
        // Others may create items in between, which moves the first page alone.
        const { length } = same[(resource.list as PagedList).items] as Json[];
        expectThat(length <= 1, 'The page under `uri` has another `limit`.', { expected: '1 item', got: length });
      }),
    ],
  },
  pagesWrites: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ one }) =>
      `${upper(one)} that exists during the whole walk is listed exactly once, also while others are created, changed and removed between the pages.`,
    properties: (resource) => [
      // A cursor may name the item that ended the page.
      forEach('the last of each page is removed', [1, 2, 3], async (limit, session) => {
        const { place, items } = await sixOfSeven(session, resource);
        const ended = inOrder(resource, items).at(-1)!;
        const between = async (_: number, page: readonly Json[]) => {
          const id = page.length === 0 ? '' : idOf(resource, { shown: page.at(-1)! });
          const last = items.find((item) => idOf(resource, item) === id);
          if (last && last !== ended) await remove(session, resource, last);
        };
        // Where all are removed, the walk still shows each before that.
        const listing = await listOf(session, resource, place, items, { limit, between });
        expectListed(resource, listing, inOrder(resource, items));
      }),
      forAll(
        'writes between two pages',
        fc.record({
          limit: fc.integer({ min: 1, max: 3 }),
          added: fc.nat({ max: 6 }),
          removed: fc.nat({ max: 5 }),
          changed: fc.nat({ max: 5 }),
        }),
        (writes, session) => tryWrites(session, resource, writes),
      ),
    ],
  },
});

async function sixOfSeven(
  session: Session,
  resource: Resource,
  added = 6,
): Promise<{ place: Place; items: Item[]; body: Json }> {
  const place = await placeFor(session, resource, { items: 7, atLeast: 3 });
  const bodies = [...place.bodies];
  const [body] = bodies.splice(Math.min(added, bodies.length - 1), 1) as [Json];
  return { place, items: await createAll(session, resource, place, bodies), body };
}

async function tryWrites(
  session: Session,
  resource: Resource,
  { limit, added, removed, changed }: Record<'limit' | 'added' | 'removed' | 'changed', number>,
): Promise<void> {
  const { place, items, body } = await sixOfSeven(session, resource, added);
  // A shared list is read up to the oldest.
  const first = resource.order === 'newest first' ? 1 : 0;
  const gone = items[Math.max(first, removed % items.length)];
  const moves = resource.id.givenBy === 'body';
  const between = async (page: number) => {
    if (page > 1) return;
    await create(session, resource, place, body);
    const other = items[changed % items.length]!;
    if (!moves && other !== gone) await update(session, resource, other, otherOf(session, resource, place));
    if (gone) await remove(session, resource, gone);
  };
  const listing = await listOf(session, resource, place, items, { limit, between });
  const kept = items.filter((item) => item !== gone);
  expectListed(resource, listing, inOrder(resource, kept));
}
