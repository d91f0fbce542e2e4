/** Ids, times of creation, addresses, and what no two items of a place may have. */
import fc from 'fast-check';
import type { Implementation } from '../http/implementation.ts';
import { expectRefusal, expectSuccess, refuse, succeed } from '../http/expect-response.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { Property } from '../requirements/requirement.ts';
import {
  create,
  createAll,
  createOne,
  expectItems,
  expectRead,
  follow,
  itemIn,
  listOf,
  otherOf,
  placeFor,
  reachable,
  remove,
  uniqueOf,
  update,
} from './items.ts';
import { forAll, forEach, laws, once } from './law.ts';
import { idOf, isShared, type Item, type Json, pick, type Resource } from './resource.ts';
import { expectChanged } from './updates.ts';

async function expectLeads(session: Session, resource: Resource, { shown }: Pick<Item, 'shown'>): Promise<void> {
  const found = await follow(session, shown['uri'], resource.calls.read, '`uri` leads to it.');
  const { member } = resource.id;
  expectSame('`uri` leads to something else', found, { [member]: shown[member] });
}

function fullAndBare(
  { values }: Resource,
  implementation: Implementation,
  check: (body: Json, session: Session) => Promise<void>,
): Property[] {
  return forEach(
    'with everything, and with nothing',
    [values.full(implementation), values.bare(implementation)],
    check,
  );
}

/** How far a time of creation may be from the `Date` of the same response. */
const MAX_APART_MS = 60_000;

/** @throws Nonconformity unless the member is the time of this response. One without `Date` shows nothing. */
function expectNow({ headers, json }: HttpResponse, member: string): void {
  const got = String((json as Json)[member]);
  const { date } = headers;
  if (date === undefined) return;
  const isNow = Math.abs(Date.parse(got) - Date.parse(date)) <= MAX_APART_MS;
  expectThat(isNow, `\`${member}\` is not the time of creation.`, { expected: `within a minute of ${date}`, got });
}

export const identityLaws = laws({
  createdAt: {
    needs: ['create'],
    sentence: ({ one, createdAt }) =>
      `\`${createdAt}\` of ${one} is within a minute of the \`Date\` of the response that created it.`,
    properties: (resource) => [
      once('a new one', async (session) => {
        const place = await placeFor(session, resource);
        const input = { path: place.path, json: place.bodies[0] };
        expectNow(await succeed(session, resource.calls.create, input), resource.createdAt!);
      }),
    ],
  },
  createdTogether: {
    needs: ['create'],
    sentence: ({ many }) => `Several ${many} that are created at once are all there, each with an id of its own.`,
    properties: (resource, implementation, offered) => [
      forAll('creations at once', fc.integer({ min: 2, max: 8 }), async (count, session) => {
        const place = await placeFor(session, resource, { items: count, atLeast: 2 });
        const responses = await session.together(() =>
          place.bodies.map((json) => session.call(resource.calls.create, { path: place.path, json })),
        );
        const operation = session.operation(resource.calls.create);
        for (const response of responses) expectSuccess(implementation, operation, response);
        const items = responses.map((response) => itemIn(resource, place, response));
        const ids = items.map((item) => idOf(resource, item));
        const details = { expected: `${ids.length} ids`, got: ids };
        expectThat(new Set(ids).size === ids.length, `Two ${resource.many} have the same id.`, details);
        if (!offered('list')) return;
        const listed = await listOf(session, resource, place, items);
        const there = listed.ids.filter((id) => !place.foreign.includes(id));
        // Where others list theirs too, the first one of these is the only one that is sure to be passed.
        if (!isShared(resource)) expectSame('The list lacks one, or has more', there.toSorted(), ids.toSorted());
      }),
    ],
  },
  idsNotReused: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) => `The id of ${one} that was removed is not given to a new one.`,
    properties: (resource) => [
      once('remove and create, the same again', async (session) => {
        const place = await placeFor(session, resource);
        const gone: Item[] = [];
        for (let round = 0; round < 4; round++) {
          const item = await create(session, resource, place, place.bodies[0]!);
          const id = idOf(resource, item);
          const isNew = !gone.some((one) => idOf(resource, one) === id);
          expectThat(isNew, 'The id of a removed one came again.', { expected: 'a new id', got: id });
          gone.push(item);
          await remove(session, resource, item);
        }
        for (const { path } of gone) await refuse(session, resource.calls.read, { path }, [404], 'It was removed.');
      }),
    ],
  },
  uri: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `The \`uri\` of ${one} is absolute and leads to it, also from a list and after a change.`,
    properties: (resource, implementation, offered) => [
      fullAndBare(resource, implementation, async (body, session) =>
        expectLeads(session, resource, await createOne(session, resource, body)),
      ),
      once('of a list and a change', async (session) => {
        const place = await placeFor(session, resource, { items: 3 });
        const items = await createAll(session, resource, place, place.bodies.slice(0, 2));
        if (offered('list')) {
          const listed = await listOf(session, resource, place, items);
          const ids = items.map((item) => idOf(resource, item));
          for (const [index, shown] of listed.items.entries())
            if (ids.includes(listed.ids[index]!)) await expectLeads(session, resource, { shown });
        }
        if (!offered('update')) return;
        const changed = await update(session, resource, items[0]!, otherOf(session, resource, place));
        await expectLeads(session, resource, changed);
      }),
    ],
  },
  uriOfOne: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `The \`uri\` of ${one} leads to this one among others alike, and nowhere once it is removed.`,
    properties: (resource) => [
      once('two alike', async (session) => {
        const items: Item[] = [];
        for (const place of await resource.places(session, { items: 1, places: 2 }))
          items.push(await create(session, resource, place, place.bodies[0]!));
        const [gone, kept] = items as [Item, Item];
        await remove(session, resource, gone);
        await expectLeads(session, resource, kept);
        const response = await session.send({ method: 'GET', target: reachable(session, gone.shown['uri']) });
        const operation = session.operation(resource.calls.read);
        expectRefusal(session.implementation, operation, response, [404], '`uri` leads to one that was removed.');
      }),
    ],
  },
  location: {
    needs: ['create'],
    sentence: ({ one }) => `A \`Location\` beside a 201 equals the \`uri\` of ${one}.`,
    properties: (resource, implementation) => [
      fullAndBare(resource, implementation, async (body, session) => {
        const place = await placeFor(session, resource);
        const json = { ...place.bodies[0], ...body };
        const response = await succeed(session, resource.calls.create, { path: place.path, json });
        const { location } = response.headers;
        const { uri } = response.json as Json;
        const isSame = location === undefined || location === uri;
        expectThat(isSame, '`Location` is not `uri`.', { expected: uri, got: location });
      }),
    ],
  },
  again: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, many }) =>
      `What ${one} had that no two ${many} may have is free again once it is removed or changed.`,
    properties: (resource, implementation, offered) => [
      once('removed and created, twice', async (session) => {
        const place = await placeFor(session, resource);
        const { parameter, member, givenBy } = resource.id;
        const createAgain = async () => {
          // That there was none may be kept somewhere on the way; what such a read gets is a law of its own.
          const path = { ...place.path, [parameter]: String(place.bodies[0]![member]) };
          if (givenBy === 'body') await session.call(resource.calls.read, { path });
          const item = await create(session, resource, place, place.bodies[0]!);
          await expectRead(session, resource, item, 'It was created again');
          await expectItems(session, resource, place, [item], 'It was created again');
          return item;
        };
        for (let round = 0; round < 2; round++) await remove(session, resource, await createAgain());
        await createAgain();
      }),
      resource.unique && offered('update') && implementation.origin === 'all'
        ? forEach('changed, and taken by another', resource.unique.members, (member, session) =>
            tryTakenOver(session, resource, member),
          )
        : [],
    ],
  },
});

