/**
 * Changes: an omitted member stays, null resets or removes, every other value replaces the old one,
 * all in one step.
 */
import { memberOf } from '../contract/by-name.ts';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import type { CallInput } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { tryEntityTags } from './entity-tags.ts';
import { forAll, forEach, type Law, type LawProperties, once } from './law.ts';
import { elementAt, required } from './required.ts';
import {
  isShared,
  type Item,
  type Json,
  operationIdOf,
  pick,
  type Replacement,
  type Resource,
} from './resource.ts';
import { READ_DIFFERS, type Steps } from './steps.ts';
import { FREE } from './unique.ts';
import { tryWay, waysOf } from './ways.ts';

export const updateLaws = {
  updateEcho: {
    sentence: ({ one }) =>
      `A change of ${one} shows in the response, when it is read, and in the list.`,
    properties: ({ values }, implementation, offered) => [
      once('conditions with entity tags of before', (steps) => tryEntityTags(steps, offered)),
      forEach('one member of one that was read before', values.members, tryOneMember),
      forEach('one of several, there and back', AMONG, tryAmongOthers),
      forEach('what tends to go wrong', values.changes?.(implementation) ?? [], tryOfBare),
      values.patches ? forAll('any change', values.patches(implementation), tryOfBare) : [],
    ],
  },
  updateAbsent: {
    sentence: ({ one }) => `What a change of ${one} leaves out stays as it is.`,
    properties: ({ values }) =>
      forEach('one member of a full one', values.members, (member, steps: Steps) =>
        steps.tryChange(steps.full(), ({ place }) => steps.otherOf(place, [member])),
      ),
  },
  updateNull: {
    sentence: ({ one }) =>
      `Null in a change of ${one} removes a module, or resets a text or a list, and nothing else.`,
    properties: ({ values }) => nulls(values.nullable ?? []),
  },
  updateReplaced: {
    sentence: ({ one }) =>
      `What a change of ${one} sends replaces the old value whole: ` +
      'what it leaves out has its default, not the old value.',
    properties: ({ values: { lesser, replacements } }, implementation) => [
      forEach('less in place of more', lesser?.(implementation) ?? [], tryPatch),
      replacements
        ? forAll('any value in place of a full one', replacements(implementation), tryPatch)
        : [],
    ],
  },
  replaced: {
    sentence: ({ one }) =>
      `Replacing ${one} replaces it whole: what is left out does not stay as it was.`,
    properties: once('less in place of more', tryReplaced),
  },
  updateNothing: {
    sentence: ({ one }) => `A change of ${one} that changes nothing is 200 and changes nothing.`,
    properties: (resource, implementation) =>
      forEach('nothing to change', emptyChanges(resource, implementation), tryEmptyChange),
  },
  updateIdempotent: {
    sentence: ({ one }) => `The same change of ${one} again changes nothing more.`,
    properties: ({ values, many }, implementation) => {
      const patches = required(values.patches, `${many} have no changes of any values`);
      return forAll('twice', patches(implementation), trySameChange);
    },
  },
  updateBack: {
    sentence: ({ one }) => `A change of ${one} and the change back leave it as it was.`,
    properties: ({ values }) => forEach('there and back, twice', values.members, tryChangeBack),
  },
  updateWays: {
    sentence: ({ one, many }) =>
      `However ${one} came to have a value, it takes another one, and so do new ${many} beside it.`,
    properties: (resource) => forEach('each member', waysOf(resource), tryWay),
  },
  updateIdentity: {
    sentence: ({ one, fixed }) => {
      const members = fixed.map((member) => `\`${member}\``);
      return `Changes of ${one} do not move ${members.join(', ')}.`;
    },
    properties: forEach('everything changed, after more than a second', ['bare'], tryIdentity),
  },
} satisfies Record<string, Law>;

/**
 * Changes the item that this body creates. The response, a read and the list must show the change.
 */
export function tryPatch({ body, patch }: Replacement, steps: Steps): Promise<void> {
  return steps.tryChange(body, patch);
}

function tryOfBare(patch: Json, steps: Steps): Promise<void> {
  return steps.tryChange(steps.bare(), patch);
}

