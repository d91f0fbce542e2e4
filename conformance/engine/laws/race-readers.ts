/** Clients that read an item or a list while others write: each sees a whole state. */
import { expectSuccess } from '../http/expect-response.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { holds } from './expect-items.ts';
import { bodyOf, type Item, type Json, pagedListOf, type Place } from './resource.ts';
import type { Steps } from './steps.ts';

/**
 * The number of items of a list among which the item that was just created must be, also if others
 * create items at the same time.
 */
const ENOUGH = 20;

/** The number of readers of each kind that read at once. */
const READERS = [1, 2, 3];

/**
 * Two changes of all members, and readers. Each sees the item as it was created, or as one of the
 * changes made it.
 */
export async function tryReaders(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const item = await steps.createOne();
  const full = steps.full();
  const other = steps.otherOf(item.place, resource.values.members);
  const states = [
    item.shown,
    resource.changed(item.shown, full),
    resource.changed(item.shown, other),
  ];
  const isShown = (got: Json, expected: Json) => holds(() => steps.expectShown('', got, expected));
  const look = () => steps.succeed('read', { path: item.path });
  const change = (json: Json) => steps.succeed('update', { path: item.path, json });
  const responses = await session.together(() => [
    change(full),
    look(),
    change(other),
    look(),
    look(),
    look(),
    look(),
  ]);
  const last = await steps.read(item);
  const seen = responses.map(({ json }) => json as Json);
  for (const shown of [...seen, last]) {
    const isOne = states.some((state) => isShown(shown, state));
    const details = { expected: 'all of one change, or nothing of it', got: shown };
    expectThat(isOne, 'A reader sees a mixture of two changes.', details);
  }
  const isChanged = !isShown(last, item.shown);
  const details = { expected: 'one of them', got: last };
  expectThat(isChanged, 'Both changes were lost.', details);
  if (resource.list.kind === 'embedded') {
    const now = { ...item, shown: last };
    await steps.expectItems(item.place, [now], 'The list shows another state');
  }
}

/** Creations, and two readers of the list. Each sees an item whole, or not at all. */
export async function tryReadersOfList(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 8, atLeast: 1 });
  const seen: Json[] = [];
  const items: Item[] = [];
  const creations = { areOver: false };
  const createAll = async () => {
    for (const body of place.bodies) {
      const item = await steps.create(place, { ...steps.full(), ...body });
      items.push(item);
      // A list that is under way may have begun too early to show the item.
      steps.expectListed(await steps.list(place, [item]), [item]);
    }
  };
  const create = () =>
    createAll().finally(() => {
      creations.areOver = true;
    });
  const read = async () => {
    while (!creations.areOver) {
      const listing = await steps.list(place, [], { limit: ENOUGH });
      seen.push(...listing.items);
    }
  };
  await steps.session.together(() => [read(), read(), create()]);
  for (const item of items) {
    for (const shown of steps.ownIn({ items: seen }, [item])) {
      expectSame('A reader sees half of a creation', shown, item.shown);
    }
  }
}

/** An item that moves from one id to another. */
interface Move {
  place: Place;
  /** The body that gives it its old id. */
  from: Json;
  /** The body that gives it its new id. */
  to: Json;
  /** The old address of the item. */
  path: Item['path'];
}

/**
 * A change that gives an item another id, and readers: it is always there, and listed once, under
 * one of the two ids.
 */
export async function tryMovingReaders(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const { calls } = resource;
  const place = await steps.place({ items: 2 });
  const from = bodyOf(place, 0);
  const to = bodyOf(place, 1);
  const { path } = await steps.create(place, from);
  const move: Move = { place, from, to, path };
  await session.together<unknown>(() => [
    session.call(calls.update, { path, json: from }),
    ...READERS.map(() => steps.succeed('read', { path }, 'The item is changed into itself.')),
  ]);
  await session.together<unknown>(() => [
    session.call(calls.update, { path, json: to }),
    ...READERS.flatMap(() => [expectListedOnce(steps, move), readEither(steps, move)]),
  ]);
}

async function expectListedOnce(steps: Steps, { place, from, to }: Move): Promise<void> {
  const { id } = steps.resource;
  const list = pagedListOf(steps.resource);
  const ids = [from, to].map((body) => String(body[id.member]));
  const { json } = await steps.succeed('list', { path: place.path });
  const { [list.items]: items, [list.next]: next } = json as Json;
  const listed = (items as Json[]).map((shown) => steps.idOf({ shown }));
  const got = listed.filter((one) => ids.includes(one));
  // The item may be on another page.
  const mayBeElsewhere = place.foreign.length > 0 || typeof next === 'string';
  const details = { expected: `one of ${ids.join(' and ')}`, got };
  expectThat(mayBeElsewhere || got.length === 1, 'A reader sees half of a change.', details);
}

/** Reads the item under its old id, and under its new id if the old one is gone. */
async function readEither(steps: Steps, { path, to }: Move): Promise<void> {
  const { session, resource } = steps;
  const { id, calls } = resource;
  const response = await session.call(calls.read, { path });
  if (response.status === 404) {
    const moved = { ...path, [id.parameter]: String(to[id.member]) };
    await steps.succeed('read', { path: moved }, 'The item does not have its old id any more.');
    return;
  }
  expectSuccess(steps.implementation, session.operation(calls.read), response);
}
