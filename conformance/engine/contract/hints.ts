/** Hints: values of schemas that the contract does not show. */
import type * as fc from 'fast-check';

/**
 * Realistic values, edges and near misses, for schemas whose pattern says little. Only what the
 * schema allows is used.
 */
export interface Realistic {
  values: fc.Arbitrary<string>;
  /**
   * The values to which others shrink, the simplest first: three, if distinct values are needed.
   */
  simplest: readonly string[];
  /** Valid values at the limits of the pattern, each with a label. */
  edges: Readonly<Record<string, string>>;
  /**
   * Values that the pattern refuses, and that a careless check lets through, each with its error as
   * a label.
   */
  near: Readonly<Record<string, string>>;
  /**
   * Texts of this length, if no schema describes the valid ones, such as XML. Values then shrink to
   * `simplest` alone.
   */
  ofLength?: (length: number) => string[];
}

/** Hints by JSON Pointer of a schema: a component, or any place in the contract. */
export interface Hints {
  /** Values to use in place of generated ones, if an implementation knows only some. */
  readonly known?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly realistic?: Readonly<Record<string, Realistic>>;
}
