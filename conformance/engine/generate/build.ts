/**
 * What the generators of one contract share. A container asks for the arbitraries of its parts through `arbitraryOf`:
 * the files of the parts need not import each other.
 */
import type * as fc from 'fast-check';
import type { Hints, Realistic } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import type { Shape } from '../contract/shape.ts';

export interface Build {
  contract: Contract;
  hints: Hints;
  /**
   * Valid values of a shape, the same arbitrary for the same shape. Throws an Error for a schema that no value
   * satisfies; an arbitrary throws `GaveUp` when a hint gives nothing that its schema allows.
   */
  arbitraryOf(shape: Shape): fc.Arbitrary<unknown>;
}

/** The known values of the shape; none where nothing but null is left. */
export function knownOf({ hints: { known } }: Build, shape: Shape): fc.Arbitrary<unknown> | undefined {
  if (known === undefined || (shape.types.size === 1 && shape.types.has('null'))) return undefined;
  return shape.passed.map((pointer) => known[pointer]).find((one) => one !== undefined);
}

export function realisticOf({ hints: { realistic } }: Build, shape: Shape): Realistic | undefined {
  return realistic && shape.passed.map((pointer) => realistic[pointer]).find((one) => one !== undefined);
}
