/**
 * Items that do not exist. No request names an item that the run did not make: a service may look
 * at the last id alone.
 */
import { randomUUID } from 'node:crypto';
import {
  forEach,
  type Law,
  type LawProperties,
  type LawProperty,
  once,
  ONE_OF_SEVERAL,
  type OneOfSeveral,
} from './law.ts';
import { areRandom } from './random-ids.ts';
import { elementAt, required } from './required.ts';
import {
  bodyOf,
  type Item,
  type Named,
  type Place,
  type Resource,
  type ResourceCall,
  upper,
} from './resource.ts';
import type { Steps } from './steps.ts';

const CHANGED = 'A refused request changed something';
const REMOVED = 'The item was removed.';

/** A read comes last, too: it shows what the other calls did. */
const READ_AROUND: readonly Named[] = ['read', 'update', 'delete', 'read'];
const WRITES_FIRST: readonly Named[] = ['update', 'delete', 'read'];
const EACH: readonly Named[] = ['read', 'update', 'delete'];

export const unknownLaws = {
  unknown: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `Reading ${one} that does not exist gets 404, and so does changing and removing it.`,
    properties: (resource, _, offered) => {
      const calls = READ_AROUND.filter(offered);
      if (resource.id.givenBy === 'body') {
        return once('one that was not created', (steps) => tryNotCreated(steps, calls));
      }
      return unknownIds(resource, calls);
    },
  },
  unknownChanges: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one }) =>
      `Changing and removing ${one} that does not exist, or exists no more, gets 404.`,
    properties: forEach('unknown ids', ['one', 'another'], tryUnknownChanges),
  },
  gone: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `What is removed is gone: reading, changing and removing ${one} again get 404, ` +
      'and no other is gone.',
    properties: (_, __, offered) =>
      forEach('one of several', ONE_OF_SEVERAL, (chosen, steps: Steps) =>
        tryGone(chosen, steps, offered),
      ),
  },
  isolation: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one, many }) =>
      `${upper(one)} belongs to one place: from another one, reading, ` +
      `changing and removing it get 404, and ${many} there stay as they are.`,
    properties: [
      forEach('another place', ['empty', 'with an item'], tryAnotherPlace),
      once('the same in two places', tryTwoPlaces),
    ],
  },
} satisfies Record<string, Law>;

/** The calls are refused, because no item has the id. @param item the only one that exists */
async function expectUnknown(
  steps: Steps,
  item: Item,
  id: string,
  calls: readonly Named[],
): Promise<void> {
  const { place } = item;
  const path = { ...item.path, [steps.resource.id.parameter]: id };
  const why = `This item does not exist: only ${steps.idOf(item)} exists.`;
  await steps.expectGone({ place, path }, why, calls);
}

async function tryNotCreated(steps: Steps, calls: readonly Named[]): Promise<void> {
  const { id } = steps.resource;
  const place = await steps.place({ items: 2 });
  const missing = String(bodyOf(place, 0)[id.member]);
  const item = await steps.create(place, bodyOf(place, 1));
  await expectUnknown(steps, item, missing, calls);
  await steps.expectItems(place, [item], CHANGED);
}

/** Properties of ids that the service gives. */
function unknownIds(resource: Resource, calls: readonly Named[]): LawProperties {
  const tryRandomId = async (prefix: string, steps: Steps) => {
    const item = await steps.createOne();
    await expectUnknown(steps, item, prefix + randomUUID(), calls);
    await steps.expectItems(item.place, [item], CHANGED);
  };
  return [
    forEach('long random ids', ['', 'conformance-', 'A-_'], tryRandomId),
    once('ids that are almost that of one', (steps) => tryNearIds(steps, calls)),
    resource.removeParent ? unknownParents(resource, calls) : [],
  ];
}

async function tryNearIds(steps: Steps, calls: readonly Named[]): Promise<void> {
  const { place, items } = await steps.createSome({ items: 2 });
  const item = elementAt(items, 0);
  const other = elementAt(items, 1);
  const id = steps.idOf(item);
  if (!areRandom(id, steps.idOf(other))) {
    return;
  }
  const near = [`${id}0`, id.slice(0, -1), id.slice(1), id.toUpperCase(), id.toLowerCase()];
  for (const one of near) {
    if (one !== id) {
      await expectUnknown(steps, item, one, calls);
    }
  }
  await steps.expectItems(place, items, CHANGED);
}

// The parent is a different one, or does not exist.

function unknownParents(resource: Resource, calls: readonly Named[]): LawProperty[] {
  const tryUnknownParent = async (which: string, steps: Steps) => {
    const item = await steps.createOne();
    const parent = `conformance-${which}-${randomUUID()}`;
    const why = 'This parent does not exist.';
    await expectUnknownParent(steps, item, { parent, why, calls });
  };
  const tryRemovedParent = async (steps: Steps) => {
    const kept = await steps.createOne();
    const place = await steps.place();
    await removeParentOf(place, steps);
    const parent = parentOf(place);
    await expectUnknownParent(steps, kept, { parent, why: 'The parent was removed.', calls });
  };
  const label = 'the id of the parent as its own, and the other way round';
  return [
    ...forEach('an unknown parent', ['one', 'another'], tryUnknownParent),
    once('the id of a parent that was removed', tryRemovedParent),
    once(label, (steps) => tryExchangedIds(steps, resource, calls)),
  ];
}

