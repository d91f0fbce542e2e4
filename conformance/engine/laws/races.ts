/** Several clients at once: one wins, nothing is lost, and no reader sees half a change. */
import { stringifyJson } from '../contract/json-numbers.ts';
import fc from 'fast-check';
import { expectSuccess } from '../http/expect-response.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { TAKEN } from './identity.ts';
import { forAll, forEach, holds, type Law, type PlannedCall, type Steps } from './steps.ts';
import { isShared, type Item, type Json, type PagedList, upper } from './resource.ts';

const RACERS = fc.integer({ min: 2, max: 8 });

/** Chance decides which of two is the first, and whether they meet at all. */
export const ROUNDS = [1, 2, 3, 4, 5, 6];

/** Calls at once, of which one succeeds and all others get the refusal that follows from it. */
async function race(steps: Steps, racers: readonly PlannedCall[], lost: number) {
  const responses = await steps.together(racers, { create: lost, update: lost, delete: lost });
  const [winner, ...others] = responses.filter(({ status }) => status < 300);
  const details = {
    expected: `one success, else ${lost}`,
    got: responses.map(({ status }) => status),
  };
  expectThat(winner !== undefined && others.length === 0, 'Exactly one of them wins.', details);
  return { responses, winner };
}

const times = (count: number, call: PlannedCall) => Array.from({ length: count }, () => call);

/** One call among three others, in another place each round. */
const amongThree = (round: number, one: PlannedCall, other: PlannedCall) =>
  times(3, other).toSpliced(round % 4, 0, one);

export const raceLaws = {
  raceCreate: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `Of several creations of ${one} with the same unique values at once, one succeeds and the others are refused with 409.`,
    properties: forAll('creations at once', RACERS, async (count, steps) => {
      const place = await steps.place();
      const { winner } = await race(
        steps,
        times(count, ['create', { path: place.path, json: place.bodies[0]! }]),
        409,
      );
      await steps.expectItems(place, [steps.itemIn(place, winner)], 'It is not there once');
    }),
  },
  raceUpdate: {
    sentence: ({ many }) =>
      `Where several ${many} are changed or created with the same unique values at once, one succeeds and the others are refused with 409.`,
    properties: [
      // A service may look before it writes: the creation comes before the changes, and after them.
      forAll('changes at once', fc.integer({ min: 2, max: 5 }), (count, steps) =>
        tryTaken(steps, count, 1, 1),
      ),
      // One that creates without a pause lets no change win where a creation comes first.
      forEach('changes alone, and before a creation', ROUNDS, (round, steps) =>
        tryTaken(steps, 6, 0, round % 2),
      ),
    ],
  },
  raceDelete: {
    needs: ['create', 'delete'],
    sentence: ({ one }) =>
      `Of several removals of ${one} at once, one succeeds and the others get 404.`,
    properties: forAll('removals at once', RACERS, async (count, steps) => {
      const { path } = await steps.createOne();
      await race(steps, times(count, ['delete', { path }]), 404);
    }),
  },
  raceMembers: {
    sentence: ({ one }) =>
      `Changes of different members of ${one} at once are all there afterwards.`,
    properties: (resource) => {
      const { disjoint = [] } = resource.values;
      const rounds = ROUNDS.map((round) =>
        disjoint.map((_, index) => disjoint[(index + round) % disjoint.length]!),
      );
      return forEach('one member each', rounds, async (patches, steps) => {
        const item = await steps.createOne();
        await steps.together(patches.map((json) => ['update', { path: item.path, json }]));
        const due = patches.reduce((shown, patch) => resource.changed(shown, patch), item.shown);
        steps.expectShown('A change was lost', await steps.read(item), due);
      });
    },
  },
  raceReaders: {
    sentence: ({ one }) =>
      `A client that reads ${one} while it is changed sees it before or after the change, and never half of it.`,
    properties: forEach('readers among writers', ROUNDS, (_, steps) => {
      if (steps.resource.id.givenBy === 'body') {
        return tryMovingReaders(steps);
      }
      return tryReaders(steps);
    }),
  },
  raceListed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `A reader of the list of ${many}, while ${one} is created, sees it whole, or not at all.`,
    properties: forEach('readers beside a creation', ROUNDS, (_, steps) => tryReadersOfList(steps)),
  },
  raceItems: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ many }) =>
      `Creations, changes and removals of different ${many} at once are all done, and the others are listed all the time.`,
    properties: (_, __, offered) =>
      forEach('some of each', ROUNDS, (round, steps) =>
        tryDifferent(steps, round, offered('list')),
      ),
  },
  raceRemoved: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one }) => `${upper(one)} that is removed while it is changed does not come back.`,
    properties: ({ unique }) => [
      forEach('a removal among changes', ROUNDS, tryRemoved),
      unique ? forEach('a removal among creations of the same', ROUNDS, tryFreed) : [],
    ],
  },
  raceMoves: {
    sentence: ({ one, many }) =>
      `Where the unique values of ${one} are changed to several others at once, it has those of one change, and ${many} can have the rest.`,
    properties: forEach('to several at once', ROUNDS, (_, steps) => tryMoves(steps)),
  },
} satisfies Record<string, Law>;

