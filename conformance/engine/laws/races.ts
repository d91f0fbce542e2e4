/** Several clients at once: one wins, nothing is lost, and no reader sees half a change. */
import fc from 'fast-check';
import type { CallInput } from '../http/call.ts';
import { expectRefusal, expectSuccess, succeed } from '../http/expect-response.ts';
import { expectSame, expectThat, Nonconformity } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import {
  create,
  createAll,
  createOne,
  expectItems,
  expectShown,
  itemIn,
  listOf,
  otherOf,
  placeFor,
  read,
  uniqueOf,
} from './items.ts';
import { forAll, forEach, laws } from './law.ts';
import { idOf, type Json, type PagedList, type Resource } from './resource.ts';

const RACERS = fc.integer({ min: 2, max: 8 });

/** Chance decides which of two is the first, and whether they meet at all. */
export const ROUNDS = [1, 2, 3, 4, 5, 6];

/** One of the responses is the success, and all others are the refusal that follows from it. */
export function expectOneWinner(
  session: Session,
  operationId: string,
  responses: HttpResponse[],
  won: number,
  lost: number,
): HttpResponse {
  const operation = session.operation(operationId);
  const winners = responses.filter(({ status }) => status === won);
  const details = { expected: `one ${won}, else ${lost}`, got: responses.map(({ status }) => status) };
  expectThat(winners.length === 1, 'Exactly one of them wins.', details);
  for (const response of responses) {
    if (response.status === won) expectSuccess(session.implementation, operation, response);
    else expectRefusal(session.implementation, operation, response, [lost], 'Another request won.');
  }
  return winners[0]!;
}

/** The responses to calls of one operation that are sent at once. */
function race(session: Session, operationId: string, inputs: readonly CallInput[]): Promise<HttpResponse[]> {
  return session.together(() => inputs.map((input) => session.call(operationId, input)));
}

export const raceLaws = laws({
  raceCreate: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `Of several creations of ${one} with the same unique values at once, one succeeds and the others are refused with 409.`,
    properties: (resource) => [
      forAll('creations at once', RACERS, async (count, session) => {
        const place = await placeFor(session, resource);
        const { create: operationId } = resource.calls;
        const input = { path: place.path, json: place.bodies[0]! };
        const responses = await race(
          session,
          operationId,
          Array.from({ length: count }, () => input),
        );
        const winner = itemIn(resource, place, expectOneWinner(session, operationId, responses, 201, 409));
        await expectItems(session, resource, place, [winner], 'It is not there once');
      }),
    ],
  },
  raceUpdate: {
    needs: ['create', 'read', 'update'],
    sentence: ({ many }) =>
      `Of several changes of ${many} to the same unique values at once, one succeeds and the others are refused with 409.`,
    properties: (resource) => [
      forAll('changes at once', fc.integer({ min: 2, max: 5 }), async (count, session) => {
        const place = await placeFor(session, resource, { items: count + 1, atLeast: 3 });
        const [to, ...bodies] = place.bodies as [Json, ...Json[]];
        const items = await createAll(session, resource, place, bodies);
        const json = uniqueOf(resource, to);
        const { update: operationId } = resource.calls;
        const inputs = items.map(({ path }) => ({ path, json }));
        const responses = await race(session, operationId, inputs);
        const winner = itemIn(resource, place, expectOneWinner(session, operationId, responses, 200, 409));
        const after = items.map((item, index) => (responses[index]!.status === 200 ? winner : item));
        await expectItems(session, resource, place, after, 'Not the winner alone was changed');
      }),
    ],
  },
  raceDelete: {
    needs: ['create', 'delete'],
    sentence: ({ one }) => `Of several removals of ${one} at once, one succeeds and the others get 404.`,
    properties: (resource) => [
      forAll('removals at once', RACERS, async (count, session) => {
        const { path } = await createOne(session, resource);
        const { delete: operationId } = resource.calls;
        const responses = await race(
          session,
          operationId,
          Array.from({ length: count }, () => ({ path })),
        );
        expectOneWinner(session, operationId, responses, 204, 404);
      }),
    ],
  },
  raceMembers: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `Changes of different members of ${one} at once are all there afterwards.`,
    properties: (resource) => {
      const { disjoint = [] } = resource.values;
      const rounds = ROUNDS.map((round) => disjoint.map((_, index) => disjoint[(index + round) % disjoint.length]!));
      return [
        forEach('one member each', rounds, async (patches, session) => {
          const item = await createOne(session, resource);
          const { update: operationId } = resource.calls;
          const inputs = patches.map((json) => ({ path: item.path, json }));
          for (const response of await race(session, operationId, inputs))
            expectSuccess(session.implementation, session.operation(operationId), response);
          const due = patches.reduce((shown, patch) => resource.changed(shown, patch), item.shown);
          expectShown(resource, 'A change was lost', await read(session, resource, item), due);
        }),
      ];
    },
  },
  raceReaders: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) =>
      `Whoever reads ${one} while it is changed sees it before or after the change, and never half of it.`,
    properties: (resource) => [
      forEach('readers among writers', ROUNDS, (_, session) =>
        resource.id.givenBy === 'body' ? tryMovingReaders(session, resource) : tryReaders(session, resource),
      ),
    ],
  },
  raceListed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `A reader of the list of ${many}, while ${one} is created, sees it whole, or not at all.`,
    properties: (resource) => [
      forEach('readers beside a creation', ROUNDS, (_, session) => tryReadersOfList(session, resource)),
    ],
  },
});