/** Another item takes the value that an item had before it was changed; a change back is refused. */
async function tryTakenOver(session: Session, resource: Resource, member: string): Promise<void> {
  const { another, code } = resource.unique!;
  const place = await placeFor(session, resource, { items: 2 });
  const body = place.bodies[0]!;
  const item = await create(session, resource, place, body);
  const moved = await update(session, resource, item, { [member]: another(member, body, place) });
  const second = await create(session, resource, place, body, 'Nothing has this any more.');
  const input = { path: moved.path, json: { [member]: body[member] } };
  await refuse(session, resource.calls.update, input, [409], 'Another one has taken it.', code);
  await expectItems(session, resource, place, [moved, second], 'The items are others');
}

/** Unique values to try: those of the description, or those of the place. */
function samplesOf({ unique }: Resource): readonly (Json | undefined)[] {
  return unique!.samples ?? [undefined];
}

const TAKEN = 'Another one has this already.';

export const uniqueLaws = laws({
  uniqueCreate: {
    needs: ['create', 'read'],
    sentence: ({ one, unique }) =>
      `Creating ${one} with ${unique!.members.map((member) => `\`${member}\``).join(' and ')} of another one is refused with 409, and the other stays as it is.`,
    properties: (resource) => [
      forEach('the same again', samplesOf(resource), async (sample, session) => {
        const place = await placeFor(session, resource, { items: 2, atLeast: 1 });
        const { path } = place;
        const others = await createAll(session, resource, place, place.bodies.slice(1, 2));
        const body = { ...place.bodies[0]!, ...sample };
        const item = await create(session, resource, place, body);
        const full = resource.values.full(session.implementation);
        for (const json of [body, { ...body, ...full, ...sample, ...uniqueOf(resource, body) }])
          await refuse(session, resource.calls.create, { path, json }, [409], TAKEN, resource.unique!.code);
        await expectItems(session, resource, place, [...others, item], 'A refused request changed something');
      }),
    ],
  },
  uniqueUpdate: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `A change that gives ${one} what another one has is refused with 409, and changes nothing.`,
    properties: (resource) => [
      forEach('to what another one has', samplesOf(resource), (sample, session) => tryTaken(session, resource, sample)),
    ],
  },
  uniqueKept: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `A change may send what ${one} has already, though no two may have it.`,
    properties: (resource) => {
      const { members } = resource.unique!;
      const free = resource.values.members.find((member) => !members.includes(member))!;
      return [
        forEach('whole or in part', [members, ...members.map((one) => [one])], async (names, session) => {
          const item = await createOne(session, resource);
          const patch = { ...pick(item.shown, names), ...otherOf(session, resource, item.place, [free]) };
          await expectChanged(session, resource, item, item.shown, patch);
        }),
      ];
    },
  },
});

/** One member is enough where the others are the same already. */
async function tryTaken(session: Session, resource: Resource, sample: Json | undefined): Promise<void> {
  const { members, another, code } = resource.unique!;
  const place = await placeFor(session, resource, { items: 2 });
  const body: Json = { ...place.bodies[0]!, ...sample };
  const taken = uniqueOf(resource, body);
  const free = resource.values.members.filter((member) => !members.includes(member)).slice(0, 1);
  const more = otherOf(session, resource, place, free);
  const items = [await create(session, resource, place, body)];
  for (const member of members)
    items.push(await create(session, resource, place, { ...body, [member]: another(member, body, place) }));
  for (const [index, { path }] of items.slice(1).entries())
    for (const json of [pick(body, [members[index]!]), taken, { ...taken, ...more }])
      await refuse(session, resource.calls.update, { path, json }, [409], TAKEN, code);
  await expectItems(session, resource, place, items, 'A refused change changed something');
}
