/** Knowledge of the values of schemas beyond the contract. */
import type * as fc from 'fast-check';

/** Realistic values, edges and near misses where a pattern says little; used only as far as the schema agrees. */
export interface Realistic {
  values: fc.Arbitrary<string>;
  /** The ends of shrinking, the simplest first: three, where distinct values are needed. */
  simplest: readonly string[];
  /** Valid values at the ends of what the pattern allows. */
  edges: Readonly<Record<string, string>>;
  /** Values that the pattern refuses, and that a sloppy check lets through. */
  near: Readonly<Record<string, string>>;
  /** Texts of just that length where no schema says which fit, such as XML. Values then shrink to `simplest` alone. */
  ofLength?: (length: number) => string[];
}

/** By JSON Pointer of a schema: a component, or any place in the contract. */
export interface Hints {
  /** Values to use in place of generated ones, where an implementation knows only some. */
  readonly known?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly realistic?: Readonly<Record<string, Realistic>>;
}