/** Changes of so many items to the same unique values, and creations of what has them: one of all of these succeeds. */
async function tryTaken(steps: Steps, count: number, before: number, after: number): Promise<void> {
  const place = await steps.place({ items: count + 1, atLeast: 3 });
  const [to, ...bodies] = place.bodies as [Json, ...Json[]];
  const items = await steps.createAll(place, bodies);
  const json = steps.uniqueOf(to);
  const changes = items.map(({ path }): PlannedCall => ['update', { path, json }]);
  const creation: PlannedCall = ['create', { path: place.path, json: to }];
  const racers = [...times(before, creation), ...changes, ...times(after, creation)];
  const { responses, winner } = await race(steps, racers, 409);
  const won = steps.itemIn(place, winner);
  const there = items.map((item, index) =>
    responses[before + index]!.status === 200 ? won : item,
  );
  if (!there.includes(won)) {
    there.push(won);
  }
  await steps.expectItems(place, there, 'Not the winner alone was changed');
}

const ROLES = ['changed', 'target', 'removed', 'created', 'kept'] as const;

/** Different items at once: a service that keeps them in one document, or its list beside them, may lose one. */
async function tryDifferent(steps: Steps, round: number, isListed: boolean): Promise<void> {
  const { resource, session } = steps;
  const place = await steps.place({ items: 3 * ROLES.length, atLeast: 3 });
  const bodies = (role: (typeof ROLES)[number]) =>
    place.bodies.filter((_, index) => ROLES[index % ROLES.length] === role);
  const free = resource.values.members.filter(
    (member) => !resource.unique?.members.includes(member),
  );
  const patches = bodies('target').map((body) =>
    free.length > 0 ? steps.otherOf(place, free.slice(0, 1)) : body,
  );
  const changed = await steps.createAll(place, bodies('changed').slice(0, patches.length));
  const removed = await steps.createAll(place, bodies('removed'));
  const kept = await steps.createAll(place, bodies('kept'));
  const change = async (item: Item, patch: Json) => {
    const now = await steps.update(item, patch);
    const due = free.length > 0 ? resource.changed(item.shown, patch) : patch;
    steps.expectShown('The change is another one', now.shown, due);
    return now;
  };
  const look = async () =>
    isListed && kept.length > 0 && steps.expectListed(await steps.list(place, kept), kept);
  const writes = [
    ...bodies('created').map((body) => () => steps.create(place, body)),
    ...changed.map((item, index) => () => change(item, patches[index]!)),
    ...removed.map((item) => () => steps.remove(item)),
  ];
  const turned = writes.map((_, index) => writes[(index + round) % writes.length]!);
  const after = await session.together<Item | void | boolean>(() =>
    [look, ...turned, look].map((send) => send()),
  );
  const there = [...kept, ...after.filter((item) => typeof item === 'object')];
  for (const item of there) {
    await steps.expectRead(item, 'A change at the same time was lost');
  }
  for (const item of removed) {
    await steps.expectGone(item, 'It was removed.');
  }
  if (!isListed || isShared(resource)) {
    return;
  }
  steps.expectAllListed(await steps.list(place), place, there);
}

/** Three changes and a removal of one item. Where a change gives it another id, one of the four succeeds. */
async function tryRemoved(round: number, steps: Steps): Promise<void> {
  const item = await steps.createOne(undefined, { items: 2 });
  const { path, place } = item;
  const racers = amongThree(
    round,
    ['delete', { path }],
    ['update', { path, json: steps.otherOf(place) }],
  );
  if (steps.resource.id.givenBy === 'body') {
    const { winner } = await race(steps, racers, 404);
    const due = winner.status === 200 ? [steps.itemIn(place, winner)] : [];
    return steps.expectItems(place, due, 'It is not what the one that won made it');
  }
  await steps.together(racers, { update: 404 });
  await steps.expectGone(item, 'It was removed.', ['read', 'update', 'delete']);
  if (!isShared(steps.resource)) {
    await steps.expectItems(place, [], 'It was removed');
  }
}

/** A removal, and creations of the same unique values: at most one succeeds, and what there is then can be removed. */
async function tryFreed(round: number, steps: Steps): Promise<void> {
  const place = await steps.place();
  const input = { path: place.path, json: place.bodies[0]! };
  const { path } = await steps.create(place, input.json);
  const responses = await steps.together(
    amongThree(round, ['delete', { path }], ['create', input]),
    { create: 409 },
  );
  const made = responses
    .filter(({ status }, index) => index !== round % 4 && status < 300)
    .map((response) => steps.itemIn(place, response));
  await steps.expectItems(place, made, 'The list is not what the responses say');
  for (const one of made) {
    await steps.refuse('create', input, [409], TAKEN);
    await steps.remove(one);
  }
  await steps.create(place, input.json, 'Nothing has this any more.');
}

