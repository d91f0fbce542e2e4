/**
 * Several clients at once: one of them succeeds, no change is lost, and no reader sees half a
 * change.
 */
import fc from 'fast-check';
import { stringifyJson } from '../contract/json-numbers.ts';
import { expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import { forAll, forEach, type Law } from './law.ts';
import { elementAt } from './required.ts';
import { bodyOf, isShared, type Item, type Json, type Place, upper } from './resource.ts';
import { tryMovingReaders, tryReaders, tryReadersOfList } from './race-readers.ts';
import type { PlannedCall, Steps } from './steps.ts';
import { FREE, freeMembers, TAKEN } from './unique.ts';

const RACERS = fc.integer({ min: 2, max: 8 });

/** Chance decides which of two requests is the first, and whether they meet at all. */
export const ROUNDS = [1, 2, 3, 4, 5, 6];

export const raceLaws = {
  raceCreate: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `Of several creations of ${one} with the same unique values at once, ` +
      'one succeeds and the others are refused with 409.',
    properties: forAll('creations at once', RACERS, tryCreations),
  },
  raceUpdate: {
    sentence: ({ many }) =>
      `If several ${many} are changed or created with the same unique values at once, ` +
      'one succeeds and the others are refused with 409.',
    properties: [
      // A service may look before it writes: a creation comes before the changes, and another one
      // after them.
      forAll('changes at once', fc.integer({ min: 2, max: 5 }), (count, steps: Steps) =>
        tryChangesToOne(steps, { count, before: 1, after: 1 }),
      ),
      // A service that creates without a pause lets no change succeed if a creation comes first.
      forEach('changes alone, and before a creation', ROUNDS, (round, steps: Steps) =>
        tryChangesToOne(steps, { count: 6, before: 0, after: round % 2 }),
      ),
    ],
  },
  raceDelete: {
    needs: ['create', 'delete'],
    sentence: ({ one }) =>
      `Of several removals of ${one} at once, one succeeds and the others get 404.`,
    properties: forAll('removals at once', RACERS, tryRemovals),
  },
  raceMembers: {
    sentence: ({ one }) =>
      `Changes of different members of ${one} at once are all there afterwards.`,
    properties: ({ values: { disjoint = [] } }) => {
      const rounds = ROUNDS.map((round) => rotated(disjoint, round));
      return forEach('one member each', rounds, tryMembers);
    },
  },
  raceReaders: {
    sentence: ({ one }) =>
      `A client that reads ${one} while it is changed sees it before or after the ` +
      'change, and never half of it.',
    properties: ({ id }) =>
      forEach('readers among writers', ROUNDS, (_, steps: Steps) => {
        if (id.givenBy === 'body') {
          return tryMovingReaders(steps);
        }
        return tryReaders(steps);
      }),
  },
  raceListed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `A reader of the list of ${many}, while ${one} is created, sees it whole, or not at all.`,
    properties: forEach('readers beside a creation', ROUNDS, (_, steps: Steps) =>
      tryReadersOfList(steps),
    ),
  },
  raceItems: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ many }) =>
      `Creations, changes and removals of different ${many} at once are all done, ` +
      'and the others are listed all the time.',
    properties: (_, __, offered) =>
      forEach('some of each', ROUNDS, (round, steps: Steps) =>
        tryDifferent(steps, round, offered('list')),
      ),
  },
  raceRemoved: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one }) => `${upper(one)} that is removed while it is changed does not come back.`,
    properties: ({ unique }) => [
      forEach('a removal among changes', ROUNDS, tryRemovedAmongChanges),
      unique
        ? forEach('a removal among creations of the same', ROUNDS, tryRemovedAmongCreations)
        : [],
    ],
  },
  raceMoves: {
    sentence: ({ one, many }) =>
      `If the unique values of ${one} are changed to several others at once, ` +
      `it has those of one change, and ${many} can have the rest.`,
    properties: forEach('to several at once', ROUNDS, (_, steps: Steps) => tryMoves(steps)),
  },
} satisfies Record<string, Law>;

interface RaceResult {
  /** In the order of the calls. */
  responses: HttpResponse[];
  /** The response of the only call that succeeded. */
  winner: HttpResponse;
}

/** Sends calls at once. One must succeed, and all others must be refused with this status. */
async function race(
  steps: Steps,
  calls: readonly PlannedCall[],
  refusal: number,
): Promise<RaceResult> {
  const refusals = { create: refusal, update: refusal, delete: refusal };
  const responses = await steps.together(calls, refusals);
  const [winner, ...others] = responses.filter(({ status }) => status < 300);
  const statuses = responses.map(({ status }) => status);
  const details = { expected: `one success, else ${refusal}`, got: statuses };
  const isOne = winner !== undefined && others.length === 0;
  expectThat(isOne, 'Not exactly one of the requests succeeded.', details);
  return { responses, winner };
}

