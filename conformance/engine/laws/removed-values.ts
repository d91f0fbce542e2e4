/** The law of null in a change: it takes a value away. */
import { memberOf } from '../contract/by-name.ts';
import { schemasOf } from '../contract/schemas.ts';
import { defaultOf, type Shape, shapeOf } from '../contract/shape.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf } from './resource.ts';
import type { Steps } from './steps.ts';

/** Null in a change. */
export const removedValueLaws = {
  updateRemoved: {
    needs: ['create', 'read', 'update'],
    applies: ({ update }) => update?.method === 'PATCH',
    sentence: ({ one }) =>
      `Null in a change of ${one} takes a value away if that is allowed, and nothing else.`,
    properties: (resource) => forEach('each of a full one', removable(factsOf(resource)), tryNull),
  },
} satisfies Record<string, Law>;

/** Members that null takes away: both sides allow it. */
function removable({ contract, update, shown, sent, members, bodies }: Facts): string[] {
  const schema = update?.method === 'PATCH' ? update.requestBody?.pointer : undefined;
  if (schema === undefined) {
    return [];
  }
  const mayLack = ({ properties, required }: Shape, name: string) =>
    properties.get(name)!.types.has('null') || !required.has(name);
  return members.filter(
    (name) =>
      Object.hasOwn(bodies().full(), name) &&
      (defaultOf(sent.properties.get(name)!) ?? null) === null &&
      // A member that the change does not name may be ignored.
      shapeOf(contract, schema).properties.has(name) &&
      schemasOf(contract).isValid(schema, { [name]: null }) &&
      shown.every((one) => mayLack(one, name)),
  );
}

async function tryNull(name: string, steps: Steps): Promise<void> {
  const item = await steps.createOne(steps.full());
  const changed = await steps.update(item, { [name]: null });
  const { [name]: _, ...others } = item.shown;
  for (const shown of [changed.shown, await steps.read(item)]) {
    expectThat(memberOf(shown, name) === undefined, `\`${name}\` is still there.`, {
      expected: 'null',
      got: memberOf(shown, name),
    });
    expectSame('Something else changed', shown, others);
  }
}
