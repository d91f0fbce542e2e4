/** The members of items that path parameters name. */
import { envelopeOf } from './envelopes.ts';
import { supported } from './keywords.ts';
import { branchesOf } from './kinds.ts';
import type { Contract } from './load.ts';
import { type Operation, type Parameter, schemaOfSuccess } from './operations.ts';
import { type Shape, shapeOf } from './shape.ts';
import { asRequest } from './variants.ts';

/** `owner_id`, `ownerId` and `Owner-ID` are one name. */
export const spelt = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Names of members that identify an item, the likeliest first. */
const KEYS = ['id', 'uuid', 'guid', 'key', 'slug', 'number', 'code', 'name'];

/**
 * The member that has the value of a path parameter, and the member with the object around it, if
 * there is one: a member of the same name in any spelling, or one of the names with which such
 * names end, preferably one that is not sent. @param create the operation that makes the item;
 * default: the operation whose response has it
 */
export function keyFor(
  contract: Contract,
  operation: Operation,
  stated: Parameter,
  create = operation,
): string[] {
  const { name, schema: own } = stated;
  const keyOf = (schemas: readonly string[]): string | undefined => {
    const isText = shapeOf(contract, own).types.has('string');
    // A text may stand for a number, and not the other way round.
    const fits = ({ types }: Shape) => types.has('integer') || (isText && types.has('string'));
    const names = branchesOf(contract, ...schemas).flatMap(({ properties }) =>
      [...properties].filter(([, one]) => fits(one)).map(([member]) => member),
    );
    const ends = KEYS.filter((key) => spelt(name).endsWith(key));
    const named = [name, spelt(name), ...KEYS.map((key) => spelt(name + key)), ...ends];
    const first = (keys: string[], among: string[]) =>
      keys.flatMap((key) => among.find((one) => one === key || spelt(one) === key) ?? [])[0];
    const sent =
      create.requestBody && shapeOf(asRequest(contract), create.requestBody.pointer).properties;
    const unsent = names.filter((one) => !sent?.has(one));
    const only = (all: string[]) => (all.length === 1 ? all[0] : undefined);
    const likely = (all: string[]) =>
      first(KEYS, all) ?? only(all.filter((one) => /[a-z_-]id$|Id$/i.test(one)));
    return first(named, names) ?? likely(unsent) ?? only(unsent) ?? likely(names);
  };
  const find = () => {
    const schema = schemaOfSuccess(operation);
    const direct = schema === undefined ? undefined : keyOf([schema]);
    if (direct !== undefined) {
      return [direct];
    }
    const [around, inside] = envelopeOf(contract, operation) ?? [];
    const member = inside && keyOf(inside.roots);
    if (around === undefined || member === undefined) {
      return [];
    }
    return [member, around];
  };
  return supported(find, () => []);
}
