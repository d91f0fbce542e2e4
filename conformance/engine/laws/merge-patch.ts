/**
 * The law of changes that are merged (RFC 7396): an object in the body of such a PATCH changes the
 * members that it has, and null removes one.
 */
import { memberOf } from '../contract/by-name.ts';
import { branchesOf } from '../contract/kinds.ts';
import { satisfies } from '../contract/schemas.ts';
import { type Shape, texts } from '../contract/shape.ts';
import { mergesMember } from '../contract/merging.ts';
import { asRequest } from '../contract/variants.ts';
import { expectSame, NotPossible } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf, type Item, type Json } from './resource.ts';
import type { Steps } from './steps.ts';

export const mergePatchLaws = {
  merged: {
    applies: (facts) => mergedMembersOf(facts).length > 0,
    sentence: ({ one }) =>
      `A change of ${one} merges objects: what they leave out stays, and null removes a member.`,
    properties: (resource) =>
      forEach('a map', mergedMembersOf(factsOf(resource)), (name, steps: Steps) =>
        tryMerged(name, steps),
      ),
  },
} satisfies Record<string, Law>;

/** The members of a change that are maps, and that it merges with what is there. */
function mergedMembersOf({ contract, update, sent, shown }: Facts): string[] {
  if (update?.method !== 'PATCH' || !update.requestBody) {
    return [];
  }
  const { mediaType, pointer } = update.requestBody;
  const names = new Set<string>();
  for (const { properties } of branchesOf(asRequest(contract), pointer)) {
    for (const [name, shape] of properties) {
      const isMerged = mergesMember(mediaType, texts(shape, 'description'));
      if (isMerged && isMap(shape) && isMap(sent.properties.get(name))) {
        names.add(name);
      }
    }
  }
  return [...names].filter((name) => shown.every(({ properties }) => properties.has(name)));
}

/** Whether it takes members of any names. */
function isMap(shape: Shape | undefined): boolean {
  return shape !== undefined && shape.types.has('object') && shape.additional !== undefined;
}

/** Members for maps of texts, and for those of numbers. */
const MAPS: readonly Json[] = [
  { alpha: 'first', beta: 'second', gamma: 'third' },
  { alpha: 1, beta: 2, gamma: 3 },
];

/** An item, and its member that is a map. */
interface HoldingMap {
  item: Item;
  name: string;
}

async function tryMerged(name: string, steps: Steps): Promise<void> {
  const facts = factsOf(steps.resource);
  const place = await steps.place({ items: 2 });
  const whole = steps.bodyIn(place, steps.full());
  const map = MAPS.find((one) => {
    return facts.isValid({ ...whole, [name]: one }) && isChange(facts, { [name]: one });
  });
  if (map === undefined) {
    throw new NotPossible(`no members of \`${name}\` are known`);
  }
  const { gamma, ...first } = map;
  const item = await steps.create(place, { ...whole, [name]: first });
  await expectMap(steps, { item, name }, { gamma }, map);
  if (isChange(facts, { [name]: { alpha: null } })) {
    await expectMap(steps, { item, name }, { alpha: null }, { ...map, alpha: undefined });
  }
}

/** Whether the contract allows such a body of a change. */
function isChange({ contract, update }: Facts, json: Json): boolean {
  const pointer = update?.requestBody?.pointer;
  return pointer !== undefined && satisfies(asRequest(contract), [pointer], json);
}

/** @param due what a read shows of the map after the change; undefined: no such member */
async function expectMap(
  steps: Steps,
  { item, name }: HoldingMap,
  change: Json,
  due: Json,
): Promise<void> {
  await steps.update(item, { [name]: change });
  const map = memberOf(await steps.readWhole(item), name);
  expectSame(`A change of \`${name}\` is not merged with what was there`, map ?? {}, due);
}
