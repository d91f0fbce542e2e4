/** PATCH: what is absent stays, null resets or removes, anything else replaces whole, all in one step. */
import fc from 'fast-check';
import { succeed } from '../http/expect-response.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import {
  bodyIn,
  create,
  createAll,
  createOne,
  expectGone,
  expectItems,
  expectRead,
  expectShown,
  itemIn,
  otherOf,
  placeFor,
  read,
  update,
} from './items.ts';
import { type Cases, forAll, forEach, laws, moreThanASecond, once } from './law.ts';
import { idOf, isShared, type Item, type Json, pick, type Resource } from './resource.ts';

/** Changes an item, and expects it in the response, when it is read, and in its place. @param before what it showed */
export async function expectChanged(
  session: Session,
  resource: Resource,
  item: Item,
  before: Json,
  patch: Json,
): Promise<Item> {
  const due = { ...resource.changed(before, patch), ...pick(item.shown, resource.fixed) };
  const changed = await update(session, resource, item, patch);
  expectShown(resource, 'The response is not what was changed', changed.shown, due);
  // This comes first, as long as the change is new.
  if (idOf(resource, changed) !== idOf(resource, item))
    await expectGone(session, resource, item, `It was changed into ${idOf(resource, changed)}.`);
  await expectRead(session, resource, changed, 'It reads otherwise than the response');
  if (!isShared(resource))
    await expectItems(session, resource, item.place, [changed], 'The list does not show the change');
  return changed;
}

/** An item with this body in a place of its own, and what it must show. */
export async function createForUpdate(
  session: Session,
  resource: Resource,
  body: Json,
): Promise<{ item: Item; shown: Json }> {
  const item = await createOne(session, resource, body, { items: 2 });
  return { item, shown: resource.shown(bodyIn(resource, item.place, body)) };
}

/** Creates an item, and changes it as `expectChanged` does. @param patchOf for the item */
async function tryChange(
  session: Session,
  resource: Resource,
  body: Json,
  patchOf: (item: Item) => Json | Promise<Json>,
): Promise<void> {
  const { item, shown } = await createForUpdate(session, resource, body);
  await expectChanged(session, resource, item, shown, await patchOf(item));
}

/** Null for some members of a full item, and of a bare one. */
export function nulls(resource: Resource, members: readonly string[]): Cases {
  const tryNulls = async (names: readonly string[], session: Session, form: 'full' | 'bare') =>
    tryChange(session, resource, resource.values[form](session.implementation), () =>
      Object.fromEntries(names.map((name) => [name, null])),
    );
  return [
    forEach('each of a full one', members, (name, session) => tryNulls([name], session, 'full')),
    forEach('each of a bare one', members, (name, session) => tryNulls([name], session, 'bare')),
    forAll('some of a full one', fc.subarray([...members], { minLength: 1 }), (names, session) =>
      tryNulls(names, session, 'full'),
    ),
  ];
}

