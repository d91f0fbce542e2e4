/**
 * What the generators of one contract share. A container asks for the arbitraries of its parts through `arbitraryOf`:
 * the files of the parts need not import each other.
 */
import type * as fc from 'fast-check';
import type { Hints, Realistic } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';

export interface Build {
  contract: Contract;
  /** Whether values of the shape are just being made: a part of them with the same schema is left out. */
  isOpen(shape: Shape): boolean;
  hints: Hints;
  /**
   * Valid values of a shape, the same arbitrary for the same shape. Throws an Error for a schema that no value
   * satisfies; an arbitrary throws `GaveUp` when a hint gives nothing that its schema allows.
   */
  arbitraryOf(shape: Shape): fc.Arbitrary<unknown>;
}

/** The shape with each branch of its first `anyOf` or `oneOf`; itself where it has none. */
export function branchesOf({ contract }: Build, shape: Shape): Shape[] {
  const [branches, ...others] = shape.alternatives;
  if (!branches) return [shape];
  return branches
    .map((pointer) => Object.create(shapeOf(contract, ...shape.roots, pointer)) as Shape)
    .map((one) => Object.defineProperty(one, 'alternatives', { value: others }))
    .filter(({ types, properties }) => types.size > 0 && [...properties.values()].every((one) => one.types.size > 0));
}

/** The known values of the shape; none where nothing but null is left. */
export function knownOf({ hints: { known } }: Build, shape: Shape): fc.Arbitrary<unknown> | undefined {
  if (known === undefined || (shape.types.size === 1 && shape.types.has('null'))) return undefined;
  return shape.passed.map((pointer) => known[pointer]).find((one) => one !== undefined);
}

export function realisticOf({ hints: { realistic } }: Build, shape: Shape): Realistic | undefined {
  return realistic && shape.passed.map((pointer) => realistic[pointer]).find((one) => one !== undefined);
}
