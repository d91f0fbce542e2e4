/** What no two items of a place may have. */
import type { Session } from '../http/session.ts';
import { refuse } from '../http/expect-response.ts';
import { create, createOne, placeFor } from './items.ts';
import { forEach, laws } from './law.ts';
import { expectItems } from './listing.ts';
import type { Item, Json, Resource } from './resource.ts';
import { expectChanged } from './updates.ts';

/** Tried on values of the description, or on those of the place. */
function samplesOf({ unique }: Resource): readonly (Json | undefined)[] {
  return unique!.samples ?? [undefined];
}

const WHY = 'Another one has this already.';

export const uniqueLaws = laws({
  uniqueCreate: {
    needs: ['create', 'read'],
    sentence: ({ one, unique }) =>
      `Creating ${one} with ${unique!.members.map((member) => `\`${member}\``).join(' and ')} of another one is refused with 409, and the other stays as it is.`,
    properties: (resource) => [
      forEach('the same again', samplesOf(resource), async (sample, session) => {
        const place = await placeFor(session, resource, { items: 2, atLeast: 1 });
        const other = place.bodies[1] ? [await create(session, resource, place, place.bodies[1])] : [];
        const body = { ...place.bodies[0]!, ...sample };
        const item = await create(session, resource, place, body);
        for (const json of [
          body,
          { ...body, ...resource.values.full(session.implementation), ...sample, ...pick(resource, body) },
        ])
          await refuse(session, resource.calls.create, { path: place.path, json }, [409], WHY, resource.unique!.code);
        await expectItems(session, resource, place, [...other, item], 'A refused request changed something');
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
    properties: (resource, implementation) => {
      const { members } = resource.unique!;
      const free = resource.values.members.find((member) => !members.includes(member))!;
      return [
        forEach('whole or in part', [members, ...members.map((one) => [one])], async (names, session) => {
          const item = await createOne(session, resource);
          const patch = {
            ...Object.fromEntries(names.map((member) => [member, item.shown[member]])),
            [free]: resource.values.other(free, implementation, item.place),
          };
          await expectChanged(session, resource, item, item.shown, patch);
        }),
      ];
    },
  },
});

function pick({ unique }: Resource, body: Json): Json {
  return Object.fromEntries(unique!.members.map((member) => [member, body[member]]));
}

/** One member is enough where the others are the same already. */
async function tryTaken(session: Session, resource: Resource, sample: Json | undefined): Promise<void> {
  const { members, another, code } = resource.unique!;
  const place = await placeFor(session, resource, { items: 2 });
  const body: Json = { ...place.bodies[0]!, ...sample };
  const items: Item[] = [await create(session, resource, place, body)];
  const patches: { item: Item; json: Json }[] = [];
  const free = resource.values.members.find((member) => !members.includes(member));
  const more = free === undefined ? {} : { [free]: resource.values.other(free, session.implementation, place) };
  for (const member of members) {
    const item = await create(session, resource, place, { ...body, [member]: another(member, body, place) });
    items.push(item);
    const taken = pick(resource, body);
    patches.push(
      { item, json: { [member]: body[member] } },
      { item, json: taken },
      { item, json: { ...taken, ...more } },
    );
  }
  for (const { item, json } of patches)
    await refuse(session, resource.calls.update, { path: item.path, json }, [409], WHY, code);
  await expectItems(session, resource, place, items, 'A refused change changed something');
}
