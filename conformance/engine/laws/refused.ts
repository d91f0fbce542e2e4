/**
 * Requests that are refused change nothing, whatever the reason, and the next valid request works.
 */
import { memberOf } from '../contract/by-name.ts';
import { isDeepStrictEqual } from 'node:util';
import { NoResponse } from '../http/response.ts';
import { forEach, type Law, type LawProperty, once } from './law.ts';
import { tryLater } from './refused-later.ts';
import { elementAt, required } from './required.ts';
import {
  bodyOf,
  changeBodyFor,
  type Item,
  type Json,
  type Place,
  type Resource,
} from './resource.ts';
import type { Steps } from './steps.ts';

const CHANGED = 'A refused request changed something';
const BROKEN = 'The body breaks the contract.';

/** The number of creations that are sent at once. */
const AT_ONCE = 8;

export const refusedLaws = {
  refused: {
    needs: ['create', 'read', 'update', 'delete', 'list'],
    sentence: ({ many }) => `A refused request changes nothing of the ${many}.`,
    properties: (resource, _, offered) => [
      ...invalidCreations(resource),
      ...invalidChanges(resource),
      once('looked at a moment later', (steps) => tryLater(steps, offered)),
    ],
  },
  refusedCreate: {
    needs: ['create', 'read', 'list'],
    sentence: ({ one }) => `If the creation of ${one} is refused, it is not there.`,
    properties: invalidCreations,
  },
  refusedUpdate: {
    sentence: ({ one }) =>
      `A change of ${one} that is refused changes nothing, however much of it was right.`,
    properties: (resource, _, offered) => [
      ...invalidChanges(resource),
      once('looked at a moment later', (steps) => tryLater(steps, offered)),
    ],
  },
  full: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ many, most }) =>
      `A place takes ${most} ${many}, and refuses one more with 409, until one of them is removed.`,
    properties: once('one more', tryFull),
  },
} satisfies Record<string, Law>;

function invalidCreations({ values }: Resource): LawProperty[] {
  return forEach('one error among good members', values.invalid.create, tryInvalidCreation);
}

async function tryInvalidCreation(bad: Json, steps: Steps): Promise<void> {
  const place = await steps.place();
  const { path } = place;
  const body = bodyOf(place);
  for (const json of [{ ...body, ...bad }, [body]]) {
    await steps.refuse('create', { path, json }, { statuses: [400], why: BROKEN });
  }
  await steps.expectItems(place, [], CHANGED);
  // The refused body does not keep unique values from others.
  await steps.create(place, body);
}

function invalidChanges({ values }: Resource): LawProperty[] {
  const label = 'one error among good members of a change';
  return forEach(label, values.invalid.update, tryInvalidChange);
}

async function tryInvalidChange(bad: Json, steps: Steps): Promise<void> {
  const { resource, implementation } = steps;
  const { values, invalid = [400] } = resource;
  const place = await steps.place({ items: 2 });
  const sent = { ...steps.full(), ...steps.bodyIn(place, {}) };
  const item = await steps.create(place, sent);
  const { path } = item;
  const good = values.good?.(implementation) ?? bodyOf(place, 1);
  const body = changeBodyFor(resource, item, { ...good, ...bad });
  // A service that finds nothing to change may look no further.
  const same = Object.fromEntries(Object.entries(sent).filter(([name]) => name in good));
  const besideSame = changeBodyFor(resource, item, { ...same, ...bad });
  for (const json of [body, besideSame, [body]]) {
    await steps.refuse('update', { path, json }, { statuses: invalid, why: BROKEN });
  }
  await steps.expectItems(place, [item], CHANGED);
  await steps.expectRead(item, CHANGED);
}

async function tryFull(steps: Steps): Promise<void> {
  const most = required(steps.resource.most, 'nothing bounds how many items there are');
  const place = await steps.place({ items: most + 1 });
  const more = bodyOf(place);
  const items = await createMany(steps, place, place.bodies.slice(1, -1));
  await refuseUncounted(steps, elementAt(items, 0), more);
  items.push(await steps.create(place, bodyOf(place, most), 'Refused creations do not count.'));
  const expectAll = async () => steps.expectAllListed(await steps.list(place), place, items);
  const input = { path: place.path, json: more };
  const why = 'The place has as many items as it can have.';
  await steps.refuse('create', input, { statuses: [409], why });
  await expectAll();
  await steps.remove(await steps.update(elementAt(items, 0), steps.otherOf(place)));
  items[0] = await steps.create(place, more, 'One item was removed.');
  await expectAll();
}

/** Creations that are refused, and that must not count as items of the place. */
async function refuseUncounted(steps: Steps, { place }: Item, more: Json): Promise<void> {
  const { unique, values } = steps.resource;
  const [bad] = values.invalid.create;
  const input = (json: Json) => ({ path: place.path, json });
  for (let time = 0; time < 2; time++) {
    if (unique) {
      const why = 'Another item has these values already.';
      await steps.refuse('create', input(bodyOf(place, 1)), { statuses: [409], why });
    }
    if (bad) {
      await steps.refuse('create', input({ ...more, ...bad }), { statuses: [400], why: BROKEN });
    }
  }
}

async function createMany(steps: Steps, place: Place, bodies: readonly Json[]): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < bodies.length; at += AT_ONCE) {
    const some = bodies.slice(at, at + AT_ONCE);
    const made = await steps.session.together(() =>
      some.map((body) => createSurely(steps, place, body)),
    );
    items.push(...made);
  }
  return items;
}

/**
 * One request in hundreds may get no response: the item is looked up, or the request is sent again.
 */
async function createSurely(steps: Steps, place: Place, body: Json): Promise<Item> {
  try {
    return await steps.create(place, body);
  } catch (error) {
    if (!(error instanceof NoResponse)) {
      throw error;
    }
    const { items } = await steps.list(place);
    const json = items.find((shown) => hasMembers(shown, body));
    return json ? steps.itemIn(place, { json }) : steps.create(place, body);
  }
}

function hasMembers(shown: Json, body: Json): boolean {
  return Object.entries(body).every(([name, value]) =>
    isDeepStrictEqual(memberOf(shown, name), value),
  );
}
