/** Order and pages: complete at every page size, also while others write. */
import fc from 'fast-check';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { fieldsOfRow } from '../requirements/header-fields.ts';
import {
  forAll,
  forEach,
  type Law,
  once,
  ONE_OF_SEVERAL,
  type Reading,
  type Steps,
} from './steps.ts';
import {
  isShared,
  type Item,
  type Json,
  type PagedList,
  pick,
  type Place,
  upper,
} from './resource.ts';

/** The list has just these, in their order. @param items in the order of creation */
async function expectInOrder(
  steps: Steps,
  place: Place,
  items: readonly Item[],
  reading: Reading = {},
) {
  const listing = await steps.list(place, items, reading);
  steps.expectListedAs(listing, items);
  if (isShared(steps.resource)) {
    return listing;
  }
  steps.expectAllListed(listing, place, items);
  if (steps.resource.order === 'by id') {
    expectSame('The list has another order', listing.ids, listing.ids.toSorted());
  }
  return listing;
}

const LIMITS = fc.integer({ min: 1, max: 3 });

/** Which items are written between the first two of pages of this size. */
const WRITES = fc.record({
  limit: LIMITS,
  added: fc.nat(6),
  removed: fc.nat(5),
  changed: fc.nat(5),
});

export const pageLaws = {
  order: {
    needs: ['create', 'list'],
    sentence: ({ many, order, id }) =>
      `${upper(many)} are listed ${order === 'by id' ? `by ${id.member}` : order}, also after changes and removals.`,
    properties: (_, implementation, offered) => {
      const canChange = offered('update') && offered('delete') && implementation.origin === 'all';
      const chances = fc.record({
        order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 2, maxLength: 6 }),
        changed: fc.nat(5),
        removed: fc.nat(5),
      });
      return forAll(
        'several, one changed and one removed',
        chances,
        async ({ order, changed, removed }, steps) => {
          const { unique } = steps.resource;
          const place = await steps.place({ items: 8, atLeast: 3 });
          const [last, ...bodies] = place.bodies.toReversed() as [Json, ...Json[]];
          const chosen = order
            .filter((index) => index < bodies.length)
            .map((index) => bodies[index]!);
          const items = await steps.createAll(place, chosen);
          await expectInOrder(steps, place, items);
          if (!canChange || items.length === 0) {
            return;
          }
          const at = changed % items.length;
          const patch = unique ? pick(last, unique.members.slice(-1)) : steps.otherOf(place);
          items[at] = await steps.update(items[at]!, patch);
          await expectInOrder(steps, place, items);
          const [gone] = items.splice(removed % items.length, 1) as [Item];
          await steps.remove(gone);
          items.push(await steps.create(place, chosen[at]!));
          await expectInOrder(steps, place, items);
        },
      );
    },
  },
  listDeleted: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ one }) =>
      `${upper(one)} that was removed is listed no more, and no other is missing.`,
    properties: forEach('one of several', ONE_OF_SEVERAL, async ({ count, at }, steps) => {
      const { place, items } = await steps.createSome({ items: count });
      const [gone] = items.splice(at, 1) as [Item];
      const before = await steps.removeSeen(gone);
      const listing = await steps.list(place, items);
      steps.expectListedAs(listing, items);
      if (await steps.isOtherIn(listing, gone, before)) {
        return;
      }
      steps.expectNotListed(listing, [gone], 'The list has one that was removed.');
    }),
  },
  many: {
    needs: ['create', 'read', 'list'],
    sentence: ({ many }) =>
      `${upper(many)} exist in dozens: each reads as it was created, and the list has them all.`,
    properties: once('thirty', async (steps) => {
      const { place, items } = await steps.createSome({ items: 30 });
      for (const item of items) {
        await steps.expectRead(item, 'It reads otherwise');
      }
      await expectInOrder(steps, place, items, { limit: 7 });
      await expectInOrder(steps, place, items);
    }),
  },
  pages: {
    needs: ['create', 'list'],
    sentence: ({ many, list }) =>
      `Following \`${(list as PagedList).next}\` gives all ${many} exactly once, at every page size.`,
    properties: () => {
      const sizes = fc.record({
        count: fc.integer({ min: 0, max: 7 }),
        limit: fc.integer({ min: 1, max: 8 }),
      });
      const check = async (
        { count, limit }: { count: number; limit: number },
        steps: Steps,
        headers = {},
      ) => {
        const { place, items } = await steps.createSome({
          items: count,
          atLeast: Math.min(count, 2),
        });
        await expectInOrder(steps, place, items, { limit, headers });
      };
      return [
        // A page after the second one shows whether `limit` goes along: with seven items, small pages all have it. The
        // links are the same where the request has header fields, such as those of a proxy.
        forEach('every small page size', [1, 2, 3, 4, 5, 6, 7, 8], (limit, steps) => {
          const { session, resource, implementation } = steps;
          const { ignoresFields } = resource.list as PagedList;
          const list = session.operation(resource.calls.list!);
          return check(
            { count: 7, limit },
            steps,
            ignoresFields ? fieldsOfRow(list, implementation, limit) : {},
          );
        }),
        forAll('page sizes around the number of items', sizes, check),
      ];
    },
  },
  pagesLimit: {
    needs: ['create', 'list'],
    sentence: () => '`limit` bounds a page, and each page but the last leads on.',
    properties: once('one item a page', async (steps) => {
      const { place, items } = await steps.createSome({ items: 3, atLeast: 2 });
      const { pages, next } = await steps.list(place, items, { limit: 1 });
      expectThat(pages.length > 1, 'There is a next page.', { expected: 'a URI', got: next });
    }),
  },
  pagesDefault: {
    needs: ['create', 'list'],
    sentence: ({ many }) => `More ${many} than a page can hold are all listed without \`limit\`.`,
    properties: once('101 items', async (steps) => {
      const { place, items } = await steps.createSome({ items: 101, empty: true });
      const { pages } = await expectInOrder(steps, place, items);
      const most = Math.max(...pages);
      expectThat(most <= 100, 'A page has more than 100 items.', {
        expected: 'at most 100',
        got: most,
      });
    }),
  },
  pagesLast: {
    needs: ['create', 'list'],
    sentence: ({ list }) => `\`${(list as PagedList).next}\` is null when there is no next page.`,
    properties: once('the last page', async (steps) => {
      const { place, items } = await steps.createSome({ items: 2 });
      // Where the pages do not end, this fails.
      const { next } = await steps.list(place, items);
      expectThat(next === null, 'No page follows.', { expected: null, got: next });
    }),
  },
  pagesUri: {
    needs: ['create', 'list'],
    sentence: () => '`uri` of a page is the URI of that page.',
    properties: forEach('the first page, and one of several', [0, 1], async (skipped, steps) => {
      // Newest first.
      const { place, items } = await steps.createSome({ items: 3 });
      await expectPageUri(steps, place, items, items.length - skipped, { limit: 1 });
    }),
  },
  pagesWrites: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ one }) =>
      `${upper(one)} that exists during the whole walk is listed exactly once, also while others are created, changed and removed between the pages.`,
    properties: [
      // A cursor may name the item that ended the page.
      forEach('the last of each page is removed', [1, 2, 3], async (limit, steps) => {
        const { place, items } = await sixOfSeven(steps);
        const ended = steps.inOrder(items).at(-1)!;
        const between = async (_: number, page: readonly Json[]) => {
          const id = page.length === 0 ? '' : steps.idOf({ shown: page.at(-1)! });
          const last = items.find((item) => steps.idOf(item) === id);
          if (last && last !== ended) {
            await steps.remove(last);
          }
        };
        // Where all are removed, the walk still shows each before that.
        steps.expectListed(await steps.list(place, items, { limit, between }), items);
      }),
      forAll(
        'writes between two pages',
        WRITES,
        async ({ limit, added, removed, changed }, steps) => {
          const { place, items, body } = await sixOfSeven(steps, added);
          // A shared list is read up to the oldest.
          const first = steps.resource.order === 'newest first' ? 1 : 0;
          const gone = items[Math.max(first, removed % items.length)];
          const moves = steps.resource.id.givenBy === 'body';
          const between = async (page: number) => {
            if (page > 1) {
              return;
            }
            await steps.create(place, body);
            const other = items[changed % items.length]!;
            if (!moves && other !== gone) {
              await steps.update(other, steps.otherOf(place));
            }
            if (gone) {
              await steps.remove(gone);
            }
          };
          const kept = items.filter((item) => item !== gone);
          steps.expectListed(await steps.list(place, items, { limit, between }), kept);
        },
      ),
    ],
  },
} satisfies Record<string, Law>;

