/**
 * Items that are not there: ids that do not exist or exist no more, items seen from another place, and what goes with its
 * parent. No request names what the run did not make, not even below a parent of its own: a service that looks at the
 * last id alone would change what belongs to others.
 */
import { randomUUID } from 'node:crypto';
import { refuse } from '../http/expect-response.ts';
import { expectSame } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import {
  create,
  createAll,
  createOne,
  expectGone,
  expectItems,
  expectRead,
  otherOf,
  placeFor,
  read,
  remove,
  update,
} from './items.ts';
import { type Cases, forEach, laws, once } from './law.ts';
import { type Call, idOf, type Item, type Json, type Named, type Place, type Resource, upper } from './resource.ts';

const DONE = 'A refused request changed something';

/**
 * Whether ids of one kind are made at random: two of them share no more than a beginning and an end. An id that is nearly
 * such an id is long and random itself. Where ids count, however long they are, it may belong to others.
 */
export function areRandom(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  let begin = 0;
  while (begin < length && one[begin] === other[begin]) begin++;
  let end = 0;
  while (end < length - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  const middle = one.slice(begin, one.length - end);
  return middle.length >= 10 && new Set(middle).size >= 6 && /[a-z]/i.test(middle);
}

function nearly(id: string): string[] {
  return [`${id}0`, id.slice(0, -1), id.slice(1), id.toUpperCase(), id.toLowerCase()].filter((other) => other !== id);
}

function callsOf(offered: (call: Call) => boolean): Named[] {
  return (['read', 'update', 'delete', 'read'] as const).filter(offered);
}

async function expectUnknown(
  session: Session,
  resource: Resource,
  item: Item,
  id: string,
  calls: readonly Named[],
): Promise<void> {
  const path = { ...item.path, [resource.id.parameter]: id };
  const why = `There is no such one: only ${idOf(resource, item)} exists.`;
  await expectGone(session, resource, { place: item.place, path }, why, calls);
}

const WRITES_FIRST = ['update', 'delete', 'read'] as const;

export const unknownLaws = laws({
  unknown: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `Reading ${one} that does not exist gets 404, and so does changing and removing it.`,
    properties: (resource, _, offered) => {
      const calls = callsOf(offered);
      if (resource.id.givenBy === 'body')
        return [
          once('one that was not created', async (session) => {
            const place = await placeFor(session, resource, { items: 2 });
            const [item] = (await createAll(session, resource, place, place.bodies.slice(1))) as [Item];
            await expectUnknown(session, resource, item, String(place.bodies[0]![resource.id.member]), calls);
            await expectItems(session, resource, place, [item], DONE);
          }),
        ];
      return [
        forEach('long random ids', ['', 'conformance-', 'A-_'], async (prefix, session) => {
          const item = await createOne(session, resource);
          await expectUnknown(session, resource, item, prefix + randomUUID(), calls);
          await expectItems(session, resource, item.place, [item], DONE);
        }),
        once('ids that are almost that of one', async (session) => {
          const place = await placeFor(session, resource, { items: 2 });
          const items = await createAll(session, resource, place);
          const [item, other] = items as [Item, Item];
          const id = idOf(resource, item);
          if (!areRandom(id, idOf(resource, other))) return;
          for (const near of nearly(id)) await expectUnknown(session, resource, item, near, calls);
          await expectItems(session, resource, place, items, DONE);
        }),
        ...(resource.removeParent ? parentCases(resource, calls) : []),
      ];
    },
  },
  unknownChanges: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one }) => `Changing and removing ${one} that does not exist, or exists no more, gets 404.`,
    properties: (resource) => [
      forEach('unknown ids', ['one', 'another'], async (which, session) => {
        const item = await createOne(session, resource);
        await expectUnknown(session, resource, item, `conformance-${which}-${randomUUID()}`, WRITES_FIRST);
      }),
      once('one that was removed', async (session) => {
        const item = await createOne(session, resource);
        await remove(session, resource, item);
        await expectUnknown(session, resource, item, idOf(resource, item), WRITES_FIRST);
      }),
    ],
  },
  gone: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `What is removed is gone: reading, changing and removing ${one} again get 404, and no other is gone.`,
    properties: (resource, _, offered) => {
      const cases: [count: number, at: number][] = [
        [1, 0],
        [4, 0],
        [4, 1],
        [3, 2],
      ];
      return [
        forEach('one of several', cases, async ([count, at], session) => {
          const place = await placeFor(session, resource, { items: count, atLeast: 1 });
          const items = await createAll(session, resource, place);
          // A cache on the way may keep an item that was read before.
          await expectItems(session, resource, place, items, 'The list is not what was created');
          const index = Math.min(at, items.length - 1);
          const [gone] = items.splice(index, 1) as [Item];
          await read(session, resource, gone);
          await remove(session, resource, gone);
          await expectGone(session, resource, gone, 'It was removed.', callsOf(offered));
          await expectItems(session, resource, place, items, 'The wrong ones are left');
          if (resource.id.givenBy === 'body') return;
          items.push(await create(session, resource, place, place.bodies[index]!));
          await expectGone(session, resource, gone, 'A new one does not bring it back.');
        }),
      ];
    },
  },
});

