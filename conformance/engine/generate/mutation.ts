import type * as fc from 'fast-check';

/** What to put at the path of a clause, so that the clause breaks or is met exactly. The caller proves that it does. */
export interface Mutation {
  /** What is put there, in a few words. */
  label: string;
  /** The value at the path of the clause. */
  leaf: fc.Arbitrary<unknown>;
}
