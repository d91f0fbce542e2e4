/** Numbers within the bounds of a shape. */
import * as fc from 'fast-check';
import { memberOf } from '../contract/by-name.ts';
import { BOUNDS, exactBound } from '../contract/exact-bounds.ts';
import { Unsupported } from '../contract/keywords.ts';
import { placesOf, strictest, texts, type Shape } from '../contract/shape.ts';
import { accepted } from './filter.ts';

/** The bounds of a number, both of them included. */
export interface NumberRange {
  min: number;
  max: number;
}

/**
 * Numbers that the shape allows. Never -0, which JSON cannot tell from 0.
 * @param fractions whether some of them have a fraction
 * @throws Unsupported if no integer, or no multiple, is within the bounds
 */
export function numberOf(shape: Shape, fractions: boolean): fc.Arbitrary<number | bigint> {
  const beyond = beyondDoubles(shape);
  if (beyond.length > 0) {
    return fc.constantFrom(...beyond);
  }
  const range = rangeOf(shape);
  const step = stepOf(shape, fractions);
  if (step !== undefined) {
    return multiplesOf(shape, step, range);
  }
  const integers = integersIn(range);
  if (fractions) {
    return withFractions(shape, range, integers);
  }
  if (!integers) {
    throw new Unsupported(`no integer satisfies ${placesOf(shape)}`);
  }
  return integers;
}

/** The integers next to bounds, if these leave none that every JSON reader reads exactly. */
function beyondDoubles({ parts }: Shape): bigint[] {
  const found: bigint[] = [];
  for (const { schema } of parts) {
    for (const keyword of BOUNDS) {
      const bound = exactBound(schema, keyword);
      const direction = keyword.endsWith('inimum') ? 1n : -1n;
      if (typeof bound === 'bigint' && bound * direction > 0n) {
        const first = keyword.startsWith('exclusive') ? bound + direction : bound;
        found.push(first, first + direction);
      }
    }
  }
  return found;
}

/** The step between the numbers that `multipleOf` allows; undefined if nothing states it. */
function stepOf({ parts }: Shape, fractions: boolean): number | undefined {
  const stated = parts
    .map(({ schema }) => schema['multipleOf'])
    .find((one) => typeof one === 'number');
  if (stated === undefined || fractions) {
    return stated;
  }
  return smallestInteger(stated);
}

/** The smallest integer that is a multiple; 1 if it is above 1000 times the step. */
function smallestInteger(step: number): number {
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

/**
 * Multiples of the step: a thousand from the lower bound on, or up to a thousand if that is more.
 * @throws Unsupported if none is within the bounds
 */
function multiplesOf(shape: Shape, step: number, { min, max }: NumberRange): fc.Arbitrary<number> {
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  if (!(first <= last) || !Number.isFinite(first)) {
    throw new Unsupported(`no multiple satisfies ${placesOf(shape)}`);
  }
  const counts = fc.integer({ min: first, max: Math.min(last, Math.max(first + 1000, 1000)) });
  return counts.map((count) => positiveZero(Number((count * step).toPrecision(12))));
}

function integersIn({ min, max }: NumberRange): fc.Arbitrary<number> | undefined {
  const least = Math.ceil(min);
  const most = Math.floor(max);
  if (least <= most) {
    return fc.integer({ min: least, max: most });
  }
  return undefined;
}

/**
 * The integers, short decimal fractions, which people send, and long ones, which show readers with
 * too few digits.
 */
function withFractions(
  shape: Shape,
  { min, max }: NumberRange,
  integers: fc.Arbitrary<number> | undefined,
): fc.Arbitrary<number> {
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
  return accepted(narrow, `number of 32 bits for ${placesOf(shape)}`, isWithin);
}

/** Formats of the registry of OpenAPI that state a range, as far as every JSON reader is exact. */
const OF_FORMAT: Readonly<Record<string, NumberRange>> = {
  int8: { min: -128, max: 127 },
  uint8: { min: 0, max: 255 },
  int16: { min: -(2 ** 15), max: 2 ** 15 - 1 },
  uint16: { min: 0, max: 2 ** 16 - 1 },
  int32: { min: -(2 ** 31), max: 2 ** 31 - 1 },
  uint32: { min: 0, max: 2 ** 32 - 1 },
  uint64: { min: 0, max: Number.MAX_SAFE_INTEGER },
};

/** The integers that every JSON reader reads exactly. */
const EXACT: NumberRange = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

/**
 * The bounds of a number; if a schema gives none, those within which every JSON reader is exact.
 */
export function rangeOf(shape: Shape): NumberRange {
  const [usual = EXACT] = texts(shape, 'format').flatMap((one) => memberOf(OF_FORMAT, one) ?? []);
  const minimum = strictest(shape, 'minimum') ?? usual.min;
  const maximum = strictest(shape, 'maximum') ?? usual.max;
  return {
    min: Math.max(minimum, usual.min, beside(shape, 'exclusiveMinimum', 1)),
    max: Math.min(maximum, usual.max, beside(shape, 'exclusiveMaximum', -1)),
  };
}

/**
 * Relative to the bound: far below any difference that matters to people, and far above the
 * precision of a double, 2^-52.
 */
const SMALL_STEP = 2 ** -40;

/** The number next to an exclusive bound; without one, no bound at all. */
function beside(shape: Shape, keyword: string, direction: 1 | -1): number {
  const bound = strictest(shape, keyword);
  if (bound === undefined) {
    return -direction * Infinity;
  }
  if (!shape.types.has('number')) {
    return bound + direction;
  }
  const step = Math.max(Math.abs(bound), 1) * SMALL_STEP;
  return bound + direction * step;
}

const positiveZero = (value: number): number => (value === 0 ? 0 : value);

/**
 * Long numbers beyond the bound, as texts. Some have a valid number in their last 32 or 64 bits.
 */
export function numbersBeyond(keyword: string, bound: number): string[] {
  if (keyword === 'minimum') {
    return ['-1e400', `-${'1'.repeat(5_000)}`];
  }
  const wrapped = [32n, 64n].map((bits) => 2n ** bits + 1n).filter((one) => one > bound);
  const long = [300, 5_000].map((digits) => '9'.repeat(digits));
  const longFraction = `${bound}.${'0'.repeat(400)}1e9`;
  return [...wrapped.map(String), ...long, '1e400', longFraction];
}
