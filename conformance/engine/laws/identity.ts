/** Ids, times of creation, addresses, and what no two items of a place may have. */
import fc from 'fast-check';
import { expectRefusal } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import {
  type LawProperty,
  expectOnce,
  forAll,
  forEach,
  type Law,
  once,
  reachable,
  type Steps,
} from './steps.ts';
import { isShared, type Item, type Json, pick, type Resource } from './resource.ts';

async function expectLeads(steps: Steps, { shown }: Pick<Item, 'shown'>): Promise<void> {
  const { json } = await steps.follow('read', shown['uri'], '`uri` leads to it.');
  expectSame('`uri` leads to something else', json, shown);
}

function fullAndBare(
  { values }: Resource,
  implementation: Implementation,
  check: LawProperty<Json>['check'],
): LawProperty[] {
  const bodies = [values.full(implementation), values.bare(implementation)];
  return forEach('with everything, and with nothing', bodies, check);
}

/** How far a time of creation may be from the `Date` of the same response. */
const MAX_APART_MS = 60_000;

/** Another item takes the value that an item had before it was changed; a change back is refused. */
async function tryTakenOver(member: string, steps: Steps): Promise<void> {
  const { another, code } = steps.resource.unique!;
  const place = await steps.place({ items: 2 });
  const body = place.bodies[0]!;
  const item = await steps.create(place, body);
  const moved = await steps.update(item, { [member]: another(member, body, place) });
  const second = await steps.create(place, body, 'Nothing has this any more.');
  const input = { path: moved.path, json: { [member]: body[member] } };
  await steps.refuse('update', input, [409], 'Another one has taken it.', code);
  await steps.expectItems(place, [moved, second], 'The items are others');
}

export const TAKEN = 'Another one has this already.';

