/** Whether ids are random: an id that is nearly a random one belongs to nobody. */
import { expect, test } from 'vitest';
import { areRandom } from './random-ids.ts';

interface Ids {
  one: string;
  other: string;
  expected: boolean;
}

test.each<Ids>([
  { one: 'rt_2Qm8vX1pLz', other: 'rt_9bYt4KcW7e', expected: true },
  { one: 'edghts_2QmRbF8vX1pLzAq', other: 'edghts_2QmRbG0qT7wNuCd', expected: true },
  {
    one: '018f3a1e-7c1b-7f00-9c41-5d0f8c2b6a91',
    other: '018f3a1e-7c1c-7a3e-8b02-e1a94f7d3c55',
    expected: true,
  },
  { one: 'abcdef', other: 'ghijkl', expected: false },
  {
    one: 'edge-of-the-https-module-number-9',
    other: 'edge-of-the-https-module-number-10',
    expected: false,
  },
  { one: 'same-0b8ee9de', other: 'same-0b8ee9de', expected: false },
  { one: 'aaaaaaaaaaaaaaa', other: 'bbbbbbbbbbbbbbb', expected: false },
])('ids such as $one and $other are random: $expected', ({ one, other, expected }) => {
  expect(areRandom(one, other)).toBe(expected);
});
