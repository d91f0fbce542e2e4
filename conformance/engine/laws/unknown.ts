/** Items that are not there. No request names what the run did not make: a service may look at the last id alone. */
import { randomUUID } from 'node:crypto';
import { expectSame } from '../http/nonconformity.ts';
import { type LawProperty, forEach, type Law, once, ONE_OF_SEVERAL, type Steps } from './steps.ts';
import {
  type ResourceCall,
  type Item,
  type Json,
  type Named,
  type Place,
  type Resource,
  upper,
} from './resource.ts';

const DONE = 'A refused request changed something';

/** Whether ids are random but for a beginning and an end: one that is nearly such an id belongs to nobody. */
export function areRandom(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  let begin = 0;
  while (begin < length && one[begin] === other[begin]) {
    begin++;
  }
  let end = 0;
  while (end < length - begin && one.at(-1 - end) === other.at(-1 - end)) {
    end++;
  }
  const middle = one.slice(begin, one.length - end);
  return middle.length >= 10 && new Set(middle).size >= 6 && /[a-z]/i.test(middle);
}

const callsOf = (offered: (call: ResourceCall) => boolean): Named[] =>
  (['read', 'update', 'delete', 'read'] as const).filter(offered);

async function expectUnknown(
  steps: Steps,
  item: Item,
  id: string,
  calls: readonly Named[],
): Promise<void> {
  const path = { ...item.path, [steps.resource.id.parameter]: id };
  await steps.expectGone(
    { place: item.place, path },
    `There is no such one: only ${steps.idOf(item)} exists.`,
    calls,
  );
}

const WRITES_FIRST = ['update', 'delete', 'read'] as const;

/** The parent is another one, or is gone. */
function parentCases(resource: Resource, calls: readonly Named[]): LawProperty[] {
  const others = async (steps: Steps, item: Item, parent: string, why: string) => {
    const [name] = Object.keys(item.place.path) as [string];
    await steps.expectGone(
      { place: item.place, path: { ...item.path, [name]: parent } },
      why,
      calls,
    );
    await steps.refuse(
      'create',
      { path: { [name]: parent }, json: item.place.bodies[0]! },
      [404],
      why,
    );
    await steps.expectItems(item.place, [item], DONE);
  };
  return [
    ...forEach('an unknown parent', ['one', 'another'], async (which, steps: Steps) => {
      await others(
        steps,
        await steps.createOne(),
        `conformance-${which}-${randomUUID()}`,
        'There is no such parent.',
      );
    }),
    once('the id of a parent that was removed', async (steps) => {
      const kept = await steps.createOne();
      const gone = await steps.place();
      await resource.removeParent!(steps.session, gone);
      await others(steps, kept, parentOf(gone), 'The parent was removed.');
    }),
    once('the id of the parent as its own, and the other way round', async (steps) => {
      const [item, other] = await steps.createApart();
      const { place } = item;
      const parent = parentOf(place);
      const own = steps.idOf(item);
      if (areRandom(parent, parentOf(other.place))) {
        const path = { ...item.path, [resource.id.parameter]: parent };
        await steps.expectGone({ place, path }, 'It is the id of the parent.', calls);
      }
      if (areRandom(own, steps.idOf(other))) {
        const path = Object.fromEntries(Object.keys(place.path).map((name) => [name, own]));
        await steps.refuse(
          'create',
          { path, json: place.bodies[0]! },
          [404],
          'No parent has this id.',
        );
      }
      await steps.expectItems(place, [item], DONE);
    }),
  ];
}

const parentOf = ({ path }: Place): string => Object.values(path)[0]!;

async function twoPlaces({ session, resource }: Steps): Promise<[Place, Place]> {
  return (await resource.places(session, { items: 2, places: 2 })) as [Place, Place];
}

function childrenOf(steps: Steps) {
  const { resource, placeIn } = steps.resource.children!;
  return { inner: steps.on(resource), placeIn };
}

