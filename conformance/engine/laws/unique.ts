/** Values that no two items of a place may have: conflicts, and values that are free again. */
import type { Implementation } from '../http/implementation.ts';
import { forEach, type Law, once } from './law.ts';
import { elementAt, required } from './required.ts';
import {
  bodyOf,
  type Item,
  type Json,
  pick,
  type Place,
  type Resource,
  type ResourceCall,
  uniqueValuesOf,
} from './resource.ts';
import type { Steps } from './steps.ts';

export const TAKEN = 'Another item has these values already.';

/** The reason why a creation or a change must succeed. */
export const FREE = 'No item has these values any more.';

export const uniqueLaws = {
  again: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, many }) =>
      `What ${one} had that no two ${many} may have is free again once it is removed or changed.`,
    properties: (resource, implementation, offered) => [
      once('removed and created, twice', tryRemovedAndCreated),
      isTakenOver(resource, implementation, offered)
        ? forEach('changed, and taken by another', uniqueMembers(resource), tryTakenOver)
        : [],
    ],
  },
  uniqueCreate: {
    needs: ['create', 'read'],
    sentence: (resource) => {
      const members = uniqueMembers(resource).map((member) => `\`${member}\``);
      return (
        `Creating ${resource.one} with ${members.join(' and ')} of another one is refused ` +
        'with 409, and the other stays as it is.'
      );
    },
    properties: (resource) => forEach('the same again', samplesOf(resource), tryTwice),
  },
  uniqueUpdate: {
    sentence: ({ one }) =>
      `A change that gives ${one} what another one has is refused with 409, and changes nothing.`,
    properties: (resource) => forEach('to what another one has', samplesOf(resource), tryTaken),
  },
  uniqueKept: {
    sentence: ({ one }) => `A change may send what ${one} has already, though no two may have it.`,
    properties: (resource) => {
      const members = uniqueMembers(resource);
      const parts = [members, ...members.map((one) => [one])];
      return forEach('whole or in part', parts, tryOwnValues);
    },
  },
} satisfies Record<string, Law>;

function uniqueMembers(resource: Resource): readonly string[] {
  return uniqueValuesOf(resource).members;
}

function samplesOf(resource: Resource): readonly Json[] {
  return uniqueValuesOf(resource).samples ?? [{}];
}

/** The members that can be changed and that two items may have the same values of. */
export function freeMembers({ values, unique }: Resource): string[] {
  const taken = unique?.members ?? [];
  return values.members.filter((member) => !taken.includes(member));
}

/**
 * Whether the law `again` is tried with changes. The source document does not say that they free
 * values.
 */
function isTakenOver(
  { unique }: Resource,
  { origin }: Implementation,
  offered: (call: ResourceCall) => boolean,
): boolean {
  return unique !== undefined && offered('update') && origin === 'all';
}

async function tryRemovedAndCreated(steps: Steps): Promise<void> {
  const place = await steps.place();
  for (let round = 0; round < 2; round++) {
    await steps.remove(await createAgain(steps, place));
  }
  await createAgain(steps, place);
}

/** Creates the item of the place, which is not there, or not any more. */
async function createAgain(steps: Steps, place: Place): Promise<Item> {
  const { id, calls } = steps.resource;
  const body = bodyOf(place);
  if (id.givenBy === 'body') {
    // A cache on the way may keep the response that the item does not exist. Other laws check this
    // response.
    const path = { ...place.path, [id.parameter]: String(body[id.member]) };
    await steps.session.call(calls.read, { path });
  }
  const item = await steps.create(place, body);
  const what = 'The item is not what was created again';
  await steps.expectRead(item, what);
  await steps.expectItems(place, [item], what);
  return item;
}

/**
 * Another item takes the value that an item had before it was changed; a change back is refused.
 */
async function tryTakenOver(member: string, steps: Steps): Promise<void> {
  const { another, code } = uniqueValuesOf(steps.resource);
  const place = await steps.place({ items: 2 });
  const body = bodyOf(place);
  const item = await steps.create(place, body);
  const moved = await steps.update(item, { [member]: another(member, body, place) });
  const second = await steps.create(place, body, FREE);
  const input = { path: moved.path, json: { [member]: body[member] } };
  const why = 'Another item has taken this value.';
  await steps.refuse('update', input, { statuses: [409], why, code });
  await steps.expectItems(place, [moved, second], 'Unexpected items');
}

/**
 * Creates an item twice. The second creation is refused, also with other members that may be equal.
 */
export async function tryTwice(sample: Json, steps: Steps): Promise<void> {
  const { code } = uniqueValuesOf(steps.resource);
  const place = await steps.place({ items: 2, atLeast: 1 });
  const others = await steps.createAll(place, place.bodies.slice(1, 2));
  const body = { ...bodyOf(place), ...sample };
  const item = await steps.create(place, body);
  const differing = { ...body, ...steps.full(), ...sample, ...steps.uniqueOf(body) };
  for (const json of [body, differing]) {
    const input = { path: place.path, json };
    await steps.refuse('create', input, { statuses: [409], why: TAKEN, code });
  }
  await steps.expectItems(place, [...others, item], 'A refused request changed something');
}

/**
 * Changes items to the unique values of another one: with the one member in which they differ, with
 * all unique members, and with one more member. Each change is refused.
 */
export async function tryTaken(sample: Json, steps: Steps): Promise<void> {
  const { members, another, code } = uniqueValuesOf(steps.resource);
  const place = await steps.place({ items: 2 });
  const body: Json = { ...bodyOf(place), ...sample };
  const taken = steps.uniqueOf(body);
  const more = steps.otherOf(place, freeMembers(steps.resource).slice(0, 1));
  const others = members.map((member) => ({ ...body, [member]: another(member, body, place) }));
  const items = await steps.createAll(place, [body, ...others]);
  for (const [index, { path }] of items.slice(1).entries()) {
    const differing = pick(body, [elementAt(members, index)]);
    for (const json of [differing, taken, { ...taken, ...more }]) {
      await steps.refuse('update', { path, json }, { statuses: [409], why: TAKEN, code });
    }
  }
  await steps.expectItems(place, items, 'A refused change changed something');
}

async function tryOwnValues(names: readonly string[], steps: Steps): Promise<void> {
  const { resource } = steps;
  const free = required(freeMembers(resource)[0], 'all members have unique values');
  const item = await steps.createOne();
  const patch = { ...pick(item.shown, names), ...steps.otherOf(item.place, [free]) };
  await steps.expectChanged(item, item.shown, patch);
}
