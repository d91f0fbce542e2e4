import { expect, test } from 'vitest';
import { someOf } from './choices.ts';

test('a few choices are all tried, and of many some from the first to the last', () => {
  expect(someOf(['a', 'b'])).toEqual(['a', 'b']);
  const many = Array.from({ length: 20_000 }, (_, index) => index);
  const some = someOf(many);
  expect([some.length, some[0], some.at(-1), new Set(some).size]).toEqual([200, 0, 19_999, 200]);
});
