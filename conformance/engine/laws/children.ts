/** Items that are inside others: they go with their parent, and with no other. */
import { expectSame } from '../http/nonconformity.ts';
import { forEach, type Law, once } from './law.ts';
import { bodyOf, childrenOf, type Resource } from './resource.ts';
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
} satisfies Record<string, Law>;

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
