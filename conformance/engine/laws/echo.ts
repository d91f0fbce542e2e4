/** Items show what was sent, and stay as they are until they are changed. */
import { randomUUID } from 'node:crypto';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { forAll, forEach, type Law, type LawProperties, type LawProperty, once } from './law.ts';
import { elementAt } from './required.ts';
import {
  bodyOf,
  isShared,
  type Item,
  type Json,
  type Resource,
  type ResourceCall,
  upper,
} from './resource.ts';
import type { Steps } from './steps.ts';

type BodyCheck = LawProperty<Json>['check'];

const UNPROMPTED = 'The item changed by itself';

/** The number of items by which a case exceeds a small cache. */
const DOZENS = 60;

export const echoLaws = {
  echo: {
    needs: ['create'],
    sentence: ({ one }) =>
      `Creating ${one} responds with what was sent, in the form of responses: ` +
      'texts to the byte, lists in their order.',
    properties: (resource, implementation) =>
      forBodies(resource, implementation, async (body, steps) => {
        await createAsSent(body, steps);
      }),
  },
  readYourWrite: {
    needs: ['create', 'read'],
    sentence: ({ one }) => `Reading ${one} gives what creating it returned.`,
    properties: (resource, implementation) =>
      forBodies(resource, implementation, async (body, steps) => {
        await expectReadAsCreated(await steps.createOne(body), steps);
      }),
  },
  siblings: {
    needs: ['create', 'read'],
    sentence: ({ many }) =>
      `Several ${many} beside each other each read as they were created, whatever the others have.`,
    properties: forEach('full and bare in turn', [2, 3, 5], trySiblings),
  },
  defaults: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `What is omitted from ${one}, or sent as null, reads back as its default.`,
    properties: (resource, implementation) => {
      const bodies = resource.values.defaults?.(implementation) ?? [{}];
      return [
        forEach('left out, and null', bodies, tryDefaults),
        forAnyBody(resource, implementation, tryDefaults),
      ];
    },
  },
  listed: {
    needs: ['create', 'list'],
    sentence: ({ one, many }) =>
      `The list of ${many} has ${one} as soon as it is created, as reading gives it, ` +
      'and nothing that was not created.',
    properties: (resource, implementation) => {
      const { list, mark } = resource;
      const isEmbedded = list.kind === 'embedded';
      return [
        isEmbedded ? forAnyBody(resource, implementation, tryListedAlone) : [],
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
      once('before one is created', tryEmptyBefore),
      once('after the last one is removed', tryEmptyAfter),
    ],
  },
  stable: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `${upper(one)} that nobody changes does not change, ` +
      'however often it is read and whatever happens beside it.',
    properties: (resource, implementation, offered) => [
      // If there is a list, the law `many` creates dozens of items.
      offered('list') ? [] : once('dozens', tryDozens),
      forAnyBody(resource, implementation, tryReadOften),
      once('while others change, and after more than a second', (steps) =>
        tryBesideChanges(steps, offered),
      ),
      forEach(
        'after some seconds',
        resource.values.lasting?.(implementation) ?? [],
        (body, steps: Steps) => tryLasting(body, steps, offered),
      ),
    ],
  },
} satisfies Record<string, Law>;

/** A property of any body, if bodies have more members than the id. */
function forAnyBody(
  { values }: Resource,
  implementation: Implementation,
  check: BodyCheck,
): LawProperty[] {
  if (values.bodies) {
    return [forAll('any body', values.bodies(implementation), check)];
  }
  return [];
}

/**
 * Properties of any body, and of bodies that services often get wrong. Each item is in a separate
 * place.
 */
function forBodies(
  resource: Resource,
  implementation: Implementation,
  check: BodyCheck,
): LawProperties {
  const { full, bare, examples } = resource.values;
  const more = examples?.(implementation) ?? [];
  const fixed = [full(implementation), bare(implementation), ...more];
  return [
    forAnyBody(resource, implementation, check),
    forEach('with everything, with nothing, and with what tends to be changed', fixed, check),
  ];
}

/** Creates an item in a new place. The response must show the body. */
export async function createAsSent(body: Json, steps: Steps): Promise<Item> {
  const item = await steps.createOne(body);
  steps.expectSent(item, steps.namingIn(item.place, body));
  return item;
}

async function expectReadAsCreated(item: Item, steps: Steps): Promise<void> {
  const { one } = steps.resource;
  await steps.expectRead(item, `Reading ${one} shows something else than its creation`);
}

/** The response to the creation shows the body, and so does a read of the item. */
export async function expectKept(body: Json, steps: Steps): Promise<void> {
  await expectReadAsCreated(await createAsSent(body, steps), steps);
}