/** The id of a parent that does not exist, and the calls that are refused for it. */
interface UnknownParent {
  parent: string;
  why: string;
  calls: readonly Named[];
}

async function expectUnknownParent(
  steps: Steps,
  item: Item,
  { parent, why, calls }: UnknownParent,
): Promise<void> {
  const { place } = item;
  const name = elementAt(Object.keys(place.path), 0);
  await steps.expectGone({ place, path: { ...item.path, [name]: parent } }, why, calls);
  const input = { path: { [name]: parent }, json: bodyOf(place) };
  await steps.refuse('create', input, { statuses: [404], why });
  await steps.expectItems(place, [item], CHANGED);
}

async function tryExchangedIds(
  steps: Steps,
  { id }: Resource,
  calls: readonly Named[],
): Promise<void> {
  const [item, other] = await steps.createApart();
  const { place } = item;
  const parent = parentOf(place);
  const own = steps.idOf(item);
  if (areRandom(parent, parentOf(other.place))) {
    const path = { ...item.path, [id.parameter]: parent };
    await steps.expectGone({ place, path }, 'This is the id of the parent.', calls);
  }
  if (areRandom(own, steps.idOf(other))) {
    const path = Object.fromEntries(Object.keys(place.path).map((name) => [name, own]));
    const input = { path, json: bodyOf(place) };
    await steps.refuse('create', input, { statuses: [404], why: 'No parent has this id.' });
  }
  await steps.expectItems(place, [item], CHANGED);
}

function parentOf({ path }: Place): string {
  return elementAt(Object.values(path), 0);
}

export async function removeParentOf(place: Place, { session, resource }: Steps): Promise<void> {
  const removeParent = required(resource.removeParent, 'parents cannot be removed');
  await removeParent(session, place);
}

// Items that were removed.

async function tryUnknownChanges(which: string, steps: Steps): Promise<void> {
  const item = await steps.createOne();
  await expectUnknown(steps, item, `conformance-${which}-${randomUUID()}`, WRITES_FIRST);
  await steps.remove(item);
  await steps.expectGone(item, REMOVED, WRITES_FIRST);
}

async function tryGone(
  { count, at }: OneOfSeveral,
  steps: Steps,
  offered: (call: ResourceCall) => boolean,
): Promise<void> {
  const { id, missing } = steps.resource;
  const { place, items } = await steps.createSome({ items: count, atLeast: 1 });
  // A cache on the way may keep an item that was read before.
  await steps.expectItems(place, items, 'The list is not what was created');
  const index = Math.min(at, items.length - 1);
  const gone = elementAt(items, index);
  const left = items.toSpliced(index, 1);
  const before = await steps.removeSeen(gone);
  await steps.expectGoneOrOther(gone, before, REMOVED, READ_AROUND.filter(offered));
  await steps.expectItems(place, left, 'Other items are left than those that were not removed');
  if (id.givenBy === 'body') {
    return;
  }
  const again = await steps.create(place, bodyOf(place, index));
  // A service may give an id again, unless the contract says that it does not.
  const isGivenAgain = steps.idOf(again) === steps.idOf(gone);
  if (missing && isGivenAgain) {
    return;
  }
  await steps.expectGoneOrOther(gone, before, 'A new item does not bring it back.');
}

// Items of another place.

async function tryAnotherPlace(kind: string, steps: Steps): Promise<void> {
  const { parameter } = steps.resource.id;
  const [here, there] = await steps.twoPlaces(2);
  const item = await steps.create(here, bodyOf(here));
  const id = steps.idOf(item);
  const theirs = kind === 'empty' ? [] : [await steps.create(there, bodyOf(there, 1))];
  // A service may give the same id in two places.
  if (theirs.some((one) => steps.idOf(one) === id)) {
    return;
  }
  const seen = { place: there, path: { ...there.path, [parameter]: id } };
  const why = 'The item belongs to another place.';
  await steps.expectGone(seen, why, EACH);
  await steps.expectItems(here, [item], 'A refused request changed the item');
  // A cache may find what was read in its own place.
  await steps.read(item);
  await steps.expectGone(seen, why, READ_AROUND);
  const changed = await steps.update(item, steps.otherOf(here));
  if (steps.idOf(changed) === id) {
    await steps.read(changed);
    await steps.expectGone(seen, why, EACH);
  }
  await steps.expectItems(here, [changed], 'A refused request changed the item');
  await steps.expectItems(there, theirs, 'A refused request changed another place');
}

async function tryTwoPlaces(steps: Steps): Promise<void> {
  const [here, there] = await steps.twoPlaces(2);
  const item = await steps.create(here, bodyOf(here));
  await steps.expectItems(there, [], 'A creation reached another place');
  const same = await steps.create(there, bodyOf(there));
  const changed = await steps.update(item, steps.otherOf(here));
  await steps.expectItems(there, [same], 'A change reached another place');
  await steps.remove(await steps.create(there, bodyOf(there, 1)));
  await steps.expectItems(here, [changed], 'A removal reached another place');
  await steps.expectItems(there, [same], 'A removal removed another item');
}
