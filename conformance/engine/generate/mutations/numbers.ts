/** Numbers beyond a bound, and numbers that are no multiple. */
import * as fc from 'fast-check';
import { exactBound } from '../../contract/exact-bounds.ts';
import { strictest } from '../../contract/shape.ts';
import { among, type ClausePlace, exactly, type Mutation } from '../build.ts';

/** Sizes at which types of numbers end. */
const FAR = [2 ** 31, 2 ** 32, 2 ** 53, 1e15];
const NEAR = [0.01, 1e-9];

export function boundMutations({ shape, clause }: ClausePlace): Mutation[] {
  const { keyword } = clause;
  const exact = exactBound(clause.schema, keyword);
  if (typeof exact === 'bigint') {
    return beyondExactly(keyword, exact);
  }
  const stated = strictest(shape, keyword);
  // If the clause is within a branch of a condition, the shape may not have it: then no number
  // breaks it.
  const bound = stated ?? NaN;
  const direction = /minimum/i.test(keyword) ? -1 : 1;
  const next = bound + direction;
  const far = FAR.filter((size) => size - bound * direction > 1).map((size) => direction * size);
  const mutations: Mutation[] = [];
  if (keyword.startsWith('exclusive')) {
    mutations.push(exactly(`${stated} itself`, stated));
  }
  mutations.push(exactly(`${next}, one beyond`, next), ...among('far beyond', far));
  if (shape.types.has('number')) {
    const near = NEAR.map((step) => bound + direction * step);
    mutations.push(...among('just beyond', near));
  }
  return mutations;
}

/** Beyond a bound that no double holds: there, the numbers next to it are other doubles. */
function beyondExactly(keyword: string, bound: bigint): Mutation[] {
  const direction = /minimum/i.test(keyword) ? -1n : 1n;
  const itself = keyword.startsWith('exclusive') ? [exactly(`${bound} itself`, bound)] : [];
  const next = bound + direction;
  return [...itself, exactly(`${next}, one beyond`, next)];
}

export function multipleMutations({ shape, clause }: ClausePlace): Mutation[] {
  const step = clause.schema['multipleOf'] as number;
  const offsets = shape.types.has('number') ? [step / 2, step / 10] : [1];
  const counts = fc.integer({ min: 0, max: 9 });
  // The sum of two binary fractions is not the decimal that is meant.
  const exact = (sum: number) => Number(sum.toPrecision(12));
  return offsets.map((offset) => ({
    label: `a multiple and ${offset}`,
    values: counts.map((count) => exact(count * step + offset)),
  }));
}
