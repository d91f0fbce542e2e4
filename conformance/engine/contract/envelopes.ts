/** Objects around what a response is about. */
import type { Contract } from './load.ts';
import { type Operation, schemaOfSuccess } from './operations.ts';
import { type Shape, shapeOf } from './shape.ts';

/** The only object in a response that may hold the item, such as `data`, by its name. */
export function envelopeOf(
  contract: Contract,
  operation: Operation,
): [name: string, shape: Shape] | undefined {
  const schema = schemaOfSuccess(operation);
  const all = schema === undefined ? [] : [...shapeOf(contract, schema).properties];
  const [first, second] = all.filter(([, { types }]) => types.has('object'));
  if (first && !second && (all.length === 1 || /^(data|item|result)$/i.test(first[0]))) {
    return first;
  }
  return undefined;
}
