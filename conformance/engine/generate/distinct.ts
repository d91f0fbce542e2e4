import * as fc from 'fast-check';
import { accepted } from './filter.ts';

/**
 * Arrays of items whose `key` differs. `fc.uniqueArray` looks for ever for more distinct items than there are, so that
 * is asked first: where there are too few, the arbitrary throws `GaveUp`.
 */
export function distinct<T>(
  item: fc.Arbitrary<T>,
  key: (one: T) => string,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<T[]> {
  const enough =
    minLength <= 1 || new Set(fc.sample(item, { numRuns: 30 * minLength, seed: 1 }).map(key)).size >= minLength;
  if (!enough) return accepted(fc.constant<T[]>([]), `${minLength} distinct items`, () => false);
  return fc.uniqueArray(item, { minLength, maxLength, selector: key });
}
