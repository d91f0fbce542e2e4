/** Whether a value satisfies a shape, by Ajv. */
import { schemasOf } from '../contract/schemas.ts';
import type { Shape } from '../contract/shape.ts';
import type { Build } from './build.ts';

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
