/** Knowledge of the values of schemas beyond the contract. */
import type * as fc from 'fast-check';

/**
 * Realistic values, values on the edge, and near misses of a schema whose pattern says little about what people send.
 * Used only as far as the schema agrees.
 */
export interface Realistic {
  values: fc.Arbitrary<string>;
  /** The ends of shrinking, the simplest first: three, where distinct values are needed. */
  simplest: readonly string[];
  /** Valid values at the ends of what the pattern allows. */
  edges: Readonly<Record<string, string>>;
  /** Values that the pattern refuses, and that a sloppy check lets through. */
  near: Readonly<Record<string, string>>;
  /**
   * Texts of exactly so many characters, where few texts will do and no schema can say so, such as XML. Then values
   * shrink to the simplest ones alone, and never leave what is meant.
   */
  ofLength?: (length: number) => string[];
}

/** By JSON Pointer of a schema: a component, or any place in the contract. */
export interface Hints {
  /** Values to use in place of generated ones, where an implementation knows only some. */
  readonly known?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly realistic?: Readonly<Record<string, Realistic>>;
}
