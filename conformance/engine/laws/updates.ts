/** PATCH: what is absent stays, null resets or removes, anything else replaces whole, all in one step. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { type Cases, forAll, forEach, type Law, once, type Steps } from './steps.ts';
import { type Item, type Json, pick } from './resource.ts';

/** Null for some members of a full item, and of a bare one. */
export function nulls(members: readonly string[]): Cases {
  const tryNulls = (names: readonly string[], body: Json, steps: Steps) =>
    steps.tryChange(body, Object.fromEntries(names.map((name) => [name, null])));
  const some = fc.subarray([...members], { minLength: 1 });
  return [
    forEach('each of a full one', members, (name, steps) => tryNulls([name], steps.full(), steps)),
    forEach('each of a bare one', members, (name, steps) => tryNulls([name], steps.bare(), steps)),
    forAll('some of a full one', some, (names, steps) => tryNulls(names, steps.full(), steps)),
  ];
}

const tryBare = (patch: Json, steps: Steps) => steps.tryChange(steps.bare(), patch);

export const tryPatch = ({ body, patch }: Record<'body' | 'patch', Json>, steps: Steps) =>
  steps.tryChange(body, patch);

export const updateLaws = {
  updateEcho: {
    sentence: ({ one }) =>
      `A change of ${one} shows in the response, when it is read, and in the list.`,
    properties: ({ values }, implementation) => [
      forEach('one member of one that was read before', values.members, (member, steps) =>
        steps.tryChange(steps.bare(), async (item) => {
          // A cache on the way may keep an item that was read before.
          await steps.read(item);
          const patch = steps.otherOf(item.place, [member]);
          const { id } = steps.resource;
          const path = { ...item.path, [id.parameter]: String(patch[id.member]) };
          // Or that there was none.
          if (id.member in patch) {
            await steps.expectGone({ ...item, path }, 'Nothing has this id yet.');
          }
          return patch;
        }),
      ),
      forEach('one of several, there and back', AMONG, tryAmongOthers),
      forEach('what tends to go wrong', values.changes?.(implementation) ?? [], tryBare),
      values.patches ? forAll('any change', values.patches(implementation), tryBare) : [],
    ],
  },
  updateAbsent: {
    sentence: ({ one }) => `What a change of ${one} leaves out stays as it is.`,
    properties: ({ values }) =>
      forEach('one member of a full one', values.members, (member, steps) =>
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
      `What a change of ${one} sends replaces the old value whole: what it leaves out has its default, not the old value.`,
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
    properties: once('less in place of more', async (steps) => {
      const { resource } = steps;
      const item = await steps.createOne(steps.full(), { items: 2 });
      const own = resource.id.givenBy === 'body' ? pick(item.shown, [resource.id.member]) : {};
      const json = { ...steps.bare(), ...own };
      // New ones with as little show what members have where they are left out, unless that is never the same.
      const lesser = await steps.createOne(steps.bare(), { items: 2 });
      const again = await steps.createOne(steps.bare(), { items: 2 });
      const stays = ({ shown }: Pick<Item, 'shown'>, name: string) =>
        isDeepStrictEqual(shown[name], item.shown[name]);
      const mayGo = (name: string) =>
        name !== resource.id.member && !(name in json) && !stays(lesser, name);
      const names = Object.keys(item.shown).filter(mayGo);
      if (names.length === 0) {
        throw new NotPossible('no member that may be left out shows what a replacement does to it');
      }
      await steps.succeed('update', { path: item.path, json });
      const shown = await steps.read(item);
      steps.expectShown('It is not what was sent', shown, resource.shown(json));
      for (const name of names) {
        const details = { expected: `another \`${name}\`, or none`, got: shown[name] };
        expectThat(!stays({ shown }, name), `\`${name}\` stayed, though it was left out.`, details);
        const due = lesser.shown[name];
        const same = again.shown[name];
        if (isDeepStrictEqual(due, same)) {
          expectSame(`\`${name}\` has another value than in a new one`, shown[name], due);
        }
      }
    }),
  },
  updateNothing: {
    sentence: ({ one }) => `A change of ${one} that changes nothing is 200 and changes nothing.`,
    properties: ({ values, calls }, implementation) => {
      const optional = implementation.operations.get(calls.update)?.requestBody?.required === false;
      const forms = ['an empty object', 'the same values', ...(optional ? ['no body'] : [])];
      const cases = forms.flatMap((form) =>
        [values.full, values.bare].map((bodyOf) => ({ form, bodyOf })),
      );
      return forEach('nothing to change', cases, async ({ form, bodyOf }, steps) => {
        const place = await steps.place();
        const body = steps.bodyIn(place, bodyOf(implementation));
        const item = await steps.create(place, body);
        const json =
          form === 'the same values' ? { json: body } : form === 'no body' ? {} : { json: {} };
        const response = await steps.succeed(
          'update',
          { path: item.path, ...json },
          'Nothing is to be changed.',
        );
        const what = 'A change of nothing changed something';
        expectSame(what, steps.itemIn(place, response).shown, item.shown);
        await steps.expectRead(item, what);
        await steps.expectItems(place, [item], what);
      });
    },
  },
  updateIdempotent: {
    sentence: ({ one }) => `The same change of ${one} again changes nothing more.`,
    properties: ({ values }, implementation) =>
      forAll('twice', values.patches!(implementation), async (patch, steps) => {
        const changed = await steps.update(await steps.createOne(), patch);
        const again = await steps.update(changed, patch);
        expectSame('The same change had another effect', again.shown, changed.shown);
      }),
  },
  updateBack: {
    sentence: ({ one }) => `A change of ${one} and the change back leave it as it was.`,
    properties: ({ values }) =>
      forEach('there and back, twice', values.members, async (member, steps) => {
        const place = await steps.place({ items: 2 });
        const body = { ...steps.full(), ...steps.bodyIn(place, {}) };
        const item = await steps.create(place, body);
        let now = item;
        for (let round = 0; round < 2; round++) {
          now = await steps.update(now, steps.otherOf(place, [member]));
          now = await steps.update(now, pick(body, [member]));
        }
        expectSame('It is not as it was', now.shown, item.shown);
        await steps.expectItems(place, [item], 'It is not as it was');
      }),
  },
  updateWays: {
    sentence: ({ one, many }) =>
      `However ${one} came to have a value, it takes another one, and so do new ${many} beside it.`,
    properties: ({ values, unique }) => {
      const members = values.members.filter((member) => !unique?.members.includes(member));
      const isPossible = (member: string, way: string[]) =>
        !way.includes('null') || values.nullable?.includes(member);
      const ways = members.flatMap((member) => WAYS.map((way) => ({ member, way })));
      const possible = ways.filter(({ member, way }) => isPossible(member, way));
      return forEach('each member', possible, tryWay);
    },
  },
  updateIdentity: {
    sentence: ({ one, fixed }) =>
      `Changes of ${one} do not move ${fixed.map((member) => `\`${member}\``).join(', ')}.`,
    properties: forEach('everything changed, after more than a second', ['bare'], (_, steps) =>
      steps.tryChange(steps.bare(), async () => {
        await steps.moreThanASecond();
        return steps.full();
      }),
    ),
  },
} satisfies Record<string, Law>;

/** Where the changed item and its new values stand among several, from the first (0) to the last (1). */
const AMONG = [
  { at: 0, to: 1, count: 4 },
  { at: 1, to: 0, count: 5 },
  { at: 0.5, to: 0.5, count: 12 },
];

async function tryAmongOthers(
  { at, to, count }: (typeof AMONG)[number],
  steps: Steps,
): Promise<void> {
  const { id, values } = steps.resource;
  const given = await steps.place({ items: count, atLeast: 3 });
  const isBefore = (one: Json, other: Json) => String(one[id.member]) < String(other[id.member]);
  const sorted =
    id.givenBy === 'body'
      ? given.bodies.toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
      : [...given.bodies];
  const target = sorted.splice(Math.round(to * (sorted.length - 1)), 1)[0]!;
  const body = sorted[Math.round(at * (sorted.length - 1))]!;
  const bodies = given.bodies.filter((one) => one !== target);
  const place = { ...given, bodies: [...bodies, target] };
  const items = await steps.createAll(place, bodies);
  const index = bodies.indexOf(body);
  const was = items[index]!;
  const names = values.members.filter((member) => Object.hasOwn(body, member));
  items[index] = await steps.update(was, steps.otherOf(place, names));
  await steps.expectItems(place, items, 'A change of one changed another');
  items[index] = await steps.update(
    items[index],
    pick(body, names),
    'Nothing has what it had any more.',
  );
  expectSame('It is not as it was', items[index].shown, was.shown);
  await steps.expectItems(place, items, 'A change of one changed another');
}

/** The values of a member one after the other: the first by creation, and the others by changes. */
const WAYS = [
  ['full'],
  ['omitted', 'full'],
  ['other', 'full'],
  ['full', 'null'],
  ['full', 'null', 'full'],
];

/** The item takes the next change, and new ones take what it has, what it had, and what it will have. */
async function tryWay(
  { member, way }: { member: string; way: readonly string[] },
  steps: Steps,
): Promise<void> {
  const { resource } = steps;
  const place = await steps.place({ items: 3 });
  const { [member]: value, ...rest } = { ...steps.full(), ...place.bodies[0]! };
  const other = steps.otherOf(place, [member]);
  const by: Record<string, Json> = {
    full: { [member]: value },
    other,
    null: { [member]: null },
    omitted: {},
  };
  let due = { ...rest, ...by[way[0]!] };
  const items: Item[] = [await steps.create(place, due)];
  due = resource.shown(due);
  for (const change of way.slice(1)) {
    items[0] = await steps.update(items[0]!, by[change]!);
    due = resource.changed(due, by[change]!);
    steps.expectShown(`It is not what was changed (${way.join(', ')})`, items[0].shown, due);
  }
  for (const [index, more] of [other, by['full']!].entries()) {
    const body = { ...rest, ...place.bodies[index + 1], ...more };
    items.push(await steps.create(place, body));
    steps.expectShown(
      `A new one is not what was sent (${way.join(', ')})`,
      items.at(-1)!.shown,
      resource.shown(body),
    );
  }
  items[0] = await steps.update(items[0]!, other);
  steps.expectShown('It is not what was changed', items[0].shown, resource.changed(due, other));
  await steps.expectItems(place, items, 'One is not what was sent');
}
