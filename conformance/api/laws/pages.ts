/** Paging of event sources (D16): every page size gives the same list, also while others write. */
import fc from 'fast-check';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { law, once } from './event-sources.ts';
import { each, type Requirement } from '../../engine/requirements/requirement.ts';
import { addSource, listAll, succeed } from '../steps.ts';
import { NotPossible } from '../../engine/http/undecided.ts';
import { workspace } from '../workspace.ts';

const LIST = '/paths/~1event_subscriptions~1{subscription_id}~1sources/get';
const LIMIT = '/components/parameters/Limit';

export function pageLaws(): Requirement[] {
  return [
    law(
      'order',
      {
        origin: 'D16',
        clause: '/components/schemas/EventSourceList/properties/sources',
        sentence: 'Sources are listed by ascending type, in the order of ASCII.',
      },
      [
        {
          label: 'added in any order',
          values: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 2 }),
          async check(order: number[], session) {
            const { subscription_id, types, before } = await workspace(session, 7, { atLeast: 2 });
            const added = order.filter((index) => index < types.length).map((index) => types[index]!);
            for (const type of added) await addSource(session, subscription_id, type);
            const listed = (await listAll(session, subscription_id)).types;
            expectSame('The list has another order', listed, [...before, ...added].toSorted());
          },
        },
      ],
    ),
    law(
      'pages',
      { origin: 'D16', clause: LIST, sentence: 'Following `uri` gives every source exactly once, at every page size.' },
      [
        // A page after the second one shows whether `limit` goes along: with seven sources, small pages all have it.
        ...each(
          { 'pages of 1': 1, 'pages of 2': 2, 'pages of 3': 3, 'pages of 6': 6, 'pages of 7': 7, 'pages of 8': 8 },
          (limit: number, session) => expectPages(session, 7, limit),
        ),
        {
          label: 'page sizes around the number of sources',
          values: fc.record({ count: fc.integer({ min: 0, max: 7 }), limit: fc.integer({ min: 1, max: 8 }) }),
          check: ({ count, limit }: { count: number; limit: number }, session) => expectPages(session, count, limit),
        },
      ],
    ),
    law(
      'pages.limit',
      {
        origin: 'D16',
        clause: `${LIMIT}/schema`,
        sentence: '`limit` bounds a page, and each page but the last leads on.',
      },
      [
        once(
          'one item a page',
          3,
          async ({ subscription_id, types }, session) => {
            for (const type of types) await addSource(session, subscription_id, type);
            const response = await succeed(session, 'listEventSources', {
              path: { subscription_id },
              query: { limit: '1' },
            });
            const { sources, uri } = response.json as { sources: unknown[]; uri: unknown };
            expectThat(sources.length === 1, 'A page of at most one item.', { expected: '1 item', got: sources });
            expectThat(typeof uri === 'string', 'There is a next page.', { expected: 'a `uri`', got: uri });
          },
          { atLeast: 2 },
        ),
      ],
    ),
    {
      ...law(
        'pages.default',
        {
          origin: 'D16',
          clause: `${LIMIT}/schema/default`,
          sentence: 'More sources than a page can hold are all listed without `limit`, at most 100 a page.',
        },
        [
          once('101 sources', 0, async ({ subscription_id }, session) => {
            const types = Array.from({ length: 101 }, (_, index) => `conformance_${index}.v0`).toSorted();
            for (const type of types) await addSource(session, subscription_id, type);
            const { types: listed, pages } = await listAll(session, subscription_id);
            expectSame('The pages together are not the list', listed, types);
            expectThat(
              pages.every((size) => size <= 100),
              'A page has more than 100 items.',
              { expected: 'at most 100', got: pages },
            );
          }),
        ],
      ),
      skip: ({ testData: knowledge, subscriptions }) =>
        knowledge.eventTypes.length > 0 || subscriptions.shared
          ? 'needs a subscription of its own and 101 event types'
          : undefined,
    },
    law(
      'pages.last',
      {
        origin: 'source §4.5',
        clause: '/components/schemas/NextPageUri',
        sentence: '`uri` is null when there is no next page.',
      },
      [
        once('fewer sources than fit on a page', 2, async ({ subscription_id, types, before }, session) => {
          for (const type of types) await addSource(session, subscription_id, type);
          const response = await succeed(session, 'listEventSources', { path: { subscription_id } });
          const { sources, uri } = response.json as { sources: unknown[]; uri: unknown };
          if (before.length > 0 && sources.length < before.length + types.length)
            throw new NotPossible('needs a subscription whose sources fit on one page');
          expectThat(uri === null, 'The whole list is on this page.', { expected: null, got: uri });
        }),
      ],
    ),
    law(
      'pages.writes',
      {
        origin: 'D16',
        clause: LIST,
        sentence:
          'A source that is there all the while appears exactly once, also while others are added and removed between the pages.',
      },
      [
        // The source that ended the first page is a place that a cursor may name.
        ...each(
          {
            'the last of a page of 1 is removed': 1,
            'the last of a page of 2 is removed': 2,
            'the last of a page of 3 is removed': 3,
          },
          (limit: number, session) => expectListedThroughWrites(session, { limit, add: 6, remove: limit - 1 }),
        ),
        {
          label: 'a write between two pages',
          values: fc.record({
            limit: fc.integer({ min: 1, max: 3 }),
            add: fc.nat({ max: 6 }),
            remove: fc.nat({ max: 6 }),
          }),
          check: (writes: Writes, session) => expectListedThroughWrites(session, writes),
        },
      ],
    ),
  ];
}

async function expectPages(session: Session, count: number, limit: number): Promise<void> {
  const { subscription_id, types, before } = await workspace(session, count, { atLeast: Math.min(count, 2) });
  for (const type of types) await addSource(session, subscription_id, type);
  const { types: listed, pages } = await listAll(session, subscription_id, { limit });
  expectSame('The pages together are not the list', listed.toSorted(), [...before, ...types].toSorted());
  expectThat(
    pages.every((size) => size <= limit),
    'A page has more items than `limit`.',
    { expected: `at most ${limit}`, got: pages },
  );
}

interface Writes {
  limit: number;
  /** Which type is added after the first page, and which is removed. */
  add: number;
  remove: number;
}

async function expectListedThroughWrites(session: Session, { limit, add, remove }: Writes): Promise<void> {
  const { subscription_id, types } = await workspace(session, 7, { atLeast: 3 });
  const added = types[add % types.length]!;
  const removed = remove === add ? undefined : types.filter((type) => type !== added)[remove % (types.length - 1)];
  for (const type of types) if (type !== added) await addSource(session, subscription_id, type);
  const between = async (page: number) => {
    if (page > 1) return;
    await addSource(session, subscription_id, added);
    if (removed !== undefined)
      await succeed(session, 'deleteEventSource', { path: { subscription_id, type: removed } });
  };
  const { types: listed } = await listAll(session, subscription_id, { limit, between });
  for (const type of types.filter((one) => one !== added && one !== removed)) {
    const times = listed.filter((one) => one === type).length;
    expectThat(times === 1, `${type} was there all the while.`, {
      expected: 'exactly once',
      got: `${times} times in ${JSON.stringify(listed)}`,
    });
  }
  expectThat(new Set(listed).size === listed.length, 'A source is listed twice.', {
    expected: 'each once',
    got: listed,
  });
}