export const unknownLaws = {
  unknown: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `Reading ${one} that does not exist gets 404, and so does changing and removing it.`,
    properties: (resource, _, offered) => {
      const calls = callsOf(offered);
      if (resource.id.givenBy === 'body') {
        return once('one that was not created', async (steps) => {
          const place = await steps.place({ items: 2 });
          const [missing, body] = place.bodies as [Json, Json];
          const item = await steps.create(place, body);
          await expectUnknown(steps, item, String(missing[resource.id.member]), calls);
          await steps.expectItems(place, [item], DONE);
        });
      }
      return [
        forEach('long random ids', ['', 'conformance-', 'A-_'], async (prefix, steps) => {
          const item = await steps.createOne();
          await expectUnknown(steps, item, prefix + randomUUID(), calls);
          await steps.expectItems(item.place, [item], DONE);
        }),
        once('ids that are almost that of one', async (steps) => {
          const { place, items } = await steps.createSome({ items: 2 });
          const [item, other] = items as [Item, Item];
          const id = steps.idOf(item);
          if (!areRandom(id, steps.idOf(other))) {
            return;
          }
          const nearly = [
            `${id}0`,
            id.slice(0, -1),
            id.slice(1),
            id.toUpperCase(),
            id.toLowerCase(),
          ];
          for (const near of nearly.filter((one) => one !== id)) {
            await expectUnknown(steps, item, near, calls);
          }
          await steps.expectItems(place, items, DONE);
        }),
        ...(resource.removeParent ? parentCases(resource, calls) : []),
      ];
    },
  },
  unknownChanges: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one }) =>
      `Changing and removing ${one} that does not exist, or exists no more, gets 404.`,
    properties: forEach('unknown ids', ['one', 'another'], async (which, steps) => {
      const item = await steps.createOne();
      await expectUnknown(steps, item, `conformance-${which}-${randomUUID()}`, WRITES_FIRST);
      await steps.remove(item);
      await steps.expectGone(item, 'It was removed.', WRITES_FIRST);
    }),
  },
  gone: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `What is removed is gone: reading, changing and removing ${one} again get 404, and no other is gone.`,
    properties: ({ id }, _, offered) =>
      forEach('one of several', ONE_OF_SEVERAL, async ({ count, at }, steps) => {
        const { place, items } = await steps.createSome({ items: count, atLeast: 1 });
        // A cache on the way may keep an item that was read before.
        await steps.expectItems(place, items, 'The list is not what was created');
        const index = Math.min(at, items.length - 1);
        const [gone] = items.splice(index, 1) as [Item];
        const before = await steps.removeSeen(gone);
        await steps.expectGoneOrOther(gone, before, 'It was removed.', callsOf(offered));
        await steps.expectItems(place, items, 'The wrong ones are left');
        if (id.givenBy === 'body') {
          return;
        }
        const again = await steps.create(place, place.bodies[index]!);
        // Unless a contract says that ids are given once, a service may give one again.
        if (steps.resource.missing && steps.idOf(again) === steps.idOf(gone)) {
          return;
        }
        await steps.expectGoneOrOther(gone, before, 'A new one does not bring it back.');
      }),
  },
  isolation: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one, many }) =>
      `${upper(one)} belongs to one place: from another one, reading, changing and removing it get 404, and ${many} there stay as they are.`,
    properties: [
      forEach('another place', ['empty', 'with an item'], async (kind, steps) => {
        const [here, there] = await twoPlaces(steps);
        const item = await steps.create(here, here.bodies[0]!);
        const id = steps.idOf(item);
        const theirs = kind === 'empty' ? [] : [await steps.create(there, there.bodies[1]!)];
        // Ids that the service gives need to differ within a place only.
        if (theirs.some((one) => steps.idOf(one) === id)) {
          return;
        }
        const seen = { place: there, path: { ...there.path, [steps.resource.id.parameter]: id } };
        await steps.expectGone(seen, 'It belongs to another place.', ['read', 'update', 'delete']);
        await steps.expectItems(here, [item], 'A refused request changed it');
        await steps.expectItems(there, theirs, 'A refused request changed another place');
      }),
      once('the same in two places', async (steps) => {
        const [here, there] = await twoPlaces(steps);
        const item = await steps.create(here, here.bodies[0]!);
        await steps.expectItems(there, [], 'It leaked into another place');
        const same = await steps.create(there, there.bodies[0]!);
        const changed = await steps.update(item, steps.otherOf(here));
        await steps.expectItems(there, [same], 'A change reached another place');
        await steps.remove(await steps.create(there, there.bodies[1]!));
        await steps.expectItems(here, [changed], 'A removal reached another place');
        await steps.expectItems(there, [same], 'A removal took another one');
      }),
    ],
  },
  cascade: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, children }) => `Removing ${one} removes its ${children!.resource.many}.`,
    properties: forEach('with some inside', [1, 2, 4], async (count, steps) => {
      const { inner, placeIn } = childrenOf(steps);
      const parent = await steps.createOne();
      const place = placeIn(parent, count + 1);
      const items = await inner.createAll(place, place.bodies.slice(0, count));
      // A cache on the way may keep an item that was read before.
      for (const item of items) {
        await inner.read(item);
      }
      await steps.remove(parent);
      const why = 'It was removed with what it is inside of.';
      for (const item of items) {
        await inner.expectGone(item, why, ['read', 'update', 'delete']);
      }
      await inner.refuse('create', { path: place.path, json: place.bodies[count]! }, [404], why);
      await steps.expectGone(parent, 'It was removed.');
    }),
  },
  othersStay: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one, many, children }) =>
      `Removing ${one} leaves other ${many} and their ${children!.resource.many} as they are.`,
    properties: once('one of two alike', async (steps) => {
      const { inner, placeIn } = childrenOf(steps);
      const place = await steps.place();
      const body = { ...steps.full(), ...place.bodies[0]! };
      const [gone, kept] = (await steps.createAll(place, [body, body])) as [Item, Item];
      for (const parent of [gone, kept]) {
        await inner.createAll(placeIn(parent, 1));
      }
      const before = await steps.read(kept);
      await steps.remove(gone);
      expectSame('Another one changed', await steps.read(kept), before);
    }),
  },
  childrenStay: {
    sentence: ({ one, children }) =>
      `Changes of ${one} do not change its ${children!.resource.many}, nor another one.`,
    properties: once('beside another', async (steps) => {
      const { inner, placeIn } = childrenOf(steps);
      const item = await steps.createOne();
      const other = await steps.createOne();
      const inside = placeIn(item, 1);
      const made = await inner.create(inside, { ...inner.full(), ...inside.bodies[0]! });
      const changed = await steps.update(item, { ...steps.full(), ...steps.otherOf(item.place) });
      if (inner.resource.list.kind === 'embedded') {
        const what = 'The response to the change does not show what is inside';
        expectSame(what, changed.shown[inner.resource.list.items], [made.shown]);
      }
      await inner.expectItems(inside, [made], 'A change of the parent changed what is inside');
      await steps.expectRead(other, 'A change of one changed another');
    }),
  },
} satisfies Record<string, Law>;