/** The `uri` of a page leads to it, and on to all that follows. @param at the index after the newest item of the page */
export async function expectPageUri(
  steps: Steps,
  place: Place,
  items: readonly Item[],
  at: number,
  reading: Reading & { limit: number },
): Promise<void> {
  const rest = items.slice(0, at);
  const newest = rest.slice(-1);
  let uri: unknown;
  const find = async (page: number, shown: Json[], whole: Json) => {
    if (at === items.length ? page === 1 : steps.ownIn({ items: shown }, newest).length > 0) {
      uri = whole['uri'];
    }
  };
  await steps.list(place, rest, { ...reading, between: find });
  // Others may create items in between, and a page may have fewer: what follows from it is what followed.
  const compare = async (page: number, _: unknown, { uri: got }: Json) =>
    expectThat(page > 1 || got === uri, 'The page has another `uri` under its `uri`.', {
      expected: uri,
      got,
    });
  const again = await steps.list(place, rest, {
    limit: reading.limit,
    from: uri,
    between: compare,
  });
  steps.expectListedAs(again, rest);
  steps.expectNotListed(again, items.slice(at), 'The page under `uri` is an earlier one.');
}

async function sixOfSeven(
  steps: Steps,
  added = 6,
): Promise<{ place: Place; items: Item[]; body: Json }> {
  const place = await steps.place({ items: 7, atLeast: 3 });
  const bodies = [...place.bodies];
  const [body] = bodies.splice(Math.min(added, bodies.length - 1), 1) as [Json];
  return { place, items: await steps.createAll(place, bodies), body };
}
