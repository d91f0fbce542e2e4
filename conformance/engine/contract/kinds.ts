/** The kinds of objects that a schema describes by `anyOf` or `oneOf`. */
import type { Contract } from './load.ts';
import { satisfies } from './schemas.ts';
import { type Shape, shapeOf } from './shape.ts';

/**
 * The shape of each kind of object that the schemas describe: one for each branch of an `anyOf` or
 * `oneOf`.
 */
export function branchesOf(contract: Contract, ...pointers: string[]): Shape[] {
  const kinds = kindsOf(contract, ...pointers);
  if (kinds.length === 0) {
    return [shapeOf(contract, ...pointers)];
  }
  return kinds.map((kind) => shapeOf(contract, ...pointers, kind));
}

/**
 * The pointers of the branches that are objects with their own properties; empty if there is only
 * one kind.
 */
export function kindsOf(contract: Contract, ...pointers: string[]): readonly string[] {
  const isKind = (pointer: string) =>
    /\/(any|one)Of\/\d+$/.test(pointer) && shapeOf(contract, pointer).properties.size > 0;
  return (
    shapeOf(contract, ...pointers).alternatives.find((branches) => branches.every(isKind)) ?? []
  );
}

/** Branches within branches of this depth are left out. */
const MOST_DEPTH = 4;

/**
 * The shape of a value by these schemas and by each branch of theirs that it satisfies: what a
 * branch says of its members is in no other shape.
 */
export function shapeOfValue(
  contract: Contract,
  pointers: readonly string[],
  value: unknown,
): Shape {
  let shape = shapeOf(contract, ...pointers);
  for (let depth = 0; depth < MOST_DEPTH; depth++) {
    const { roots, alternatives } = shape;
    const branches = alternatives.flat().filter((branch) => {
      return !roots.includes(branch) && satisfies(contract, [branch], value);
    });
    if (branches.length === 0) {
      break;
    }
    shape = shapeOf(contract, ...roots, ...branches);
  }
  return shape;
}
