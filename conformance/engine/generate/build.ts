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

/** The shape with each branch of its first alternatives; itself where it has none. */
export function branchesOf({ contract }: Build, shape: Shape): Shape[] {
  const [branches, ...others] = shape.alternatives;
  if (!branches) return [shape];
  const keyOf = (list: readonly string[]): string => list.join('\n');
  const open = new Set(others.map(keyOf));
  const settled = new Set(
    shapeOf(contract, ...shape.roots)
      .alternatives.map(keyOf)
      .filter((key) => !open.has(key)),
  );
  return branches
    .map((pointer) => {
      const one = shapeOf(contract, ...shape.roots, pointer);
      // A branch may have alternatives of its own.
      const alternatives = one.alternatives.filter((list) => !settled.has(keyOf(list)));
      return Object.create(one, { alternatives: { value: alternatives } }) as Shape;
    })
    .filter(isPossible);
}

/** Whether neither the shape nor what it requires contradicts itself. */
function isPossible({ types, properties, required }: Shape): boolean {
  return types.size > 0 && [...properties].every(([name, child]) => child.types.size > 0 || !required.has(name));
}

/** The known values of the shape; none where nothing but null is left. */
export function knownOf({ hints: { known } }: Build, shape: Shape): fc.Arbitrary<unknown> | undefined {
  if (known === undefined || (shape.types.size === 1 && shape.types.has('null'))) return undefined;
  return shape.passed.map((pointer) => known[pointer]).find((one) => one !== undefined);
}

export function realisticOf({ hints: { realistic } }: Build, shape: Shape): Realistic | undefined {
  return realistic && shape.passed.map((pointer) => realistic[pointer]).find((one) => one !== undefined);
}
