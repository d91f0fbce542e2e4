/** Objects around what a response is about. */
import { memberOf } from './by-name.ts';
import type { Contract } from './load.ts';
import { type Operation, schemaOfSuccess } from './operations.ts';
import { type Shape, shapeOf } from './shape.ts';

/** Names of the member that has the item. */
const OF_ITEM = /^(data|item|result)$/i;

/** The only object in a response that may hold the item, such as `data`, by its name. */
export function envelopeOf(
  contract: Contract,
  operation: Operation,
): [name: string, shape: Shape] | undefined {
  const schema = schemaOfSuccess(operation);
  const all = schema === undefined ? [] : [...shapeOf(contract, schema).properties];
  const [first, second] = all.filter(([, { types }]) => types.has('object'));
  if (first && !second && (all.length === 1 || OF_ITEM.test(first[0]))) {
    return first;
  }
  return undefined;
}

/** The members of the item in a response, also within an envelope; none without a schema. */
export function itemShown(contract: Contract, operation: Operation): ReadonlyMap<string, Shape> {
  const schema = schemaOfSuccess(operation);
  if (schema === undefined) {
    return new Map();
  }
  const [, inside] = envelopeOf(contract, operation) ?? [];
  return (inside ?? shapeOf(contract, schema)).properties;
}

/**
 * Whether a successful response shows that there is nothing: it is null, or the member that has the
 * item is, and the contract allows that.
 */
export function showsNothing(contract: Contract, operation: Operation, json: unknown): boolean {
  const schema = schemaOfSuccess(operation);
  if (schema === undefined) {
    return false;
  }
  const shape = shapeOf(contract, schema);
  if (json === null) {
    return shape.types.has('null');
  }
  const absent = [...shape.properties].filter(
    ([name, { types }]) => OF_ITEM.test(name) && types.has('null') && types.has('object'),
  );
  return absent.some(([name]) => memberOf(Object(json), name) === null);
}
