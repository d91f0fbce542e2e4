/**
 * What does not exist, and what exists no more. No request names what the run did not make, not even below a parent of
 * its own: a service that looks at the last id alone would change what is somebody else's.
 */
import { randomUUID } from 'node:crypto';
import type { Session } from '../http/session.ts';
import { refuse } from '../http/expect-response.ts';
import { create, createAll, createOne, expectGone, placeFor, read, remove } from './items.ts';
import { type Cases, forEach, laws, once } from './law.ts';
import { expectItems } from './listing.ts';
import { type Call, idOf, type Item, type Named, type Resource } from './resource.ts';

/**
 * Whether ids of one kind are made at random: two of them share no more than a beginning and an end. What is nearly such
 * an id is long and random itself. Where ids count, however long they are, it may be that of somebody else.
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
            const [item] = await createAll(session, resource, place, place.bodies.slice(1));
            await expectUnknown(session, resource, item!, String(place.bodies[0]![resource.id.member]), calls);
            await expectItems(session, resource, place, [item!], 'A refused request changed something');
          }),
        ];
      return [
        forEach('long random ids', ['', 'conformance-', 'A-_'], async (prefix, session) => {
          const item = await createOne(session, resource);
          await expectUnknown(session, resource, item, prefix + randomUUID(), calls);
          await expectItems(session, resource, item.place, [item], 'A refused request changed something');
        }),
        once('ids that are almost that of one', async (session) => {
          const place = await placeFor(session, resource, { items: 2 });
          const items = await createAll(session, resource, place);
          const [item, other] = items as [Item, Item];
          const id = idOf(resource, item);
          if (!areRandom(id, idOf(resource, other))) return;
          for (const near of nearly(id)) await expectUnknown(session, resource, item, near, calls);
          await expectItems(session, resource, place, items, 'A refused request changed something');
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
        const id = `conformance-${which}-${randomUUID()}`;
        await expectUnknown(session, resource, item, id, ['update', 'delete', 'read']);
      }),
      once('one that was removed', async (session) => {
        const item = await createOne(session, resource);
        await remove(session, resource, item);
        await expectUnknown(session, resource, item, idOf(resource, item), ['update', 'delete', 'read']);
      }),
    ],
  },
  gone: {
    needs: ['create', 'read', 'delete'],
    sentence: ({ one }) =>
      `What is removed is gone: reading, changing and removing ${one} again get 404, and no other is gone.`,
    properties: (resource, _, offered) => [
      forEach(
        'one of several',
        [
          [1, 0],
          [4, 0],
          [4, 1],
          [3, 2],
        ] as const,
        async ([count, at], session) => {
          const place = await placeFor(session, resource, { items: count, atLeast: 1 });
          const items = await createAll(session, resource, place);
          // What was read before may be kept somewhere on the way.
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
        },
      ),
    ],
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
  };
  return [
    forEach('an unknown parent', ['one', 'another'], async (which, session) => {
      const item = await createOne(session, resource);
      const id = `conformance-${which}-${randomUUID()}`;
      await others(session, item, id, 'There is no such parent.');
      await expectItems(session, resource, item.place, [item], 'A refused request changed something');
    }),
    once('the id of a parent that was removed', async (session) => {
      const [kept, gone] = [await createOne(session, resource), await placeFor(session, resource)];
      await resource.removeParent!(session, gone);
      await others(session, kept, parentOf({ place: gone }), 'The parent was removed.');
      await expectItems(session, resource, kept.place, [kept], 'A refused request changed something');
    }),
    once('the id of the parent as its own, and the other way round', async (session) => {
      const places = await resource.places(session, { items: 1, places: 2 });
      const items: Item[] = [];
      for (const place of places) items.push(...(await createAll(session, resource, place, place.bodies.slice(0, 1))));
      const [item, other] = items as [Item, Item];
      const [parent, own] = [parentOf(item), idOf(resource, item)];
      if (areRandom(parent, parentOf(other))) {
        const path = { ...item.path, [resource.id.parameter]: parent };
        await expectGone(session, resource, { place: item.place, path }, 'It is the id of the parent.', calls);
      }
      if (areRandom(own, idOf(resource, other))) {
        const json = item.place.bodies[0]!;
        const as = Object.fromEntries(Object.keys(item.place.path).map((name) => [name, own]));
        await refuse(session, resource.calls.create, { path: as, json }, [404], 'No parent has this id.');
      }
      await expectItems(session, resource, item.place, [item], 'A refused request changed something');
    }),
  ];
}

function parentOf({ place }: Pick<Item, 'place'>): string {
  return Object.values(place.path)[0]!;
}
