/** Names in paths that nothing has. */
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest } from '../contract/shape.ts';
import { letters } from './fresh.ts';
import type { Random } from './random.ts';

/** This number of random letters names nothing. */
export const LENGTH_OF_NAMES = 16;

/** With fewer random letters, a name may be that of somebody else's item. */
const FEWEST_LETTERS = 8;

const PREFIX = 'c-';

/** A name that nothing has; undefined if the schema allows none that is long enough. */
export function freshName(
  contract: Contract,
  parameter: Parameter,
  random: Random,
): string | undefined {
  const shape = shapeOf(contract, parameter.schema);
  if (!shape.types.has('string') || shape.choices !== undefined) {
    return undefined;
  }
  return freshNames(shape, random).find((name) =>
    schemasOf(contract).isValid(parameter.schema, name),
  );
}

function freshNames(shape: Shape, random: Random): string[] {
  const most = strictest(shape, 'maxLength') ?? LENGTH_OF_NAMES;
  const names: string[] = [];
  if (most >= FEWEST_LETTERS) {
    const word = letters(Math.min(most, LENGTH_OF_NAMES), random);
    names.push(word, word.toUpperCase());
  }
  if (most >= PREFIX.length + FEWEST_LETTERS) {
    const room = Math.min(most - PREFIX.length, LENGTH_OF_NAMES);
    names.push(PREFIX + letters(room, random));
  }
  return [...names, random.uuid()];
}