function times(count: number, call: PlannedCall): PlannedCall[] {
  return Array.from({ length: count }, () => call);
}

/** One call among three others, in another place each round. */
function amongThree(round: number, one: PlannedCall, other: PlannedCall): PlannedCall[] {
  return times(3, other).toSpliced(round % 4, 0, one);
}

/** The list, beginning at another element. */
function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, index) => elementAt(list, (index + by) % list.length));
}

async function tryCreations(count: number, steps: Steps): Promise<void> {
  const place = await steps.place();
  const input = { path: place.path, json: bodyOf(place) };
  const { winner } = await race(steps, times(count, { call: 'create', input }), 409);
  await steps.expectItems(place, [steps.itemIn(place, winner)], 'The item is not there once');
}

async function tryRemovals(count: number, steps: Steps): Promise<void> {
  const { path } = await steps.createOne();
  await race(steps, times(count, { call: 'delete', input: { path } }), 404);
}

async function tryMembers(patches: readonly Json[], steps: Steps): Promise<void> {
  const item = await steps.createOne();
  const changes = patches.map((json): PlannedCall => {
    return { call: 'update', input: { path: item.path, json } };
  });
  await steps.together(changes);
  let due = item.shown;
  for (const patch of patches) {
    due = steps.resource.changed(due, patch);
  }
  steps.expectShown('A change was lost', await steps.read(item), due);
}

/** Changes of several items to the same unique values, and creations of an item that has them. */
interface ChangesToOne {
  /** The number of items that are changed. */
  count: number;
  /** The number of creations that are sent before the changes. */
  before: number;
  /** The number of creations that are sent after the changes. */
  after: number;
}

async function tryChangesToOne(
  steps: Steps,
  { count, before, after }: ChangesToOne,
): Promise<void> {
  const place = await steps.place({ items: count + 1, atLeast: 3 });
  const to = bodyOf(place);
  const items = await steps.createAll(place, place.bodies.slice(1));
  const json = steps.uniqueOf(to);
  const creation: PlannedCall = { call: 'create', input: { path: place.path, json: to } };
  const changes = items.map(({ path }): PlannedCall => {
    return { call: 'update', input: { path, json } };
  });
  const calls = [...times(before, creation), ...changes, ...times(after, creation)];
  const { responses, winner } = await race(steps, calls, 409);
  const won = steps.itemIn(place, winner);
  const isChanged = (index: number) => elementAt(responses, before + index).status === 200;
  const there = items.map((item, index) => (isChanged(index) ? won : item));
  if (!there.includes(won)) {
    there.push(won);
  }
  await steps.expectItems(place, there, 'Other items are there than the responses say');
}

/** The call for an item, by its index. */
const ROLES = ['changed', 'target', 'removed', 'created', 'kept'] as const;
type Role = (typeof ROLES)[number];

/**
 * Different items at once: a service that keeps them in one document, or its list beside them, may
 * lose one.
 */
async function tryDifferent(steps: Steps, round: number, isListed: boolean): Promise<void> {
  const { resource, session } = steps;
  const place = await steps.place({ items: 3 * ROLES.length, atLeast: 3 });
  const bodies = (role: Role) =>
    place.bodies.filter((_, index) => ROLES[index % ROLES.length] === role);
  const patches = differentPatches(steps, place, bodies('target'));
  const changed = await steps.createAll(place, bodies('changed').slice(0, patches.length));
  const removed = await steps.createAll(place, bodies('removed'));
  const kept = await steps.createAll(place, bodies('kept'));
  const look = async () => {
    if (isListed && kept.length > 0) {
      steps.expectListed(await steps.list(place, kept), kept);
    }
  };
  const writes: (() => Promise<Item | void>)[] = [
    ...bodies('created').map((body) => () => steps.create(place, body)),
    ...changed.map((item, index) => () => change(steps, item, elementAt(patches, index))),
    ...removed.map((item) => () => steps.remove(item)),
  ];
  const sends = [look, ...rotated(writes, round), look];
  const results = await session.together(() => sends.map((send) => send()));
  const written = results.filter((item) => item !== undefined);
  const there = [...kept, ...written];
  for (const item of there) {
    await steps.expectRead(item, 'A change at the same time was lost');
  }
  for (const item of removed) {
    await steps.expectGone(item, 'The item was removed.');
  }
  if (isListed && !isShared(resource)) {
    steps.expectAllListed(await steps.list(place), place, there);
  }
}

/**
 * Changes of as many items: of a member that may be equal in all of them, if there is one; else to
 * these bodies.
 */