export const identityLaws = {
  createdAt: {
    needs: ['create'],
    sentence: ({ one, createdAt }) =>
      `\`${createdAt}\` of ${one} is within a minute of the \`Date\` of the response that created it.`,
    properties: once('a new one', async (steps) => {
      const { path, bodies } = await steps.place();
      const { headers, json } = await steps.succeed('create', { path, json: bodies[0] });
      const got = String((json as Json)[steps.resource.createdAt!]);
      const { date } = headers;
      // A response without `Date` shows nothing.
      const isNow =
        date === undefined || Math.abs(Date.parse(got) - Date.parse(date)) <= MAX_APART_MS;
      const details = { expected: `within a minute of ${date}`, got };
      expectThat(isNow, `\`${steps.resource.createdAt}\` is not the time of creation.`, details);
    }),
  },
  createdTogether: {
    needs: ['create'],
    sentence: ({ many, id }) =>
      `Several ${many} that are created at once are all there, each with ${id.member === 'id' ? 'an' : 'a'} ${id.member} of its own.`,
    properties: (resource, _, offered) =>
      forAll('creations at once', fc.integer({ min: 2, max: 8 }), async (count, steps) => {
        const place = await steps.place({ items: count, atLeast: 2 });
        const responses = await steps.together(
          place.bodies.map((json) => ['create', { path: place.path, json }]),
        );
        const items = responses.map((response) => steps.itemIn(place, response));
        if (!resource.silent?.includes('create')) {
          for (const [index, item] of items.entries()) {
            steps.expectSent(item, place.bodies[index]!);
          }
        }
        const ids = items.map((item) => steps.idOf(item));
        expectOnce(ids, `Two ${resource.many} have the same ${resource.id.member}.`);
        if (!offered('list')) {
          return;
        }
        const listed = await steps.list(place, items);
        // Where others list theirs too, the first one of these is the only one that is sure to be passed.
        if (isShared(resource)) {
          return;
        }
        steps.expectAllListed(listed, place, items);
        steps.expectShownIn(listed, items);
      }),
  },
  idsNotReused: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) => `The id of ${one} that was removed is not given to a new one.`,
    properties: once('remove and create, the same again', async (steps) => {
      const place = await steps.place();
      const gone: Item[] = [];
      for (let round = 0; round < 4; round++) {
        const item = await steps.create(place, place.bodies[0]!);
        gone.push(item);
        const ids = gone.map((one) => steps.idOf(one));
        expectOnce(ids, 'The id of a removed one came again.');
        await steps.remove(item);
      }
      for (const { path } of gone) {
        await steps.refuse('read', { path }, [404], 'It was removed.');
      }
    }),
  },
  uri: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `The \`uri\` of ${one} is absolute and leads to it, also from a list and after a change.`,
    properties: (resource, implementation, offered) => [
      fullAndBare(resource, implementation, async (body, steps) =>
        expectLeads(steps, await steps.createOne(body)),
      ),
      once('of a list and a change', async (steps) => {
        const place = await steps.place({ items: 3 });
        const items = await steps.createAll(place, place.bodies.slice(0, 2));
        if (offered('list')) {
          for (const shown of steps.ownIn(await steps.list(place, items), items)) {
            await expectLeads(steps, { shown });
          }
        }
        if (offered('update')) {
          await expectLeads(steps, await steps.update(items[0]!, steps.otherOf(place)));
        }
      }),
    ],
  },
  uriOfOne: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `The \`uri\` of ${one} leads to this one among others alike, and nowhere once it is removed.`,
    properties: once('two alike', async (steps) => {
      const { session, resource, implementation } = steps;
      const [gone, kept] = await steps.createApart();
      await steps.remove(gone);
      await expectLeads(steps, kept);
      const response = await session.send({
        method: 'GET',
        target: reachable(session, gone.shown['uri']),
      });
      const operation = session.operation(resource.calls.read);
      expectRefusal(
        implementation,
        operation,
        response,
        [404],
        '`uri` leads to one that was removed.',
      );
    }),
  },
  location: {
    needs: ['create'],
    sentence: ({ one }) => `A \`Location\` beside a 201 equals the \`uri\` of ${one}.`,
    properties: (resource, implementation) =>
      fullAndBare(resource, implementation, async (body, steps) => {
        const { path, bodies } = await steps.place();
        const { headers, json } = await steps.succeed('create', {
          path,
          json: { ...bodies[0], ...body },
        });
        const { uri } = json as Json;
        expectSame('`Location` is not `uri`.', headers['location'] ?? uri, uri);
      }),
  },
  again: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, many }) =>
      `What ${one} had that no two ${many} may have is free again once it is removed or changed.`,
    properties: ({ id, calls, unique }, implementation, offered) => [
      once('removed and created, twice', async (steps) => {
        const place = await steps.place();
        const body = place.bodies[0]!;
        const createAgain = async () => {
          // That there was none may be kept somewhere on the way; what such a read gets is a law of its own.
          const path = { ...place.path, [id.parameter]: String(body[id.member]) };
          if (id.givenBy === 'body') {
            await steps.session.call(calls.read, { path });
          }
          const item = await steps.create(place, body);
          await steps.expectRead(item, 'It was created again');
          await steps.expectItems(place, [item], 'It was created again');
          return item;
        };
        for (let round = 0; round < 2; round++) {
          await steps.remove(await createAgain());
        }
        await createAgain();
      }),
      unique && offered('update') && implementation.origin === 'all'
        ? forEach('changed, and taken by another', unique.members, tryTakenOver)
        : [],
    ],
  },
  uniqueCreate: {
    needs: ['create', 'read'],
    sentence: ({ one, unique }) =>
      `Creating ${one} with ${unique!.members.map((member) => `\`${member}\``).join(' and ')} of another one is refused with 409, and the other stays as it is.`,
    properties: ({ unique }) => forEach('the same again', unique!.samples ?? [{}], tryTwice),
  },
  uniqueUpdate: {
    sentence: ({ one }) =>
      `A change that gives ${one} what another one has is refused with 409, and changes nothing.`,
    properties: ({ unique }) =>
      forEach('to what another one has', unique!.samples ?? [{}], tryTaken),
  },
  uniqueKept: {
    sentence: ({ one }) => `A change may send what ${one} has already, though no two may have it.`,
    properties: ({ unique, values }) => {
      const { members } = unique!;
      const free = values.members.find((member) => !members.includes(member))!;
      return forEach(
        'whole or in part',
        [members, ...members.map((one) => [one])],
        async (names, steps) => {
          const item = await steps.createOne();
          const patch = { ...pick(item.shown, names), ...steps.otherOf(item.place, [free]) };
          await steps.expectChanged(item, item.shown, patch);
        },
      );
    },
  },
} satisfies Record<string, Law>;

export async function tryTwice(sample: Json, steps: Steps): Promise<void> {
  const place = await steps.place({ items: 2, atLeast: 1 });
  const others = await steps.createAll(place, place.bodies.slice(1, 2));
  const body = { ...place.bodies[0]!, ...sample };
  const item = await steps.create(place, body);
  for (const json of [body, { ...body, ...steps.full(), ...sample, ...steps.uniqueOf(body) }]) {
    await steps.refuse(
      'create',
      { path: place.path, json },
      [409],
      TAKEN,
      steps.resource.unique!.code,
    );
  }
  await steps.expectItems(place, [...others, item], 'A refused request changed something');
}

/** One member is enough where the others are the same already. */
export async function tryTaken(sample: Json, steps: Steps): Promise<void> {
  const { members, another, code } = steps.resource.unique!;
  const place = await steps.place({ items: 2 });
  const body: Json = { ...place.bodies[0]!, ...sample };
  const taken = steps.uniqueOf(body);
  const free = steps.resource.values.members
    .filter((member) => !members.includes(member))
    .slice(0, 1);
  const more = steps.otherOf(place, free);
  const others = members.map((member) => ({ ...body, [member]: another(member, body, place) }));
  const items = await steps.createAll(place, [body, ...others]);
  for (const [index, { path }] of items.slice(1).entries()) {
    for (const json of [pick(body, [members[index]!]), taken, { ...taken, ...more }]) {
      await steps.refuse('update', { path, json }, [409], TAKEN, code);
    }
  }
  await steps.expectItems(place, items, 'A refused change changed something');
}