/** The parent is another one, or is gone. */
function parentCases(resource: Resource, calls: readonly Named[]): Cases {
  const others = async (session: Session, item: Item, parent: string, why: string) => {
    const [name] = Object.keys(item.place.path) as [string];
    const path = { ...item.path, [name]: parent };
    await expectGone(session, resource, { place: item.place, path }, why, calls);
    const json = item.place.bodies[0]!;
    await refuse(session, resource.calls.create, { path: { [name]: parent }, json }, [404], why);
    await expectItems(session, resource, item.place, [item], DONE);
  };
  return [
    forEach('an unknown parent', ['one', 'another'], async (which, session) => {
      const item = await createOne(session, resource);
      await others(session, item, `conformance-${which}-${randomUUID()}`, 'There is no such parent.');
    }),
    once('the id of a parent that was removed', async (session) => {
      const [kept, gone] = [await createOne(session, resource), await placeFor(session, resource)];
      await resource.removeParent!(session, gone);
      await others(session, kept, parentOf(gone), 'The parent was removed.');
    }),
    once('the id of the parent as its own, and the other way round', async (session) => {
      const items: Item[] = [];
      for (const place of await resource.places(session, { items: 1, places: 2 }))
        items.push(await create(session, resource, place, place.bodies[0]!));
      const [item, other] = items as [Item, Item];
      const { place } = item;
      const [parent, own] = [parentOf(place), idOf(resource, item)];
      if (areRandom(parent, parentOf(other.place))) {
        const path = { ...item.path, [resource.id.parameter]: parent };
        await expectGone(session, resource, { place, path }, 'It is the id of the parent.', calls);
      }
      if (areRandom(own, idOf(resource, other))) {
        const path = Object.fromEntries(Object.keys(place.path).map((name) => [name, own]));
        await refuse(session, resource.calls.create, { path, json: place.bodies[0]! }, [404], 'No parent has this id.');
      }
      await expectItems(session, resource, place, [item], DONE);
    }),
  ];
}

function parentOf({ path }: Place): string {
  return Object.values(path)[0]!;
}

async function twoPlaces(session: Session, resource: Resource): Promise<[Place, Place]> {
  return (await resource.places(session, { items: 2, places: 2 })) as [Place, Place];
}

