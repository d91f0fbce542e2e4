/** What does not exist, and what exists no more. No request names what the run did not make. */
import { randomUUID } from 'node:crypto';
import type { Session } from '../http/session.ts';
import { refuse } from './calls.ts';
import { createAll, createOne, expectGone, placeFor, remove } from './items.ts';
import { type Cases, forEach, laws, once } from './law.ts';
import { expectItems } from './listing.ts';
import { type Call, idOf, type Item, type Resource } from './resource.ts';

type Named = 'read' | 'update' | 'delete';

/** Whether a part of this id, or the id in another case, can be no other id: a short one may be a number that counts up. */
function isLong(id: string): boolean {
  return id.length >= 12 && new Set(id).size >= 8 && /[a-z]/i.test(id);
}

/** Below an own parent, every id that is not one of its items is unknown. */
const SHORT_IDS = ['0', '1', '-', '_'];

function nearly(resource: Resource, id: string): string[] {
  const parts = [`${id}0`, id.slice(0, -1), id.slice(1), id.toUpperCase(), id.toLowerCase()];
  const others = [...(isLong(id) ? parts : []), ...(resource.removeParent ? SHORT_IDS : [])];
  return others.filter((other) => other !== id);
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
          const item = await createOne(session, resource);
          for (const id of nearly(resource, idOf(resource, item)))
            await expectUnknown(session, resource, item, id, calls);
          await expectItems(session, resource, item.place, [item], 'A refused request changed something');
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
          // A list that has been read before may be kept somewhere on the way.
          await expectItems(session, resource, place, items, 'The list is not what was created');
          const [gone] = items.splice(Math.min(at, items.length - 1), 1) as [Item];
          await remove(session, resource, gone);
          await expectGone(session, resource, gone, 'It was removed.', callsOf(offered));
          await expectItems(session, resource, place, items, 'The wrong ones are left');
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
      await others(session, kept, Object.values(gone.path)[0]!, 'The parent was removed.');
      await expectItems(session, resource, kept.place, [kept], 'A refused request changed something');
    }),
    once('the id of the parent as its own, and the other way round', async (session) => {
      const item = await createOne(session, resource);
      const [parent] = Object.values(item.place.path) as [string];
      if (parent === idOf(resource, item)) return;
      const path = { ...item.path, [resource.id.parameter]: parent };
      await expectGone(session, resource, { place: item.place, path }, 'It is the id of the parent.', calls);
      const own = idOf(resource, item);
      const json = item.place.bodies[0]!;
      const as = Object.fromEntries(Object.keys(item.place.path).map((name) => [name, own]));
      // A long id is that of one thing only.
      if (isLong(own))
        await refuse(session, resource.calls.create, { path: as, json }, [404], 'No parent has this id.');
      await expectItems(session, resource, item.place, [item], 'A refused request changed something');
    }),
  ];
}