/** Changes of one item to different unique values: it has one of them, and new items can have all others. */
async function tryMoves(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 5, atLeast: 3 });
  const [body, ...targets] = place.bodies as [Json, ...Json[]];
  const item = await steps.create(place, body);
  const racers = targets.map((to): PlannedCall => [
    'update',
    { path: item.path, json: steps.uniqueOf(to) },
  ]);
  let now = item;
  if (steps.resource.id.givenBy === 'body') {
    now = steps.itemIn(place, (await race(steps, racers, 404)).winner);
  } else {
    await steps.together(racers);
    now = { ...item, shown: await steps.read(item) };
  }
  const hasIt = (json: Json) =>
    stringifyJson(steps.uniqueOf(json)) === stringifyJson(steps.uniqueOf(now.shown));
  const taken = targets.find(hasIt);
  expectThat(taken !== undefined, 'It has values that no change gave it.', {
    expected: targets,
    got: now.shown,
  });
  const free = place.bodies.filter((json) => !hasIt(json));
  const others = await steps.createAll(place, free);
  await steps.refuse('create', { path: place.path, json: taken }, [409], TAKEN);
  await steps.expectItems(place, [now, ...others], 'The items are others');
}

/** Two changes of the same members, all of them, and readers: each sees the item as created or as one of the two made it. */
async function tryReaders(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const { values, list } = resource;
  const item = await steps.createOne();
  const full = steps.full();
  const other = steps.otherOf(item.place, values.members);
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
  for (const shown of [...responses.map(({ json }) => json as Json), last]) {
    const isOne = states.some((state) => isShown(shown, state));
    const details = { expected: 'all of one change, or nothing of it', got: shown };
    expectThat(isOne, 'A reader sees a mixture of two changes.', details);
  }
  expectThat(!isShown(last, item.shown), 'Both changes were lost.', {
    expected: 'one of them',
    got: last,
  });
  if (list.kind === 'embedded') {
    await steps.expectItems(item.place, [{ ...item, shown: last }], 'The list shows another state');
  }
}

async function tryReadersOfList(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 8, atLeast: 1 });
  const seen: Json[] = [];
  // Enough to have what was just created, also where others create at the same time.
  const look = async () => void seen.push(...(await steps.list(place, [], { limit: 20 })).items);
  const items: Item[] = [];
  const creations = { areOver: false };
  const create = async () => {
    for (const body of place.bodies) {
      const item = await steps.create(place, { ...steps.full(), ...body });
      items.push(item);
      // Another list is under way, which may have begun too early to show it.
      steps.expectListed(await steps.list(place, [item]), [item]);
    }
  };
  const read = async () => {
    while (!creations.areOver) {
      await look();
    }
  };
  await steps.session.together(() => [
    read(),
    read(),
    create().finally(() => (creations.areOver = true)),
  ]);
  for (const item of items) {
    for (const shown of seen.filter((one) => steps.idOf({ shown: one }) === steps.idOf(item))) {
      expectSame('A reader sees half of a creation', shown, item.shown);
    }
  }
}

/** A change that gives an item another id, and readers: it is always there, and listed once, under one of the two ids. */
async function tryMovingReaders(steps: Steps): Promise<void> {
  const { session } = steps;
  const { calls, id, list } = steps.resource;
  const place = await steps.place({ items: 2 });
  const [from, to] = place.bodies as [Json, Json];
  const { path } = await steps.create(place, from);
  const ids = [from, to].map((body) => String(body[id.member]));
  const look = async () => {
    const { json } = await steps.succeed('list', { path: place.path });
    const { [(list as PagedList).items]: items, [(list as PagedList).next]: next } = json as Json;
    const got = (items as Json[])
      .map((shown) => steps.idOf({ shown }))
      .filter((one) => ids.includes(one));
    // The item may be on another page.
    const isWhole = place.foreign.length > 0 || typeof next === 'string' || got.length === 1;
    expectThat(isWhole, 'A reader sees half of a change.', {
      expected: `one of ${ids.join(' and ')}`,
      got,
    });
  };
  const readEither = async () => {
    const response = await session.call(calls.read, { path });
    const moved = { ...path, [id.parameter]: String(to[id.member]) };
    if (response.status === 404) {
      await steps.succeed('read', { path: moved }, 'It is no more under its old id.');
    } else {
      expectSuccess(steps.implementation, session.operation(calls.read), response);
    }
  };
  await session.together<unknown>(() => [
    session.call(calls.update, { path, json: from }),
    ...[1, 2, 3].map(() => steps.succeed('read', { path }, 'It is changed into itself.')),
  ]);
  await session.together<unknown>(() => [
    session.call(calls.update, { path, json: to }),
    ...[1, 2, 3].flatMap(() => [look(), readEither()]),
  ]);
}
