/** The kinds of objects that a schema describes by `anyOf` or `oneOf`. */
import type { Contract } from './load.ts';
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
