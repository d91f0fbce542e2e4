/** Paging of event sources (D16): every page size gives the same list, also while others write. */
import fc from 'fast-check';
import { expectSame, expectThat } from '../check/nonconformity.ts';
import { law, once } from './event-sources.ts';
import type { Requirement } from './requirement.ts';
import { addSource, listAll, succeed } from './steps.ts';
import { workspace } from './workspace.ts';

const LIST = '/paths/~1event_subscriptions~1{subscription_id}~1sources/get';
const LIMIT = '/components/parameters/Limit';

export function pageLaws(): Requirement[] {
  return [
    law('order', { origin: 'D16', clause: '/components/schemas/EventSourceList/properties/sources', sentence: 'Sources are listed by ascending type, in the order of ASCII.' }, [
      {
        label: 'added in any order',
        values: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 2 }),
        async check(order: number[], session) {
          const { subscription_id, types, before } = await workspace(session, 7);
          for (const index of order) await addSource(session, subscription_id, types[index]!);
          const listed = (await listAll(session, subscription_id)).types;
          expectSame('The list has another order', listed, [...before, ...order.map((index) => types[index]!)].toSorted());
        },
      },
    ]),
    law('pages', { origin: 'D16', clause: LIST, sentence: 'Following `uri` gives every source exactly once, at every page size.' }, [
      {
        label: 'page sizes around the number of sources',
        values: fc.record({ count: fc.integer({ min: 0, max: 7 }), limit: fc.integer({ min: 1, max: 8 }) }),
        async check({ count, limit }: { count: number; limit: number }, session) {
          const { subscription_id, types, before } = await workspace(session, count);
          for (const type of types) await addSource(session, subscription_id, type);
          const { types: listed, pages } = await listAll(session, subscription_id, { limit });
          expectSame('The pages together are not the list', listed.toSorted(), [...before, ...types].toSorted());
          expectThat(pages.every((size) => size <= limit), 'A page has more items than `limit`.', { expected: `at most ${limit}`, got: pages });
        },
      },
    ]),
    law('pages.limit', { origin: 'D16', clause: `${LIMIT}/schema`, sentence: '`limit` bounds a page, and each page but the last leads on.' }, [
      once('one item a page', 3, async ({ subscription_id, types }, session) => {
        for (const type of types) await addSource(session, subscription_id, type);
        const answer = await succeed(session, 'listEventSources', { path: { subscription_id }, query: { limit: '1' } });
        const { sources, uri } = answer.json as { sources: unknown[]; uri: unknown };
        expectThat(sources.length === 1, 'A page of at most one item.', { expected: '1 item', got: sources });
        expectThat(typeof uri === 'string', 'There is a next page.', { expected: 'a `uri`', got: uri });
      }),
    ]),
    law('pages.last', { origin: 'source §4.5', clause: '/components/schemas/NextPageUri', sentence: '`uri` is null when there is no next page.' }, [
      once('fewer sources than fit on a page', 2, async ({ subscription_id, types, before }, session) => {
        for (const type of types) await addSource(session, subscription_id, type);
        if (before.length > 0) return;
        const answer = await succeed(session, 'listEventSources', { path: { subscription_id } });
        const { uri } = answer.json as { uri: unknown };
        expectThat(uri === null, 'The whole list is on this page.', { expected: null, got: uri });
      }),
    ]),
    law('pages.writes', { origin: 'D16', clause: LIST, sentence: 'A source that is there all the while appears exactly once, also while others are added and removed between the pages.' }, [
      {
        label: 'a write between two pages',
        values: fc.record({ limit: fc.integer({ min: 1, max: 3 }), add: fc.nat({ max: 6 }), remove: fc.nat({ max: 6 }) }),
        async check({ limit, add, remove }: { limit: number; add: number; remove: number }, session) {
          const { subscription_id, types } = await workspace(session, 7);
          const added = types[add]!;
          const removed = remove === add ? undefined : types[remove];
          for (const type of types) if (type !== added) await addSource(session, subscription_id, type);
          const between = async (page: number) => {
            if (page > 1) return;
            await addSource(session, subscription_id, added);
            if (removed !== undefined) await succeed(session, 'deleteEventSource', { path: { subscription_id, type: removed } });
          };
          const { types: listed } = await listAll(session, subscription_id, { limit, between });
          for (const type of types.filter((one) => one !== added && one !== removed)) {
            const times = listed.filter((one) => one === type).length;
            expectThat(times === 1, `${type} was there all the while.`, { expected: 'exactly once', got: `${times} times in ${JSON.stringify(listed)}` });
          }
          expectThat(new Set(listed).size === listed.length, 'A source is listed twice.', { expected: 'each once', got: listed });
        },
      },
    ]),
  ];
}