async function trySiblings(count: number, steps: Steps): Promise<void> {
  const { resource } = steps;
  const items = await steps.createMixed(count);
  for (const item of items.toReversed()) {
    await expectReadAsCreated(item, steps);
  }
  const sent = steps.mixed(elementAt(items, 0).place.bodies);
  for (const [index, item] of items.entries()) {
    const due = resource.shown(elementAt(sent, index));
    steps.expectShown('The item is not what was sent', await steps.read(item), due);
  }
}

async function tryDefaults(body: Json, steps: Steps): Promise<void> {
  const item = await steps.createOne(body);
  const due = steps.resource.shown(steps.namingIn(item.place, body));
  steps.expectShown('An omitted member has another default', item.shown, due);
  await expectReadAsCreated(item, steps);
}

async function tryListedAlone(body: Json, steps: Steps): Promise<void> {
  const item = await steps.createOne(body);
  await steps.expectItems(item.place, [item], 'The list does not show the item');
}

/** No other item has this mark: a second one was created besides. */
async function expectNoTwin(steps: Steps, mark: string): Promise<void> {
  const place = await steps.place();
  const item = await steps.create(place, { ...bodyOf(place), [mark]: randomUUID() });
  const { items, ids } = await steps.list(place, [item]);
  const isMarked = (shown: Json | undefined) => shown?.[mark] === item.shown[mark];
  const got = ids.filter((_, index) => isMarked(items[index]));
  const id = steps.idOf(item);
  const name = steps.resource.one.replace(/^an? /, '');
  const details = { expected: `${id} alone`, got };
  expectThat(got.join() === id, `A creation made more or less than one ${name}.`, details);
}

/** More items inside of one than a list shows if it shows the first few. */
const MORE_THAN_A_FEW = 12;
/** More than a page has: once, since it takes as many requests. */
const MORE_THAN_A_PAGE = 101;

async function trySeveralListed(count: number, steps: Steps): Promise<void> {
  const items = await steps.createMixed(count);
  const first = elementAt(items, 0);
  const { place } = first;
  await steps.expectItems(place, items, 'The list is not what was created');
  const { children } = steps.resource;
  // Whether a service takes what others share inside of an item is for the laws of those.
  const areOwn = children !== undefined && !isShared(children.resource);
  if (areOwn) {
    const inside = children.placeIn(first, count === 1 ? MORE_THAN_A_PAGE : MORE_THAN_A_FEW);
    const inner = steps.on(children.resource);
    await inner.createAll(inside, inner.mixed(inside.bodies));
  }
  const listed = await steps.list(place, items);
  for (const item of items) {
    const shown = listed.items[listed.ids.indexOf(steps.idOf(item))];
    expectSame('The list and a read of the item differ', shown, await steps.read(item));
  }
}

async function tryEmptyBefore(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 1, empty: true });
  await steps.expectItems(place, [], 'The list is not empty, though nothing was created');
}

async function tryEmptyAfter(steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: 1, empty: true });
  const { calls } = steps.resource;
  await steps.session.call(calls.delete, { path: elementAt(items, 0).path });
  await steps.expectItems(place, [], 'The list is not empty, though its only item was removed');
}

/** A store or a cache with room for a few items forgets the first of them. */
async function tryDozens(steps: Steps): Promise<void> {
  const { items } = await steps.createSome({ items: DOZENS });
  for (const item of items) {
    await steps.expectRead(item, 'The item changed while others were created');
  }
}

async function tryReadOften(body: Json, steps: Steps): Promise<void> {
  const item = await steps.createOne(body);
  for (let time = 0; time < 3; time++) {
    await steps.expectRead(item, UNPROMPTED);
  }
}

/** Longer than most jobs wait that tidy up. */
const SOME_SECONDS_MS = 4_000;

async function tryLasting(
  body: Json,
  steps: Steps,
  offered: (call: ResourceCall) => boolean,
): Promise<void> {
  const item = await steps.createOne(body);
  await steps.pause(SOME_SECONDS_MS);
  await steps.expectRead(item, UNPROMPTED);
  if (offered('list')) {
    await steps.expectItems(item.place, [item], UNPROMPTED);
  }
}

async function tryBesideChanges(
  steps: Steps,
  offered: (call: ResourceCall) => boolean,
): Promise<void> {
  const { resource } = steps;
  const place = await steps.place({ items: 3, atLeast: 2 });
  const full = steps.full();
  const item = await steps.create(place, { ...full, ...bodyOf(place, 0) });
  let beside = await steps.create(place, { ...full, ...bodyOf(place, 1) });
  const look = () => steps.expectRead(item, UNPROMPTED);
  await look();
  const { members } = resource.values;
  const canChange = offered('update') && members.length > 0;
  if (canChange && place.bodies.length > 2) {
    const patch = steps.otherOf(place, members);
    beside = await steps.update(beside, patch);
    const due = resource.changed({}, patch);
    steps.expectShown('The item does not show the change', beside.shown, due);
  }
  await look();
  await steps.moreThanASecond();
  await look();
  if (offered('delete')) {
    await steps.remove(beside);
  }
  await look();
  await look();
}
