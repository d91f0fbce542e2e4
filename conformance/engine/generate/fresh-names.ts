/** Names in paths that nothing has. */
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest } from '../contract/shape.ts';
import { letters } from './fresh.ts';
import type { Random } from './random.ts';

/** A name that nothing has, for a PUT; undefined if the schema allows none that is long enough. */
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

/** So many random letters name nothing. */
export const LENGTH_OF_NAMES = 16;

function freshNames(shape: Shape, random: Random): string[] {
  const most = strictest(shape, 'maxLength') ?? LENGTH_OF_NAMES;
  const word = letters(Math.min(most, LENGTH_OF_NAMES), random);
  return [word, `c-${word}`.slice(0, most), word.toUpperCase(), random.uuid()];
}
