/**
 * What the generators of one contract share. A container asks for the arbitraries of its parts through `arbitraryOf`:
 * the files of the parts need not import each other.
 */
import type * as fc from 'fast-check';
import type { Contract } from '../contract/load.ts';
import type { Shape } from '../contract/shape.ts';

/** Arbitraries to use in place of one's own, by JSON Pointer of a schema: a component, or any place in the contract. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

export interface Build {
  contract: Contract;
  hints: Hints;
  /**
   * Valid values of a shape, the same arbitrary for the same shape. Throws an Error for a schema that no value
   * satisfies; an arbitrary throws `GaveUp` when a hint gives nothing that its schema allows.
   */
  arbitraryOf(shape: Shape): fc.Arbitrary<unknown>;
}

/** The hint for the shape; none where nothing but null is left. */
export function hintOf(build: Build, shape: Shape): fc.Arbitrary<unknown> | undefined {
  if (shape.types.size === 1 && shape.types.has('null')) return undefined;
  return shape.passed.map((pointer) => build.hints[pointer]).find((one) => one !== undefined);
}
