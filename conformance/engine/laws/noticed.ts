/** What was read a moment ago shows each write all the same: no cache on the way hides it. */
import { expectSame } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import type { Reading } from './listing.ts';
import {
  bodyOf,
  childrenOf,
  isShared,
  type Item,
  type Json,
  type Place,
  upper,
} from './resource.ts';
import type { Steps } from './steps.ts';

/**
 * What is read at once after each write: chance may have kept the other from a cache. `pages`: the
 * list in pages of one item, which a cache has under other URIs than the first one.
 */
type First = 'items' | 'list' | 'pages';

/** Writes of other clients may renew what a cache has: that must not happen each time. */
const ROUNDS: readonly First[] = ['list', 'items', 'list', 'items', 'list'];

const ROUNDS_WITH_PAGES: readonly First[] = [...ROUNDS, 'pages', 'pages'];

const OLD = 'A read shows what was there before the last write';
const OLD_LIST = 'The list shows what was there before the last write';
const GONE = 'It was removed, just after it was read.';

export const noticedLaws = {
  noticed: {
    needs: ['create', 'read', 'update', 'delete', 'list'],
    sentence: ({ one, many }) =>
      `${upper(one)} and the list of ${many} that were read a moment ago show a creation, a ` +
      'change and a removal at once.',
    properties: ({ list }) => {
      const hasPages = list.kind === 'paged' && list.size !== undefined;
      return forEach('writes after reads', hasPages ? ROUNDS_WITH_PAGES : ROUNDS, tryNoticed);
    },
  },
  noticedInside: {
    needs: ['create', 'read', 'update', 'delete', 'list'],
    sentence: (resource) => {
      const { many } = childrenOf(resource).resource;
      return (
        `${upper(resource.one)} that was read a moment ago shows each write of its ${many} at ` +
        'once, and they are gone with it.'
      );
    },
    properties: forEach('writes inside after reads', ROUNDS, tryNoticedInside),
  },
} satisfies Record<string, Law>;

async function tryNoticed(first: First, steps: Steps): Promise<void> {
  const { id } = steps.resource;
  const place = await steps.place({ items: 4 });
  const look = (items: readonly Item[]) => lookAt(steps, place, items, first);
  const reading = readingOf(first);
  const oldest = await steps.create(place, bodyOf(place));
  const item = await steps.create(place, bodyOf(place, 1));
  await look([oldest, item]);
  const body = bodyOf(place, 2);
  if (id.givenBy === 'body') {
    const path = { ...place.path, [id.parameter]: String(body[id.member]) };
    await steps.expectGone({ place, path }, 'It is not created yet.');
    await steps.head(path);
  }
  const created = await steps.create(place, body);
  await look([oldest, item, created]);
  const changed = await steps.update(item, steps.otherOf(place));
  if (first === 'items' && steps.idOf(changed) !== steps.idOf(item)) {
    await steps.expectGone(item, `It was changed into ${steps.idOf(changed)}, just after a read.`);
  }
  await look([oldest, changed, created]);
  await expectRemoved(created);
  await look([oldest, changed]);
  await expectRemoved(changed);
  await look([oldest]);

  /** Removes it. The list comes next, or a read of it. */
  async function expectRemoved(one: Item): Promise<void> {
    await steps.remove(one);
    if (first === 'items') {
      await steps.expectGone(one, GONE);
    }
    const listing = await steps.list(place, [oldest], reading);
    steps.expectNotListed(listing, [one], OLD_LIST);
    await steps.expectGone(one, GONE);
  }
}

/**
 * Reads all that shows the items, and compares it with what is due: the list just after the last
 * write or just before the next one, or both.
 */
async function lookAt(
  steps: Steps,
  place: Place,
  items: readonly Item[],
  first: First,
): Promise<void> {
  const reading = readingOf(first);
  if (first !== 'items') {
    await lookAtList(steps, place, items, reading);
  }
  for (const item of items) {
    await steps.expectRead(item, OLD);
  }
  await lookAtList(steps, place, items, reading);
}

function readingOf(first: First): Reading {
  return first === 'pages' ? { limit: 1 } : {};
}

async function lookAtList(
  steps: Steps,
  place: Place,
  items: readonly Item[],
  reading: Reading,
): Promise<void> {
  const listing = await steps.list(place, items, reading);
  if (isShared(steps.resource)) {
    steps.expectListed(listing, items);
  } else {
    steps.expectAllListed(listing, place, items);
  }
  steps.expectShownIn(listing, items, OLD_LIST);
}

/** The parent and what is inside of it, as one reads and lists them. */
async function tryNoticedInside(first: First, steps: Steps): Promise<void> {
  const children = childrenOf(steps.resource);
  const inner = steps.on(children.resource);
  const parent = await steps.createOne();
  const place = children.placeIn(parent, 4);
  const look = async (items: readonly Item[]): Promise<void> => {
    const early = first === 'list' ? [await listed(steps, parent)] : [];
    const shown = await steps.read(parent);
    await inner.expectItems(place, items, OLD_LIST);
    for (const item of items) {
      await inner.expectRead(item, OLD);
    }
    for (const seen of [...early, await listed(steps, parent)]) {
      expectSame(OLD_LIST, seen, [shown]);
    }
  };
  await look([]);
  const one = await inner.create(place, bodyOf(place));
  await look([one]);
  const other = await inner.create(place, bodyOf(place, 1));
  await look([one, other]);
  const changed = await inner.update(one, inner.otherOf(place));
  await look([changed, other]);
  await inner.remove(other);
  await inner.expectGone(other, GONE);
  await look([changed]);
  await inner.expectRead(changed, OLD);
  await steps.remove(parent);
  await inner.expectGone(changed, GONE);
  await steps.expectGone(parent, GONE);
}

/** What the list shows of the item. */
async function listed(steps: Steps, item: Item): Promise<Json[]> {
  return steps.ownIn(await steps.list(item.place, [item]), [item]);
}