/** Two changes of the same members, all of them, and readers: each sees the item as created or as one of the two made it. */
async function tryReaders(session: Session, resource: Resource): Promise<void> {
  const { values, calls, list } = resource;
  const item = await createOne(session, resource);
  const { path } = item;
  const full = { ...values.full(session.implementation) };
  const other = otherOf(session, resource, item.place, values.members);
  const states = [item.shown, resource.changed(item.shown, full), resource.changed(item.shown, other)];
  const look = () => succeed(session, calls.read, { path });
  const change = (json: Json) => succeed(session, calls.update, { path, json });
  const responses = await session.together(() => [change(full), look(), change(other), look(), look(), look(), look()]);
  const last = await read(session, resource, item);
  for (const shown of [...responses.map(({ json }) => json as Json), last]) {
    const isOne = states.some((state) => isShown(resource, shown, state));
    const details = { expected: 'all of one change, or nothing of it', got: shown };
    expectThat(isOne, 'A reader sees a mixture of two changes.', details);
  }
  expectThat(!isShown(resource, last, item.shown), 'Both changes were lost.', { expected: 'one of them', got: last });
  if (list.kind === 'embedded')
    await expectItems(session, resource, item.place, [{ ...item, shown: last }], 'The list shows another state');
}

/** Enough to have what was just created, also where others create at the same time. */
const NEWEST = { limit: 20 };

async function tryReadersOfList(session: Session, resource: Resource): Promise<void> {
  const place = await placeFor(session, resource);
  const json = { ...resource.values.full(session.implementation), ...place.bodies[0] };
  const [[made], ...looks] = (await session.together(() => [
    create(session, resource, place, json).then(({ shown }) => [shown]),
    ...[1, 2, 3, 4].map(() => listOf(session, resource, place, [], NEWEST).then(({ items }) => items)),
  ])) as [[Json], ...Json[][]];
  const id = idOf(resource, { shown: made });
  for (const shown of looks.flat().filter((one) => idOf(resource, { shown: one }) === id))
    expectSame('A reader sees half of a creation', shown, made);
}

/** A change that gives an item another id, and readers: it is always there, and listed once, under one of the two ids. */
async function tryMovingReaders(session: Session, resource: Resource): Promise<void> {
  const { calls } = resource;
  const { parameter, member } = resource.id;
  const place = await placeFor(session, resource, { items: 2 });
  const [from, to] = place.bodies as [Json, Json];
  const { path } = await create(session, resource, place, from);
  const ids = [from, to].map((body) => String(body[member]));
  const look = async () => {
    const { json } = await succeed(session, calls.list!, { path: place.path });
    const { [(resource.list as PagedList).items]: items } = json as Record<string, Json[]>;
    const got = items!.map((shown) => idOf(resource, { shown })).filter((id) => ids.includes(id));
    const isWhole = place.foreign.length > 0 || got.length === 1;
    expectThat(isWhole, 'A reader sees half of a change.', { expected: `one of ${ids.join(' and ')}`, got });
  };
  const readEither = async () => {
    const response = await session.call(calls.read, { path });
    const moved = { ...path, [parameter]: String(to[member]) };
    if (response.status === 404) await succeed(session, calls.read, { path: moved }, 'It is no more under its old id.');
    else expectSuccess(session.implementation, session.operation(calls.read), response);
  };
  await session.together<unknown>(() => [
    session.call(calls.update, { path, json: from }),
    ...[1, 2, 3].map(() => succeed(session, calls.read, { path }, 'It is changed into itself.')),
  ]);
  await session.together<unknown>(() => [
    session.call(calls.update, { path, json: to }),
    ...[1, 2, 3].flatMap(() => [look(), readEither()]),
  ]);
}

function isShown(resource: Resource, got: Json, expected: Json): boolean {
  try {
    expectShown(resource, '', got, expected);
    return true;
  } catch (error) {
    if (error instanceof Nonconformity) return false;
    throw error;
  }
}
