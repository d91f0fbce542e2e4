/** Items belong to one parent; parents take theirs with them, and nothing else. */
import { expectSame } from '../http/nonconformity.ts';
import { refuse } from '../http/expect-response.ts';
import { create, createAll, createOne, expectGone, placeFor, read, remove, update } from './items.ts';
import { forEach, laws, once } from './law.ts';
import { expectItems } from './listing.ts';
import { idOf, type Item, type Place, type Resource } from './resource.ts';

/** An item, seen from another place. */
function seenFrom(place: Place, resource: Resource, item: Item): Pick<Item, 'place' | 'path'> {
  return { place, path: { ...place.path, [resource.id.parameter]: idOf(resource, item) } };
}

export const isolationLaws = laws({
  isolation: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ one, many }) =>
      `${one} belongs to one place: from another one, reading, changing and removing it get 404, and ${many} there stay as they are.`.replace(
        /^./,
        (letter) => letter.toUpperCase(),
      ),
    properties: (resource, implementation) => [
      forEach('another place', ['empty', 'with an item'], async (kind, session) => {
        const [here, there] = (await resource.places(session, { items: 2, places: 2 })) as [Place, Place];
        const item = await create(session, resource, here, here.bodies[0]!);
        const theirs = kind === 'empty' ? [] : [await create(session, resource, there, there.bodies[1]!)];
        // Ids that the service gives need to differ within a place only.
        if (theirs.some((one) => idOf(resource, one) === idOf(resource, item))) return;
        const why = 'It belongs to another place.';
        await expectGone(session, resource, seenFrom(there, resource, item), why, ['read', 'update', 'delete']);
        await expectItems(session, resource, here, [item], 'A refused request changed it');
        await expectItems(session, resource, there, theirs, 'A refused request changed another place');
      }),
      once('the same in two places', async (session) => {
        const [here, there] = (await resource.places(session, { items: 2, places: 2 })) as [Place, Place];
        const member = resource.values.members[0]!;
        const item = await create(session, resource, here, here.bodies[0]!);
        await expectItems(session, resource, there, [], 'It leaked into another place');
        const same = await create(session, resource, there, there.bodies[0]!);
        const patch = { [member]: resource.values.other(member, implementation, here) };
        const changed = await update(session, resource, item, patch);
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
          // What was read before may be kept somewhere on the way.
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
          const form = child.values.full(implementation);
          const [member] = resource.values.members as [string];
          const patch = {
            ...resource.values.full(implementation),
            [member]: resource.values.other(member, implementation, item.place),
          };
          const children = await createAll(session, child, inside, [{ ...form, ...inside.bodies[0]! }]);
          const changed = await update(session, resource, item, patch);
          const { list } = child;
          if (list.kind === 'embedded')
            expectSame('The response to the change does not show what is inside', changed.shown[list.member], [
              children[0]!.shown,
            ]);
          await expectItems(session, child, inside, children, 'A change of the parent changed what is inside');
          expectSame('A change of one changed another', await read(session, resource, other), other.shown);
        }),
      ];
    },
  },
});
