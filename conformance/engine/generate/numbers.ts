/** Numbers within the bounds of a shape. */
import * as fc from 'fast-check';
import { Unsupported } from '../contract/keywords.ts';
import { strictest, texts, type Shape } from '../contract/shape.ts';
import { accepted } from './filter.ts';

/** Integers, and with `fractions` others, within the bounds. Never -0, which JSON cannot tell from 0. */
export function numberOf(shape: Shape, fractions: boolean): fc.Arbitrary<number> {
  const { min, max } = rangeOf(shape);
  const least = Math.ceil(min);
  const most = Math.floor(max);
  const stated = shape.parts
    .map(({ schema }) => schema['multipleOf'])
    .find((one) => typeof one === 'number');
  const step = stated === undefined || fractions ? stated : wholeStep(stated);
  if (step !== undefined) {
    const first = Math.ceil(min / step);
    const last = Math.floor(max / step);
    const counts = fc.integer({ min: first, max: Math.min(last, Math.max(first + 1000, 1000)) });
    return counts.map((count) => positiveZero(Number((count * step).toPrecision(12))));
  }
  const integers = least <= most ? fc.integer({ min: least, max: most }) : undefined;
  if (!fractions) {
    if (!integers) {
      throw new Unsupported(`no integer satisfies ${shape.roots.join(' and ')}`);
    }
    return integers;
  }
  // Short decimal fractions are what people send; the rest shows who parses them with too few digits.
  const span = Math.min(max - min, 1000);
  const decimal = fc
    .integer({ min: 0, max: 100 })
    .map((hundredths) => positiveZero(min + (span * hundredths) / 100));
  const double = fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map(positiveZero);
  const all = integers ? fc.oneof(integers, decimal, double) : fc.oneof(decimal, double);
  if (!texts(shape, 'format').includes('float')) {
    return all;
  }
  // A service may keep 32 bits of it.
  const isWithin = (value: number) => value >= min && value <= max;
  const narrow = all.map(Math.fround).map(positiveZero);
  return accepted(narrow, `number of 32 bits for ${shape.roots.join(' and ')}`, isWithin);
}

/** The smallest integer that is a multiple; 1 where it is beyond reach. */
function wholeStep(step: number): number {
  if (Number.isInteger(1 / step)) {
    return 1;
  }
  for (let count = 1; count <= 1000; count += 1) {
    if (Number.isInteger(count * step)) {
      return count * step;
    }
  }
  return 1;
}

/** The bounds of a number; where a schema gives none, those within which every JSON reader is exact. */
export function rangeOf(shape: Shape): { min: number; max: number } {
  const isInt32 = texts(shape, 'format').includes('int32');
  const [least, most] = isInt32
    ? [-(2 ** 31), 2 ** 31 - 1]
    : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  return {
    min: Math.max(
      strictest(shape, 'minimum') ?? least,
      least,
      beside(shape, 'exclusiveMinimum', 1),
    ),
    max: Math.min(strictest(shape, 'maximum') ?? most, most, beside(shape, 'exclusiveMaximum', -1)),
  };
}

/** The number next to an exclusive bound; without one, no bound at all. */
function beside(shape: Shape, keyword: string, direction: 1 | -1): number {
  const bound = strictest(shape, keyword);
  if (bound === undefined) {
    return -direction * Infinity;
  }
  const step = shape.types.has('number') ? Math.max(Math.abs(bound), 1) * 2 ** -40 : 1;
  return bound + direction * step;
}

const positiveZero = (value: number) => (value === 0 ? 0 : value);

/** Long numbers beyond the bound, as they are written, and such as hold a right one in their last 32 or 64 bits. */
export function numbersBeyond(keyword: string, bound: number): string[] {
  if (keyword === 'minimum') {
    return ['-1e400', `-${'1'.repeat(5_000)}`];
  }
  const wrapped = [32n, 64n].map((bits) => 2n ** bits + 1n).filter((one) => one > bound);
  const long = [300, 5_000].map((digits) => '9'.repeat(digits));
  return [...wrapped.map(String), ...long, '1e400', `${bound}.${'0'.repeat(400)}1e9`];
}
