/** What is read is what was written. */
import { randomUUID } from 'node:crypto';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { create, createAll, createOne, expectShown, placeFor, read } from './items.ts';
import { type Cases, forAll, forEach, laws, once } from './law.ts';
import { expectItems, listOf } from './listing.ts';
import { idOf, type Item, type Json, type Resource } from './resource.ts';

/** Cases with any body that can be created, each in a place of its own. */
function ofEvery(
  resource: Resource,
  implementation: Implementation,
  check: (item: Item, body: Json, session: Session) => Promise<void> | void,
): Cases {
  const { values } = resource;
  const fixed = [
    values.full(implementation),
    values.bare(implementation),
    ...(values.examples?.(implementation) ?? []),
  ];
  const tryOne = async (body: Json, session: Session) => check(await createOne(session, resource, body), body, session);
  return [
    ...(values.bodies ? [forAll(`any of the ${resource.many}`, values.bodies(implementation), tryOne)] : []),
    forEach('with everything, with nothing, and with what tends to be changed', fixed, tryOne),
  ];
}

export function expectSent(resource: Resource, item: Item, body: Json, implementation: Implementation): void {
  const due = resource.sent?.(body, implementation) ?? resource.shown(body);
  expectShown(resource, 'The response is not what was sent', item.shown, due);
}

export async function expectReadAs(session: Session, resource: Resource, item: Item): Promise<void> {
  const what = `Reading ${resource.one} gives something else than creating it returned`;
  expectSame(what, await read(session, resource, item), item.shown);
}

/** Several items in one place, full and bare in turn. */
export async function createMixed(session: Session, resource: Resource, count: number): Promise<Item[]> {
  const { full, bare } = resource.values;
  const place = await placeFor(session, resource, { items: count, atLeast: 1 });
  const forms = place.bodies.map((body, index) => ({
    ...(index % 2 === 0 ? full : bare)(session.implementation),
    ...body,
  }));
  return createAll(session, resource, place, forms);
}

export const echoLaws = laws({
  echo: {
    needs: ['create'],
    sentence: ({ one }) =>
      `Creating ${one} responds with what was sent, in the form of responses: texts to the byte, lists in their order.`,
    properties: (resource, implementation) =>
      ofEvery(resource, implementation, (item, body) => expectSent(resource, item, body, implementation)),
  },
  readYourWrite: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `Reading ${one} gives what creating it returned.`,
    properties: (resource, implementation) =>
      ofEvery(resource, implementation, async (item, _, session) => expectReadAs(session, resource, item)),
  },
  siblings: {
    needs: ['create', 'read'],
    sentence: ({ many }) =>
      `Several ${many} beside each other each read as they were created, whatever the others have.`,
    properties: (resource) => [
      forEach('full and bare in turn', [2, 3, 5], async (count, session) => {
        const items = await createMixed(session, resource, count);
        for (const item of items.toReversed()) await expectReadAs(session, resource, item);
        for (const [index, item] of items.entries()) {
          const form = (index % 2 === 0 ? resource.values.full : resource.values.bare)(session.implementation);
          const body = { ...form, ...item.place.bodies[index] };
          expectShown(resource, 'It is not what was sent', await read(session, resource, item), resource.shown(body));
        }
      }),
    ],
  },
  defaults: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `What is omitted from ${one}, or sent as null, reads back as its default.`,
    properties: (resource, implementation) => {
      const { defaults, bodies } = resource.values;
      const check = async (body: Json, session: Session) => {
        const item = await createOne(session, resource, body);
        expectShown(resource, 'What was left out has another default', item.shown, resource.shown(body));
        await expectReadAs(session, resource, item);
      };
      return [
        forEach('left out, and null', defaults?.(implementation) ?? [{}], check),
        ...(bodies ? [forAll(`any of the ${resource.many}`, bodies(implementation), check)] : []),
      ];
    },
  },
  listed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `The list of ${many} has ${one} as soon as it is created, as reading gives it, and nothing that was not created.`,
    properties: (resource, implementation) => [
      ...(resource.list.kind === 'embedded' && resource.values.bodies
        ? [
            forAll('any alone', resource.values.bodies(implementation), async (body, session) => {
              const item = await createOne(session, resource, body);
              await expectItems(session, resource, item.place, [item], 'The list does not show it');
            }),
          ]
        : []),
      ...(resource.mark === undefined
        ? []
        : [once('once, among those of others', (session) => expectNoTwin(session, resource, resource.mark!))]),
      forEach('several, full and bare in turn', [1, 2, 4, 5], async (count, session) => {
        const items = await createMixed(session, resource, count);
        await expectItems(session, resource, items[0]!.place, items, 'The list is not what was created');
        const { children } = resource;
        if (children) {
          const inside = children.placeIn(items[0]!, 2);
          const { full, bare } = children.resource.values;
          const forms = [full, bare].map((form, index) => ({ ...form(implementation), ...inside.bodies[index]! }));
          await createAll(session, children.resource, inside, forms);
        }
        const { items: listed } = await listOf(session, resource, items[0]!.place, items);
        for (const item of items)
          expectSame(
            'The list shows it otherwise than reading it',
            listed.find((shown) => idOf(resource, { shown }) === idOf(resource, item)),
            await read(session, resource, item),
          );
      }),
    ],
  },
  empty: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ many }) => `A place without ${many} lists as empty.`,
    properties: (resource) => [
      once('before one is created', async (session) => {
        const place = await placeFor(session, resource, { items: 1, empty: true });
        await expectItems(session, resource, place, [], 'Nothing was created');
      }),
      once('after the last one is removed', async (session) => {
        const place = await placeFor(session, resource, { items: 1, empty: true });
        const [item] = await createAll(session, resource, place, place.bodies.slice(0, 1));
        await session.call(resource.calls.delete, { path: item!.path });
        await expectItems(session, resource, place, [], 'The only one was removed');
      }),
    ],
  },
});

/** Nobody else's item has this mark: a second one with it was created besides. @throws Nonconformity */
async function expectNoTwin(session: Session, resource: Resource, mark: string): Promise<void> {
  const place = await placeFor(session, resource);
  const item = await create(session, resource, place, { ...place.bodies[0]!, [mark]: randomUUID() });
  const { items } = await listOf(session, resource, place, [item]);
  const got = items.filter((shown) => shown[mark] === item.shown[mark]).map((shown) => idOf(resource, { shown }));
  expectThat(got.join() === idOf(resource, item), `One ${resource.one.replace(/^an? /, '')} was created.`, {
    expected: `${idOf(resource, item)} alone`,
    got,
  });
}