/** Properties of null for some members of an item with all members, and of one with few members. */
export function nulls(members: readonly string[]): LawProperties {
  const tryNulls = (names: readonly string[], body: Json, steps: Steps) =>
    steps.tryChange(body, Object.fromEntries(names.map((name) => [name, null])));
  const some = fc.subarray([...members], { minLength: 1 });
  return [
    forEach('each of a full one', members, (name, steps: Steps) =>
      tryNulls([name], steps.full(), steps),
    ),
    forEach('each of a bare one', members, (name, steps: Steps) =>
      tryNulls([name], steps.bare(), steps),
    ),
    forAll('some of a full one', some, (names, steps: Steps) =>
      tryNulls(names, steps.full(), steps),
    ),
  ];
}

/**
 * Changes one member. Before, the item is read, and so is the id that it will get, which no item
 * has: a cache must not respond with either afterwards.
 */
async function tryOneMember(member: string, steps: Steps): Promise<void> {
  const { id } = steps.resource;
  await steps.tryChange(steps.bare(), async (item) => {
    await steps.read(item);
    const patch = steps.otherOf(item.place, [member]);
    if (id.member in patch) {
      const path = { ...item.path, [id.parameter]: String(patch[id.member]) };
      await steps.expectGone({ ...item, path }, 'No item has this id yet.');
    }
    return patch;
  });
}

/** Positions in the order of ids are fractions, from the first item (0) to the last one (1). */
interface AmongOthers {
  /** The position of the item that is changed. */
  from: number;
  /** The position of the values that it gets. */
  to: number;
  /** The number of items. */
  count: number;
}

const AMONG: readonly AmongOthers[] = [
  { from: 0, to: 1, count: 4 },
  { from: 1, to: 0, count: 5 },
  { from: 0.5, to: 0.5, count: 12 },
];

/**
 * Gives one of several items other values, and its own values again. The others stay as they are.
 */
async function tryAmongOthers({ from, to, count }: AmongOthers, steps: Steps): Promise<void> {
  const { resource } = steps;
  const given = await steps.place({ items: count, atLeast: 3 });
  const sorted = inOrderOfIds(resource, given.bodies);
  const newValues = elementAt(sorted, Math.round(to * (sorted.length - 1)));
  const others = sorted.filter((one) => one !== newValues);
  const changed = elementAt(others, Math.round(from * (others.length - 1)));
  const bodies = given.bodies.filter((one) => one !== newValues);
  // `otherOf` takes the values of the last body of a place, which is not created.
  const place = { ...given, bodies: [...bodies, newValues] };
  const items = await steps.createAll(place, bodies);
  const index = bodies.indexOf(changed);
  const was = elementAt(items, index);
  const names = resource.values.members.filter((member) => Object.hasOwn(changed, member));
  const moved = await steps.update(was, steps.otherOf(place, names));
  await steps.expectRead(moved, READ_DIFFERS);
  const changedAnother = isShared(resource) ? CHANGED_ANOTHER : `${CHANGED_ANOTHER}${OR_LIST}`;
  await steps.expectItems(place, items.with(index, moved), changedAnother);
  const back = await steps.update(moved, pick(changed, names), FREE);
  expectSame('The item is not as it was before the changes', back.shown, was.shown);
  await steps.expectItems(place, items.with(index, back), changedAnother);
}

const CHANGED_ANOTHER = 'A change of one item changed another';
const OR_LIST = ', or the list does not show it';

