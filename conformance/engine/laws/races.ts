/** Several clients at once: one wins, nothing is lost, and no reader sees half a change. */
import fc from 'fast-check';
import type { CallInput } from '../http/call.ts';
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { forAll, forEach, type Law } from './law.ts';
import type { Json, Named, PagedList } from './resource.ts';
import { holds, type Steps } from './steps.ts';

const RACERS = fc.integer({ min: 2, max: 8 });

/** Chance decides which of two is the first, and whether they meet at all. */
export const ROUNDS = [1, 2, 3, 4, 5, 6];

/** Calls at once, of which one succeeds and all others get the refusal that follows from it. */
async function race(steps: Steps, call: Named | 'create', inputs: readonly CallInput[], won: number, lost: number) {
  const { session, resource, implementation } = steps;
  const operation = session.operation(resource.calls[call]);
  const responses = await steps.together(call, inputs);
  const [winner, ...others] = responses.filter(({ status }) => status === won);
  const details = { expected: `one ${won}, else ${lost}`, got: responses.map(({ status }) => status) };
  expectThat(winner !== undefined && others.length === 0, 'Exactly one of them wins.', details);
  expectSuccess(implementation, operation, winner);
  for (const response of responses)
    if (response !== winner) expectRefusal(implementation, operation, response, [lost], 'Another request won.');
  return { responses, winner };
}

export const raceLaws = {
  raceCreate: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `Of several creations of ${one} with the same unique values at once, one succeeds and the others are refused with 409.`,
    properties: () =>
      forAll('creations at once', RACERS, async (count, steps) => {
        const place = await steps.place();
        const input = { path: place.path, json: place.bodies[0]! };
        const inputs = Array.from({ length: count }, () => input);
        const { winner } = await race(steps, 'create', inputs, 201, 409);
        await steps.expectItems(place, [steps.itemIn(place, winner)], 'It is not there once');
      }),
  },
  raceUpdate: {
    needs: ['create', 'read', 'update'],
    sentence: ({ many }) =>
      `Of several changes of ${many} to the same unique values at once, one succeeds and the others are refused with 409.`,
    properties: () =>
      forAll('changes at once', fc.integer({ min: 2, max: 5 }), async (count, steps) => {
        const place = await steps.place({ items: count + 1, atLeast: 3 });
        const [to, ...bodies] = place.bodies as [Json, ...Json[]];
        const items = await steps.createAll(place, bodies);
        const json = steps.uniqueOf(to);
        const inputs = items.map(({ path }) => ({ path, json }));
        const { responses, winner } = await race(steps, 'update', inputs, 200, 409);
        const changed = steps.itemIn(place, winner);
        const after = items.map((item, index) => (responses[index]!.status === 200 ? changed : item));
        await steps.expectItems(place, after, 'Not the winner alone was changed');
      }),
  },
  raceDelete: {
    needs: ['create', 'delete'],
    sentence: ({ one }) => `Of several removals of ${one} at once, one succeeds and the others get 404.`,
    properties: () =>
      forAll('removals at once', RACERS, async (count, steps) => {
        const { path } = await steps.createOne();
        const inputs = Array.from({ length: count }, () => ({ path }));
        await race(steps, 'delete', inputs, 204, 404);
      }),
  },
  raceMembers: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `Changes of different members of ${one} at once are all there afterwards.`,
    properties: (resource) => {
      const { disjoint = [] } = resource.values;
      const rounds = ROUNDS.map((round) => disjoint.map((_, index) => disjoint[(index + round) % disjoint.length]!));
      return [
        forEach('one member each', rounds, async (patches, steps) => {
          const item = await steps.createOne();
          const inputs = patches.map((json) => ({ path: item.path, json }));
          const operation = steps.session.operation(resource.calls.update);
          for (const response of await steps.together('update', inputs))
            expectSuccess(steps.implementation, operation, response);
          const due = patches.reduce((shown, patch) => resource.changed(shown, patch), item.shown);
          steps.expectShown('A change was lost', await steps.read(item), due);
        }),
      ];
    },
  },
  raceReaders: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) =>
      `A client that reads ${one} while it is changed sees it before or after the change, and never half of it.`,
    properties: (resource) =>
      forEach('readers among writers', ROUNDS, (_, steps) =>
        resource.id.givenBy === 'body' ? tryMovingReaders(steps) : tryReaders(steps),
      ),
  },
  raceListed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `A reader of the list of ${many}, while ${one} is created, sees it whole, or not at all.`,
    properties: () => [forEach('readers beside a creation', ROUNDS, (_, steps) => tryReadersOfList(steps))],
  },
} satisfies Record<string, Law>;

/** Two changes of the same members, all of them, and readers: each sees the item as created or as one of the two made it. */
async function tryReaders(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const { values, list } = resource;
  const item = await steps.createOne();
  const { path } = item;
  const full = steps.full();
  const other = steps.otherOf(item.place, values.members);
  const states = [item.shown, resource.changed(item.shown, full), resource.changed(item.shown, other)];
  const isShown = (got: Json, expected: Json) => holds(() => steps.expectShown('', got, expected));
  const look = () => steps.succeed('read', { path });
  const change = (json: Json) => steps.succeed('update', { path, json });
  const responses = await session.together(() => [change(full), look(), change(other), look(), look(), look(), look()]);
  const last = await steps.read(item);
  for (const shown of [...responses.map(({ json }) => json as Json), last]) {
    const isOne = states.some((state) => isShown(shown, state));
    const details = { expected: 'all of one change, or nothing of it', got: shown };
    expectThat(isOne, 'A reader sees a mixture of two changes.', details);
  }
  expectThat(!isShown(last, item.shown), 'Both changes were lost.', { expected: 'one of them', got: last });
  if (list.kind === 'embedded')
    await steps.expectItems(item.place, [{ ...item, shown: last }], 'The list shows another state');
}

/** Enough to have what was just created, also where others create at the same time. */
const NEWEST = { limit: 20 };

async function tryReadersOfList(steps: Steps): Promise<void> {
  const place = await steps.place();
  const json = { ...steps.full(), ...place.bodies[0] };
  const [[made], ...looks] = (await steps.session.together(() => [
    steps.create(place, json).then(({ shown }) => [shown]),
    ...[1, 2, 3, 4].map(() => steps.list(place, [], NEWEST).then(({ items }) => items)),
  ])) as [[Json], ...Json[][]];
  const id = steps.idOf({ shown: made });
  for (const shown of looks.flat().filter((one) => steps.idOf({ shown: one }) === id))
    expectSame('A reader sees half of a creation', shown, made);
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
    const got = (items as Json[]).map((shown) => steps.idOf({ shown })).filter((one) => ids.includes(one));
    // The item may be on another page.
    const isWhole = place.foreign.length > 0 || typeof next === 'string' || got.length === 1;
    expectThat(isWhole, 'A reader sees half of a change.', { expected: `one of ${ids.join(' and ')}`, got });
  };
  const readEither = async () => {
    const response = await session.call(calls.read, { path });
    const moved = { ...path, [id.parameter]: String(to[id.member]) };
    if (response.status === 404) await steps.succeed('read', { path: moved }, 'It is no more under its old id.');
    else expectSuccess(steps.implementation, session.operation(calls.read), response);
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
