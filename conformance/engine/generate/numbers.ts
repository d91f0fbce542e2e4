/** Numbers within the bounds of a shape. */
import * as fc from 'fast-check';
import { strictest, texts, type Shape } from '../contract/shape.ts';

/**
 * Integers, and with `fractions` other numbers, within `minimum` and `maximum`. Never -0, which JSON cannot tell from
 * 0.
 */
export function numberOf(shape: Shape, fractions: boolean): fc.Arbitrary<number> {
  const { min, max } = rangeOf(shape);
  const least = Math.ceil(min);
  const most = Math.floor(max);
  const integers = least <= most ? fc.integer({ min: least, max: most }) : undefined;
  if (!fractions) {
    if (!integers) throw new Error(`no integer satisfies ${shape.roots.join(' and ')}`);
    return integers;
  }
  // Short decimal fractions are what people send; the rest shows who parses them with too few digits.
  const span = Math.min(max - min, 1000);
  const decimal = fc.integer({ min: 0, max: 100 }).map((hundredths) => positiveZero(min + (span * hundredths) / 100));
  const double = fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map(positiveZero);
  return integers ? fc.oneof(integers, decimal, double) : fc.oneof(decimal, double);
}

/** The bounds of a number; where a schema gives none, those within which every JSON reader is exact. */
export function rangeOf(shape: Shape): { min: number; max: number } {
  const word = texts(shape, 'format').includes('int32') ? 2 ** 31 : Number.MAX_SAFE_INTEGER;
  return {
    min: Math.max(strictest(shape, 'minimum') ?? -word, -word),
    max: Math.min(strictest(shape, 'maximum') ?? word, word === 2 ** 31 ? word - 1 : word),
  };
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}