export const updateLaws = laws({
  updateEcho: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `A change of ${one} shows in the response, when it is read, and in the list.`,
    properties: (resource, implementation) => {
      const { values } = resource;
      const change = (patch: Json, session: Session) =>
        tryChange(session, resource, values.bare(implementation), () => patch);
      return [
        forEach('one member of one that was read before', values.members, (member, session) =>
          tryChange(session, resource, values.bare(implementation), async (item) => {
            // A cache on the way may keep an item that was read before.
            await read(session, resource, item);
            return otherOf(session, resource, item.place, [member]);
          }),
        ),
        once('one of several, there and back', (session) => tryAmongOthers(session, resource)),
        forEach('what tends to go wrong', values.changes?.(implementation) ?? [], change),
        values.patches ? forAll('any change', values.patches(implementation), change) : [],
      ];
    },
  },
  updateAbsent: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `What a change of ${one} leaves out stays as it is.`,
    properties: (resource, implementation) => [
      forEach('one member of a full one', resource.values.members, (member, session) =>
        tryChange(session, resource, resource.values.full(implementation), ({ place }) =>
          otherOf(session, resource, place, [member]),
        ),
      ),
    ],
  },
  updateNull: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `Null in a change of ${one} removes a module, or resets a text or a list, and nothing else.`,
    properties: (resource) => nulls(resource, resource.values.nullable ?? []),
  },
  updateReplaced: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) =>
      `What a change of ${one} sends replaces the old value whole: what it leaves out has its default, not the old value.`,
    properties: (resource, implementation) => {
      const { lesser, replacements } = resource.values;
      const check = ({ body, patch }: { body: Json; patch: Json }, session: Session) =>
        tryChange(session, resource, body, () => patch);
      return [
        forEach('less in place of more', lesser?.(implementation) ?? [], check),
        replacements ? forAll('any value in place of a full one', replacements(implementation), check) : [],
      ];
    },
  },
  replaced: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `Replacing ${one} replaces it whole: what is left out does not stay as it was.`,
    properties: (resource, implementation) => [
      once('less in place of more', async (session) => {
        const { full, bare, removable = [] } = resource.values;
        const { item } = await createForUpdate(session, resource, full(implementation));
        const json = bare(implementation);
        await succeed(session, resource.calls.update, { path: item.path, json });
        const shown = await read(session, resource, item);
        expectShown(resource, 'It is not what was sent', shown, resource.shown(json));
        for (const name of removable) {
          const details = { expected: `another \`${name}\`, or none`, got: shown[name] };
          expectThat(shown[name] !== item.shown[name], `\`${name}\` stayed, though it was left out.`, details);
        }
      }),
    ],
  },
  updateNothing: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `A change of ${one} that changes nothing is 200 and changes nothing.`,
    properties: (resource, implementation) => {
      const { values, calls } = resource;
      const optional = implementation.operations.get(calls.update)?.requestBody?.required === false;
      const forms = ['an empty object', 'the same values', ...(optional ? ['no body'] : [])];
      const cases = forms.flatMap((form) => [values.full, values.bare].map((bodyOf) => ({ form, bodyOf })));
      return [
        forEach('nothing to change', cases, async ({ form, bodyOf }, session) => {
          const place = await placeFor(session, resource);
          const body = bodyIn(resource, place, bodyOf(implementation));
          const item = await create(session, resource, place, body);
          const json = form === 'the same values' ? { json: body } : form === 'no body' ? {} : { json: {} };
          const input = { path: item.path, ...json };
          const response = await succeed(session, calls.update, input, 'Nothing is to be changed.');
          const what = 'A change of nothing changed something';
          expectSame(what, itemIn(resource, place, response).shown, item.shown);
          await expectRead(session, resource, item, what);
          await expectItems(session, resource, place, [item], what);
        }),
      ];
    },
  },
  updateIdempotent: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `The same change of ${one} again changes nothing more.`,
    properties: (resource, implementation) => [
      forAll('twice', resource.values.patches!(implementation), async (patch, session) => {
        const changed = await update(session, resource, await createOne(session, resource), patch);
        const again = await update(session, resource, changed, patch);
        expectSame('The same change had another effect', again.shown, changed.shown);
      }),
    ],
  },
  updateBack: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `A change of ${one} and the change back leave it as it was.`,
    properties: (resource, implementation) => [
      forEach('there and back, twice', resource.values.members, async (member, session) => {
        const place = await placeFor(session, resource, { items: 2 });
        const body = { ...resource.values.full(implementation), ...bodyIn(resource, place, {}) };
        const item = await create(session, resource, place, body);
        let now = item;
        for (let round = 0; round < 2; round++) {
          now = await update(session, resource, now, otherOf(session, resource, place, [member]));
          now = await update(session, resource, now, pick(body, [member]));
        }
        expectSame('It is not as it was', now.shown, item.shown);
        await expectItems(session, resource, place, [item], 'It is not as it was');
      }),
    ],
  },
  updateIdentity: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one, fixed }) => `Changes of ${one} do not move ${fixed.map((member) => `\`${member}\``).join(', ')}.`,
    properties: (resource, implementation) => [
      forEach('everything changed, after more than a second', ['bare'] as const, (form, session) =>
        tryChange(session, resource, resource.values[form](implementation), async () => {
          await moreThanASecond();
          return resource.values.full(implementation);
        }),
      ),
    ],
  },
});

async function tryAmongOthers(session: Session, resource: Resource): Promise<void> {
  const place = await placeFor(session, resource, { items: 4, atLeast: 3 });
  const items = await createAll(session, resource, place, place.bodies.slice(0, -1));
  const was = items[0]!;
  const body = place.bodies[0]!;
  const names = resource.values.members.filter((member) => Object.hasOwn(body, member));
  items[0] = await update(session, resource, was, otherOf(session, resource, place, names));
  await expectItems(session, resource, place, items, 'A change of one changed another');
  items[0] = await update(session, resource, items[0], pick(body, names), 'Nothing has what it had any more.');
  expectSame('It is not as it was', items[0].shown, was.shown);
  await expectItems(session, resource, place, items, 'A change of one changed another');
}