export const isolationLaws = laws({
  isolation: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one, many }) =>
      `${upper(one)} belongs to one place: from another one, reading, changing and removing it get 404, and ${many} there stay as they are.`,
    properties: (resource) => [
      forEach('another place', ['empty', 'with an item'], async (kind, session) => {
        const [here, there] = await twoPlaces(session, resource);
        const item = await create(session, resource, here, here.bodies[0]!);
        const id = idOf(resource, item);
        const theirs = kind === 'empty' ? [] : [await create(session, resource, there, there.bodies[1]!)];
        // Ids that the service gives need to differ within a place only.
        if (theirs.some((one) => idOf(resource, one) === id)) return;
        const seen = { place: there, path: { ...there.path, [resource.id.parameter]: id } };
        await expectGone(session, resource, seen, 'It belongs to another place.', ['read', 'update', 'delete']);
        await expectItems(session, resource, here, [item], 'A refused request changed it');
        await expectItems(session, resource, there, theirs, 'A refused request changed another place');
      }),
      once('the same in two places', async (session) => {
        const [here, there] = await twoPlaces(session, resource);
        const item = await create(session, resource, here, here.bodies[0]!);
        await expectItems(session, resource, there, [], 'It leaked into another place');
        const same = await create(session, resource, there, there.bodies[0]!);
        const changed = await update(session, resource, item, otherOf(session, resource, here));
        await expectItems(session, resource, there, [same], 'A change reached another place');
        const second = await create(session, resource, there, there.bodies[1]!);
        await remove(session, resource, second);
        await expectItems(session, resource, here, [changed], 'A removal reached another place');
        await expectItems(session, resource, there, [same], 'A removal took another one');
      }),
    ],
  },
});

export const parentLaws = laws({
  cascade: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, children }) => `Removing ${one} removes its ${children!.resource.many}.`,
    properties: (resource) => {
      const { resource: child, placeIn } = resource.children!;
      return [
        forEach('with some inside', [1, 2, 4], async (count, session) => {
          const parent = await createOne(session, resource);
          const place = placeIn(parent, count + 1);
          const items = await createAll(session, child, place, place.bodies.slice(0, count));
          // A cache on the way may keep an item that was read before.
          for (const item of items) await read(session, child, item);
          await remove(session, resource, parent);
          const why = 'It was removed with what it is inside of.';
          for (const item of items) await expectGone(session, child, item, why, ['read', 'update', 'delete']);
          await refuse(session, child.calls.create, { path: place.path, json: place.bodies[count]! }, [404], why);
          await expectGone(session, resource, parent, 'It was removed.');
        }),
      ];
    },
  },
  othersStay: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, many, children }) =>
      `Removing ${one} leaves other ${many} and their ${children!.resource.many} as they are.`,
    properties: (resource, implementation) => {
      const { resource: child, placeIn } = resource.children!;
      return [
        once('one of two alike', async (session) => {
          const place = await placeFor(session, resource);
          const body = { ...resource.values.full(implementation), ...place.bodies[0]! };
          const [gone, kept] = (await createAll(session, resource, place, [body, body])) as [Item, Item];
          for (const parent of [gone, kept]) await createAll(session, child, placeIn(parent, 1));
          const before = await read(session, resource, kept);
          await remove(session, resource, gone);
          expectSame('Another one changed', await read(session, resource, kept), before);
        }),
      ];
    },
  },
  childrenStay: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one, children }) => `Changes of ${one} do not change its ${children!.resource.many}, nor another one.`,
    properties: (resource, implementation) => {
      const { resource: child, placeIn } = resource.children!;
      return [
        once('beside another', async (session) => {
          const [item, other] = [await createOne(session, resource), await createOne(session, resource)];
          const inside = placeIn(item, 1);
          const json: Json = { ...child.values.full(implementation), ...inside.bodies[0]! };
          const patch = { ...resource.values.full(implementation), ...otherOf(session, resource, item.place) };
          const inner = await create(session, child, inside, json);
          const changed = await update(session, resource, item, patch);
          if (child.list.kind === 'embedded') {
            const what = 'The response to the change does not show what is inside';
            expectSame(what, changed.shown[child.list.member], [inner.shown]);
          }
          await expectItems(session, child, inside, [inner], 'A change of the parent changed what is inside');
          await expectRead(session, resource, other, 'A change of one changed another');
        }),
      ];
    },
  },
});