function differentPatches(steps: Steps, place: Place, targets: readonly Json[]): Json[] {
  const [free] = freeMembers(steps.resource);
  return targets.map((body) => (free === undefined ? body : steps.otherOf(place, [free])));
}

async function change(steps: Steps, item: Item, patch: Json): Promise<Item> {
  const { resource } = steps;
  const changed = await steps.update(item, patch);
  const hasFree = freeMembers(resource).length > 0;
  const due = hasFree ? resource.changed(item.shown, patch) : patch;
  steps.expectShown('The response shows another change', changed.shown, due);
  return changed;
}

/**
 * A removal and three changes of one item. If a change gives it another id, one of the four calls
 * succeeds.
 */
async function tryRemovedAmongChanges(round: number, steps: Steps): Promise<void> {
  const { resource } = steps;
  const item = await steps.createOne(undefined, { items: 2 });
  const { path, place } = item;
  const removal: PlannedCall = { call: 'delete', input: { path } };
  const json = steps.otherOf(place);
  const calls = amongThree(round, removal, { call: 'update', input: { path, json } });
  if (resource.id.givenBy === 'body') {
    const { winner } = await race(steps, calls, 404);
    const due = winner.status === 200 ? [steps.itemIn(place, winner)] : [];
    const what = 'The item is not what the successful request made it';
    await steps.expectItems(place, due, what);
    return;
  }
  const responses = await steps.together(calls, { update: 404 });
  const ofChanges = responses.filter((_, index) => elementAt(calls, index) !== removal);
  expectChangeShown(steps, item, json, ofChanges);
  await steps.expectGone(item, 'The item was removed.', ['read', 'update', 'delete']);
  if (!isShared(resource)) {
    await steps.expectItems(place, [], 'The list is not empty, though its only item was removed');
  }
}

/** Each success of the change of a bare item shows it, though the item is gone. */
function expectChangeShown(
  steps: Steps,
  item: Item,
  patch: Json,
  changes: readonly HttpResponse[],
): void {
  const { resource } = steps;
  if (resource.silent?.includes('update') || resource.changeOf !== undefined) {
    return;
  }
  const { place } = item;
  const before = resource.shown(steps.bodyIn(place, steps.bare()));
  for (const response of changes) {
    if (response.status < 300) {
      steps.expectChangeShown(steps.itemIn(place, response), item, before, patch);
    }
  }
}

/** A removal, and three creations of the same unique values: at most one of them succeeds. */
async function tryRemovedAmongCreations(round: number, steps: Steps): Promise<void> {
  const place = await steps.place();
  const input = { path: place.path, json: bodyOf(place) };
  const { path } = await steps.create(place, input.json);
  const removal: PlannedCall = { call: 'delete', input: { path } };
  const calls = amongThree(round, removal, { call: 'create', input });
  const responses = await steps.together(calls, { create: 409 });
  const created = responses.filter(({ status }, index) => {
    return elementAt(calls, index) !== removal && status < 300;
  });
  const items = created.map((response) => steps.itemIn(place, response));
  await steps.expectItems(place, items, 'The list is not what the responses say');
  for (const item of items) {
    await steps.refuse('create', input, { statuses: [409], why: TAKEN });
    await steps.remove(item);
  }
  await steps.create(place, input.json, FREE);
}

/**
 * Changes of one item to different unique values: it has those of one change, and new items can
 * have all others.
 */
async function tryMoves(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 5, atLeast: 3 });
  const item = await steps.create(place, bodyOf(place));
  const targets = place.bodies.slice(1);
  const changes = targets.map((to): PlannedCall => {
    return { call: 'update', input: { path: item.path, json: steps.uniqueOf(to) } };
  });
  const moved = await afterChanges(steps, item, changes);
  const valuesOf = (json: Json) => stringifyJson(steps.uniqueOf(json));
  const isTaken = (json: Json) => valuesOf(json) === valuesOf(moved.shown);
  const details = { expected: targets, got: moved.shown };
  const taken = targets.find(isTaken);
  expectThat(taken !== undefined, 'The item has values that no change gave it.', details);
  const free = place.bodies.filter((json) => !isTaken(json));
  const others = await steps.createAll(place, free);
  const input = { path: place.path, json: taken };
  await steps.refuse('create', input, { statuses: [409], why: TAKEN });
  await steps.expectItems(place, [moved, ...others], 'Unexpected items');
}

/** The item after changes at once. If a change gives it another id, one of them succeeds. */
async function afterChanges(
  steps: Steps,
  item: Item,
  changes: readonly PlannedCall[],
): Promise<Item> {
  if (steps.resource.id.givenBy === 'body') {
    const { winner } = await race(steps, changes, 404);
    return steps.itemIn(item.place, winner);
  }
  await steps.together(changes);
  return { ...item, shown: await steps.read(item) };
}