/** The bodies, sorted if they have ids. */
function inOrderOfIds({ id }: Resource, bodies: readonly Json[]): Json[] {
  if (id.givenBy === 'service') {
    return [...bodies];
  }
  const idOf = (body: Json) => String(body[id.member]);
  return bodies.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/**
 * Replaces an item with all members by a body with few: members that the body omits do not stay.
 */
async function tryReplaced(steps: Steps): Promise<void> {
  const { resource } = steps;
  const { id } = resource;
  const item = await steps.createOne(steps.full(), { items: 2 });
  const own = id.givenBy === 'body' ? pick(item.shown, [id.member]) : {};
  const few = { ...neededByReplacement(steps), ...steps.bare() };
  const replacement = { ...few, ...fixedIn(item, few, steps), ...own };
  // Two new items with few members show the value of an omitted member, unless it has a different
  // value each time.
  const bare = await steps.createOne(steps.bare(), { items: 2 });
  const bareAgain = await steps.createOne(steps.bare(), { items: 2 });
  const omitted = Object.keys(item.shown).filter((name) => {
    const isOmitted = name !== id.member && !Object.hasOwn(replacement, name);
    return isOmitted && !isSame(bare.shown, item.shown, name);
  });
  if (omitted.length === 0) {
    throw new NotPossible('no member that may be left out shows what a replacement does to it');
  }
  await steps.succeed('update', { path: item.path, json: replacement });
  const shown = await steps.read(item);
  steps.expectShown('The item is not what was sent', shown, resource.shown(replacement));
  for (const name of omitted) {
    const hasChanged = !isSame(shown, item.shown, name);
    const details = { expected: `another \`${name}\`, or none`, got: memberOf(shown, name) };
    expectThat(hasChanged, `\`${name}\` stayed, though it was left out.`, details);
    if (isSame(bare.shown, bareAgain.shown, name)) {
      const what = `\`${name}\` has another value than in a new item`;
      expectSame(what, memberOf(shown, name), memberOf(bare.shown, name));
    }
  }
}

/** These members as the item shows them, if the service takes no others beside its change. */
function fixedIn({ shown }: Item, members: Json, { implementation, resource }: Steps): Json {
  const { body } = implementation.survey[operationIdOf(resource, 'update')]?.recipe ?? {};
  const { asShown } = body ?? {};
  if (asShown === undefined) {
    return {};
  }
  const names = Object.keys(members).filter((name) => {
    return Object.hasOwn(shown, name) && !Object.hasOwn(asShown, name);
  });
  return pick(shown, names);
}

/** The members that a replacement must have; a creation may do without some of them. */
function neededByReplacement(steps: Steps): Json {
  const { session, implementation, resource } = steps;
  const { requestBody } = session.operation(operationIdOf(resource, 'update'));
  if (!requestBody) {
    return {};
  }
  const needed = shapeOf(asRequest(implementation.contract), requestBody.pointer).required;
  return pick(steps.full(), [...needed]);
}

/** Whether a member has the same value in both. */
function isSame(one: Json, other: Json, name: string): boolean {
  return isDeepStrictEqual(memberOf(one, name), memberOf(other, name));
}

/** A change that changes nothing, and the body of the item. */
interface EmptyChange {
  form: 'an empty object' | 'the same values' | 'no body';
  bodyOf: (implementation: Implementation) => Json;
}

function emptyChanges({ values, calls }: Resource, implementation: Implementation): EmptyChange[] {
  const forms: EmptyChange['form'][] = ['an empty object', 'the same values'];
  const { requestBody } = implementation.operations.get(calls.update) ?? {};
  if (requestBody?.required === false) {
    forms.push('no body');
  }
  return forms.flatMap((form) => [
    { form, bodyOf: values.full },
    { form, bodyOf: values.bare },
  ]);
}

function contentOf(form: EmptyChange['form'], body: Json): Pick<CallInput, 'json'> {
  switch (form) {
    case 'an empty object':
      return { json: {} };
    case 'the same values':
      return { json: body };
    case 'no body':
      return {};
  }
}

async function tryEmptyChange({ form, bodyOf }: EmptyChange, steps: Steps): Promise<void> {
  const place = await steps.place();
  const body = steps.bodyIn(place, bodyOf(steps.implementation));
  const item = await steps.create(place, body);
  const input = { path: item.path, ...contentOf(form, body) };
  const response = await steps.succeed('update', input, 'Nothing is to be changed.');
  const what = 'An empty change changed something';
  expectSame(what, steps.itemIn(place, response).shown, item.shown);
  await steps.expectRead(item, what);
  await steps.expectItems(place, [item], what);
}

async function trySameChange(patch: Json, steps: Steps): Promise<void> {
  const changed = await steps.update(await steps.createOne(), patch);
  const again = await steps.update(changed, patch);
  expectSame('The same change had another effect', again.shown, changed.shown);
}

async function tryChangeBack(member: string, steps: Steps): Promise<void> {
  const place = await steps.place({ items: 2 });
  const body = { ...steps.full(), ...steps.bodyIn(place, {}) };
  const item = await steps.create(place, body);
  let now = item;
  for (let round = 0; round < 2; round++) {
    now = await steps.update(now, steps.otherOf(place, [member]));
    now = await steps.update(now, pick(body, [member]));
  }
  const what = 'The item is not as it was before the changes';
  expectSame(what, now.shown, item.shown);
  await steps.expectItems(place, [item], what);
}

function tryIdentity(_: string, steps: Steps): Promise<void> {
  return steps.tryChange(steps.bare(), async () => {
    await steps.moreThanASecond();
    return steps.full();
  });
}
