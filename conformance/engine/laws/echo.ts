/** Items read as they were written, and stay as they are until they are changed. */
import { randomUUID } from 'node:crypto';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import type { Property } from '../requirements/requirement.ts';
import {
  create,
  createAll,
  createOne,
  expectItems,
  expectRead,
  expectShown,
  listOf,
  otherOf,
  placeFor,
  read,
  remove,
  update,
} from './items.ts';
import { type Cases, forAll, forEach, laws, moreThanASecond, once } from './law.ts';
import { idOf, type Item, type Json, type Resource, upper } from './resource.ts';

/** With any body, where bodies hold more than the id. */
function forAnyBody(
  { values }: Resource,
  implementation: Implementation,
  label: string,
  check: (body: Json, session: Session) => Promise<void>,
): Property[] {
  return values.bodies ? [forAll(label, values.bodies(implementation), check)] : [];
}

/** Cases with any body that can be created, each in a place of its own. */
function ofEvery(
  resource: Resource,
  implementation: Implementation,
  check: (item: Item, body: Json, session: Session) => Promise<void> | void,
): Cases {
  const { full, bare, examples } = resource.values;
  const fixed = [full(implementation), bare(implementation), ...(examples?.(implementation) ?? [])];
  const tryOne = async (body: Json, session: Session) => check(await createOne(session, resource, body), body, session);
  return [
    forAnyBody(resource, implementation, `any of the ${resource.many}`, tryOne),
    forEach('with everything, with nothing, and with what tends to be changed', fixed, tryOne),
  ];
}

export function expectSent(resource: Resource, item: Item, body: Json, implementation: Implementation): void {
  const due = resource.sent?.(body, implementation) ?? resource.shown(body);
  expectShown(resource, 'The response is not what was sent', item.shown, due);
}

export async function expectReadAs(session: Session, resource: Resource, item: Item): Promise<void> {
  await expectRead(session, resource, item, `Reading ${resource.one} gives something else than creating it returned`);
}

/** Full and bare bodies in turn, with what no two may have from these. */
function mixed({ values }: Resource, { implementation }: Session, bodies: readonly Json[]): Json[] {
  const forms = [values.full, values.bare];
  return bodies.map((body, index) => ({ ...forms[index % 2]!(implementation), ...body }));
}

/** Several items in one place, full and bare in turn. */
export async function createMixed(session: Session, resource: Resource, count: number): Promise<Item[]> {
  const place = await placeFor(session, resource, { items: count, atLeast: 1 });
  return createAll(session, resource, place, mixed(resource, session, place.bodies));
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
        const sent = mixed(resource, session, items[0]!.place.bodies);
        for (const [index, item] of items.entries()) {
          const shown = await read(session, resource, item);
          expectShown(resource, 'It is not what was sent', shown, resource.shown(sent[index]!));
        }
      }),
    ],
  },
  defaults: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `What is omitted from ${one}, or sent as null, reads back as its default.`,
    properties: (resource, implementation) => {
      const check = async (body: Json, session: Session) => {
        const item = await createOne(session, resource, body);
        expectShown(resource, 'What was left out has another default', item.shown, resource.shown(body));
        await expectReadAs(session, resource, item);
      };
      return [
        forEach('left out, and null', resource.values.defaults?.(implementation) ?? [{}], check),
        forAnyBody(resource, implementation, `any of the ${resource.many}`, check),
      ];
    },
  },
  listed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `The list of ${many} has ${one} as soon as it is created, as reading gives it, and nothing that was not created.`,
    properties: (resource, implementation) => {
      const listedAlone = async (body: Json, session: Session) => {
        const item = await createOne(session, resource, body);
        await expectItems(session, resource, item.place, [item], 'The list does not show it');
      };
      const isEmbedded = resource.list.kind === 'embedded';
      const { mark } = resource;
      return [
        isEmbedded ? forAnyBody(resource, implementation, 'any alone', listedAlone) : [],
        mark === undefined
          ? []
          : once('once, among those of others', (session) => expectNoTwin(session, resource, mark)),
        forEach('several, full and bare in turn', [1, 2, 4, 5], (count, session) =>
          trySeveralListed(session, resource, count),
        ),
      ];
    },
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
  stable: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `${upper(one)} that nobody changes does not change, however often it is read and whatever happens beside it.`,
    properties: (resource, implementation, offered) => [
      // Where there is a list, `many` has dozens.
      offered('list') ? [] : once('dozens', (session) => tryDozens(session, resource)),
      forAnyBody(resource, implementation, 'reading again', async (body, session) => {
        const item = await createOne(session, resource, body);
        for (let time = 0; time < 3; time++) await expectRead(session, resource, item, 'It changed by itself');
      }),
      once('while others change, and after more than a second', async (session) => {
        const place = await placeFor(session, resource, { items: 3, atLeast: 2 });
        const full = resource.values.full(implementation);
        const bodies = place.bodies.slice(0, 2).map((body) => ({ ...full, ...body }));
        const [item, other] = (await createAll(session, resource, place, bodies)) as [Item, Item];
        const look = () => expectRead(session, resource, item, 'It changed by itself');
        await look();
        let beside = other;
        if (offered('update') && place.bodies.length > 2) {
          const patch = otherOf(session, resource, place, resource.values.members);
          beside = await update(session, resource, beside, patch);
          expectShown(resource, 'The change is not there', beside.shown, resource.changed({}, patch));
        }
        await look();
        await moreThanASecond();
        await look();
        if (offered('delete')) await remove(session, resource, beside);
        await look();
        await look();
      }),
    ],
  },
});

/** Other items do not have this mark: a second one with it was created besides. @throws Nonconformity */
async function expectNoTwin(session: Session, resource: Resource, mark: string): Promise<void> {
  const place = await placeFor(session, resource);
  const item = await create(session, resource, place, { ...place.bodies[0]!, [mark]: randomUUID() });
  const { items, ids } = await listOf(session, resource, place, [item]);
  const got = ids.filter((_, index) => items[index]![mark] === item.shown[mark]);
  const id = idOf(resource, item);
  const what = `One ${resource.one.replace(/^an? /, '')} was created.`;
  expectThat(got.join() === id, what, { expected: `${id} alone`, got });
}

async function trySeveralListed(session: Session, resource: Resource, count: number): Promise<void> {
  const items = await createMixed(session, resource, count);
  const { place } = items[0]!;
  await expectItems(session, resource, place, items, 'The list is not what was created');
  if (resource.children) {
    const { resource: child, placeIn } = resource.children;
    const inside = placeIn(items[0]!, 2);
    await createAll(session, child, inside, mixed(child, session, inside.bodies));
  }
  const listed = await listOf(session, resource, place, items);
  for (const item of items) {
    const shown = listed.items[listed.ids.indexOf(idOf(resource, item))];
    expectSame('The list shows it otherwise than reading it', shown, await read(session, resource, item));
  }
}

/** A store or a cache with room for a few forgets the first of them. */
async function tryDozens(session: Session, resource: Resource): Promise<void> {
  const place = await placeFor(session, resource, { items: 60 });
  for (const item of await createAll(session, resource, place))
    await expectRead(session, resource, item, 'It changed while others were created');
}
