/** Whether a value satisfies a shape, by Ajv. */
import { schemasOf } from '../contract/schemas.ts';
import { texts, type Shape } from '../contract/shape.ts';
import type { Build } from './build.ts';
import { formatOf } from './formats.ts';

/** Keywords that bound the length of a text. */
const LENGTHS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'x-max-bytes']);

/** Whether `value` satisfies the shape; with `butLength`, apart from its length. */
export function fits({ contract }: Build, shape: Shape, value: unknown, butLength = false): boolean {
  const schemas = schemasOf(contract);
  return shape.roots.every((root) =>
    butLength
      ? schemas.validate(root, value).every(({ keyword }) => LENGTHS.has(keyword))
      : schemas.isValid(root, value),
  );
}

/** Whether some rule says more about a text than how long it may be. */
export function isPatterned(shape: Shape): boolean {
  return texts(shape, 'pattern').length > 0 || texts(shape, 'format').some((format) => formatOf(format) !== undefined);
}
