/** Items read as they were written, and stay as they are until they are changed. */
import { randomUUID } from 'node:crypto';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import {
  type Cases,
  forAll,
  forEach,
  type Law,
  type LawProperty,
  once,
  type Steps,
} from './steps.ts';
import { type Item, type Json, type Resource, upper } from './resource.ts';

type Check = LawProperty<Json>['check'];

/** With any body, where bodies hold more than the id. */
function forAnyBody(
  { values }: Resource,
  implementation: Implementation,
  check: Check,
): LawProperty[] {
  if (values.bodies) {
    return [forAll('any body', values.bodies(implementation), check)];
  }
  return [];
}

/** Cases with any body that can be created, each in a place of its own. */
function ofEvery(resource: Resource, implementation: Implementation, check: Check): Cases {
  const { full, bare, examples } = resource.values;
  const fixed = [full(implementation), bare(implementation), ...(examples?.(implementation) ?? [])];
  return [
    forAnyBody(resource, implementation, check),
    forEach('with everything, with nothing, and with what tends to be changed', fixed, check),
  ];
}

export async function createAsSent(body: Json, steps: Steps): Promise<Item> {
  const item = await steps.createOne(body);
  steps.expectSent(item, body);
  return item;
}

async function expectReadAs(item: Item, steps: Steps): Promise<void> {
  await steps.expectRead(
    item,
    `Reading ${steps.resource.one} gives something else than creating it returned`,
  );
}

/** An item with this body shows and keeps what was sent. */
export async function expectKept(body: Json, steps: Steps): Promise<void> {
  await expectReadAs(await createAsSent(body, steps), steps);
}

const CHANGED = 'It changed by itself';

export const echoLaws = {
  echo: {
    needs: ['create'],
    sentence: ({ one }) =>
      `Creating ${one} responds with what was sent, in the form of responses: texts to the byte, lists in their order.`,
    properties: (resource, implementation) =>
      ofEvery(
        resource,
        implementation,
        async (body, steps) => void (await createAsSent(body, steps)),
      ),
  },
  readYourWrite: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `Reading ${one} gives what creating it returned.`,
    properties: (resource, implementation) =>
      ofEvery(resource, implementation, async (body, steps) =>
        expectReadAs(await steps.createOne(body), steps),
      ),
  },
  siblings: {
    needs: ['create', 'read'],
    sentence: ({ many }) =>
      `Several ${many} beside each other each read as they were created, whatever the others have.`,
    properties: forEach('full and bare in turn', [2, 3, 5], async (count, steps) => {
      const items = await steps.createMixed(count);
      for (const item of items.toReversed()) {
        await expectReadAs(item, steps);
      }
      const sent = steps.mixed(items[0]!.place.bodies);
      for (const [index, item] of items.entries()) {
        steps.expectShown(
          'It is not what was sent',
          await steps.read(item),
          steps.resource.shown(sent[index]!),
        );
      }
    }),
  },
  defaults: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `What is omitted from ${one}, or sent as null, reads back as its default.`,
    properties: (resource, implementation) => {
      const check = async (body: Json, steps: Steps) => {
        const item = await steps.createOne(body);
        steps.expectShown(
          'What was left out has another default',
          item.shown,
          resource.shown(body),
        );
        await expectReadAs(item, steps);
      };
      return [
        forEach('left out, and null', resource.values.defaults?.(implementation) ?? [{}], check),
        forAnyBody(resource, implementation, check),
      ];
    },
  },
  listed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `The list of ${many} has ${one} as soon as it is created, as reading gives it, and nothing that was not created.`,
    properties: (resource, implementation) => {
      const { list, mark } = resource;
      const listedAlone = async (body: Json, steps: Steps) => {
        const item = await steps.createOne(body);
        await steps.expectItems(item.place, [item], 'The list does not show it');
      };
      return [
        list.kind === 'embedded' ? forAnyBody(resource, implementation, listedAlone) : [],
        mark === undefined
          ? []
          : once('once, among those of others', (steps) => expectNoTwin(steps, mark)),
        forEach('several, full and bare in turn', [1, 2, 4, 5], trySeveralListed),
      ];
    },
  },
  empty: {
    needs: ['create', 'list', 'delete'],
    sentence: ({ many }) => `A place without ${many} lists as empty.`,
    properties: [
      once('before one is created', async (steps) => {
        await steps.expectItems(
          await steps.place({ items: 1, empty: true }),
          [],
          'Nothing was created',
        );
      }),
      once('after the last one is removed', async (steps) => {
        const { place, items } = await steps.createSome({ items: 1, empty: true });
        await steps.session.call(steps.resource.calls.delete, { path: items[0]!.path });
        await steps.expectItems(place, [], 'The only one was removed');
      }),
    ],
  },
  stable: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `${upper(one)} that nobody changes does not change, however often it is read and whatever happens beside it.`,
    properties: (resource, implementation, offered) => [
      // Where there is a list, `many` has dozens. A store or a cache with room for a few forgets the first of them.
      offered('list')
        ? []
        : once('dozens', async (steps) => {
            const { items } = await steps.createSome({ items: 60 });
            for (const item of items) {
              await steps.expectRead(item, 'It changed while others were created');
            }
          }),
      forAnyBody(resource, implementation, async (body, steps) => {
        const item = await steps.createOne(body);
        for (let time = 0; time < 3; time++) {
          await steps.expectRead(item, CHANGED);
        }
      }),
      once('while others change, and after more than a second', async (steps) => {
        const place = await steps.place({ items: 3, atLeast: 2 });
        const full = steps.full();
        const bodies = place.bodies.slice(0, 2).map((body) => ({ ...full, ...body }));
        const [item, other] = (await steps.createAll(place, bodies)) as [Item, Item];
        const look = () => steps.expectRead(item, CHANGED);
        await look();
        let beside = other;
        if (offered('update') && place.bodies.length > 2) {
          const patch = steps.otherOf(place, resource.values.members);
          beside = await steps.update(beside, patch);
          steps.expectShown('The change is not there', beside.shown, resource.changed({}, patch));
        }
        await look();
        await steps.moreThanASecond();
        await look();
        if (offered('delete')) {
          await steps.remove(beside);
        }
        await look();
        await look();
      }),
    ],
  },
} satisfies Record<string, Law>;

/** Other items do not have this mark: a second one with it was created besides. @throws Nonconformity */
async function expectNoTwin(steps: Steps, mark: string): Promise<void> {
  const place = await steps.place();
  const item = await steps.create(place, { ...place.bodies[0]!, [mark]: randomUUID() });
  const { items, ids } = await steps.list(place, [item]);
  const got = ids.filter((_, index) => items[index]![mark] === item.shown[mark]);
  const id = steps.idOf(item);
  const what = `One ${steps.resource.one.replace(/^an? /, '')} was created.`;
  expectThat(got.join() === id, what, { expected: `${id} alone`, got });
}

async function trySeveralListed(count: number, steps: Steps): Promise<void> {
  const items = await steps.createMixed(count);
  await steps.expectItems(items[0]!.place, items, 'The list is not what was created');
  const { children } = steps.resource;
  if (children) {
    const inside = children.placeIn(items[0]!, 2);
    const inner = steps.on(children.resource);
    await inner.createAll(inside, inner.mixed(inside.bodies));
  }
  const listed = await steps.list(items[0]!.place, items);
  for (const item of items) {
    const shown = listed.items[listed.ids.indexOf(steps.idOf(item))];
    expectSame('The list shows it otherwise than reading it', shown, await steps.read(item));
  }
}
