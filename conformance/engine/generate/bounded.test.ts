import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shrunkUntil } from './bounded.ts';

/** How many smaller values are made of one that fails, when `most` are enough. */
function made(most: number): { made: number; smallest: unknown } {
  let tried = 0;
  let count = -1;
  const source = fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength: 50, maxLength: 60 })
    .filter(() => ++count >= 0);
  const { counterexample } = fc.check(
    fc.property(
      shrunkUntil(source, () => tried > most),
      () => {
        tried += 1;
        throw new Error('broken');
      },
    ),
    { seed: 1, numRuns: 1 },
  );
  return { made: count, smallest: counterexample?.[0] };
}

test('no smaller value is made once there are enough, and until then all are', () => {
  expect(made(0).made).toBe(0);
  expect(made(3).made).toBe(3);
  expect(made(Infinity).smallest).toEqual(Array.from({ length: 50 }, () => 0));
});
