/** Items that are inside others: they go with their parent, and with no other. */
import { randomUUID } from 'node:crypto';
import { expectSame } from '../http/nonconformity.ts';
import { forEach, type Law, once } from './law.ts';
import {
  bodyOf,
  changeBodyFor,
  childrenOf,
  type Item,
  type Json,
  type Place,
  type Resource,
} from './resource.ts';
import type { Steps } from './steps.ts';

export const childLaws = {
  cascade: {
    needs: ['create', 'read', 'delete'],
    sentence: (resource) => `Removing ${resource.one} removes its ${manyInside(resource)}.`,
    properties: forEach('with some inside', [1, 2, 4], tryCascade),
  },
  othersStay: {
    needs: ['create', 'read', 'delete'],
    sentence: (resource) =>
      `Removing ${resource.one} leaves other ${resource.many} and their ` +
      `${manyInside(resource)} as they are.`,
    properties: once('one of two alike', tryOthersStay),
  },
  childrenStay: {
    sentence: (resource) =>
      `Changes of ${resource.one} do not change its ${manyInside(resource)}, nor another one.`,
    properties: once('beside another', tryChildrenStay),
  },
  refusedInside: {
    needs: ['create', 'read'],
    needsInside: ['create'],
    sentence: (resource) =>
      `What is refused inside of ${resource.one}, a creation, a change or a removal, changes ` +
      `neither its own members nor its ${manyInside(resource)}.`,
    properties: (resource) => [
      forEach(
        'an invalid creation',
        childrenOf(resource).resource.values.invalid.create,
        tryInvalid,
      ),
      forEach(
        'an invalid change',
        childrenOf(resource).resource.values.invalid.update,
        tryInvalidChange,
      ),
      once('a name that another has', tryTakenInside),
      once('what is not there', tryMissingInside),
    ],
  },
} satisfies Record<string, Law>;

/** An item with all its members, and with one inside of it that has all members, too. */
interface Full {
  parent: Item;
  inner: Steps;
  place: Place;
  child: Item;
}

async function fullWithOneInside(steps: Steps): Promise<Full> {
  const children = childrenOf(steps.resource);
  const inner = steps.on(children.resource);
  const own = await steps.place();
  const parent = await steps.create(own, { ...steps.full(), ...bodyOf(own) });
  const place = children.placeIn(parent, 2);
  const child = await inner.create(place, { ...inner.full(), ...bodyOf(place) });
  return { parent, inner, place, child };
}

/** Refuses something inside of a full item. A read of the item must be as before. */
async function tryRefused(steps: Steps, refuse: (full: Full) => Promise<void>): Promise<void> {
  const full = await fullWithOneInside(steps);
  const before = await steps.read(full.parent);
  await refuse(full);
  expectSame('What was refused inside changed something', await steps.read(full.parent), before);
  await full.inner.expectItems(full.place, [full.child], 'What was refused changed what is inside');
}

const INVALID = 'The body breaks the contract.';

function tryInvalid(bad: Json, steps: Steps): Promise<void> {
  return tryRefused(steps, async ({ inner, place }) => {
    const json = { ...bodyOf(place, 1), ...bad };
    await inner.refuse('create', { path: place.path, json }, { statuses: [400], why: INVALID });
  });
}

function tryInvalidChange(bad: Json, steps: Steps): Promise<void> {
  return tryRefused(steps, async ({ inner, child }) => {
    const { invalid = [400] } = inner.resource;
    const json = changeBodyFor(inner.resource, child, bad);
    await inner.refuse('update', { path: child.path, json }, { statuses: invalid, why: INVALID });
  });
}

function tryTakenInside(steps: Steps): Promise<void> {
  return tryRefused(steps, async ({ inner, place }) => {
    if (inner.resource.unique) {
      const input = { path: place.path, json: bodyOf(place) };
      await inner.refuse('create', input, { statuses: [409], why: 'Another item has it.' });
    }
  });
}

function tryMissingInside(steps: Steps): Promise<void> {
  return tryRefused(steps, async ({ inner, place }) => {
    const { parameter } = inner.resource.id;
    const path = { ...place.path, [parameter]: `conformance-${randomUUID()}` };
    await inner.expectGone({ place, path }, 'Nothing has this id.', ['update', 'delete']);
  });
}

/** The items inside, as sentences name them. */
function manyInside(resource: Resource): string {
  return childrenOf(resource).resource.many;
}

async function tryCascade(count: number, steps: Steps): Promise<void> {
  const children = childrenOf(steps.resource);
  const inner = steps.on(children.resource);
  const parent = await steps.createOne();
  const place = children.placeIn(parent, count + 1);
  const items = await inner.createAll(place, place.bodies.slice(0, count));
  // A cache on the way may keep an item that was read before.
  for (const item of items) {
    await inner.read(item);
  }
  await steps.remove(parent);
  const why = 'The item was removed with its parent.';
  for (const item of items) {
    await inner.expectGone(item, why, ['read', 'update', 'delete']);
  }
  const input = { path: place.path, json: bodyOf(place, count) };
  await inner.refuse('create', input, { statuses: [404], why });
  await steps.expectGone(parent, 'The item was removed.');
}

async function tryOthersStay(steps: Steps): Promise<void> {
  const children = childrenOf(steps.resource);
  const inner = steps.on(children.resource);
  const place = await steps.place();
  const body = { ...steps.full(), ...bodyOf(place) };
  const gone = await steps.create(place, body);
  const kept = await steps.create(place, body);
  for (const parent of [gone, kept]) {
    await inner.createAll(children.placeIn(parent, 1));
  }
  const before = await steps.read(kept);
  await steps.remove(gone);
  expectSame('Another item changed', await steps.read(kept), before);
}

async function tryChildrenStay(steps: Steps): Promise<void> {
  const children = childrenOf(steps.resource);
  const inner = steps.on(children.resource);
  const item = await steps.createOne();
  const other = await steps.createOne();
  const inside = children.placeIn(item, 1);
  const child = await inner.create(inside, { ...inner.full(), ...bodyOf(inside) });
  const changed = await steps.update(item, { ...steps.full(), ...steps.otherOf(item.place) });
  const { list } = children.resource;
  if (list.kind === 'embedded') {
    const what = 'The response to the change does not show what is inside';
    expectSame(what, changed.shown[list.items], [child.shown]);
  }
  await inner.expectItems(inside, [child], 'A change of the parent changed what is inside');
  await steps.expectRead(other, 'A change of one item changed another');
}
