/** Decisions of laws without a service: whether a history has an explanation, and whether ids are random. */
import { expect, test } from 'vitest';
import { type Call, isExplained } from './linearizability.ts';
import { areRandom } from './unknown.ts';

/** Calls on one number: a write, or a read that saw it. */
const write = (round: number, value: number): Call<number> => ({ round, after: () => [value] });
const read = (round: number, seen: number): Call<number> => {
  return { round, after: (state) => (state === seen ? [state] : []) };
};
const WRITES = [write(0, 1), write(0, 2), read(1, 2)];
const ELEVEN = Array.from({ length: 11 }, (_, value) => write(0, value % 3));

test.each<[string, Call<number>[], boolean]>([
  ['a read beside a write sees the value before it', [write(0, 1), read(0, 0)], true],
  ['or after it', [write(0, 1), read(0, 1)], true],
  ['a read after a write does not see the value before it', [write(0, 1), read(1, 0)], false],
  ['two readers agree on the order', [...WRITES, read(2, 2)], true],
  ['and do not disagree', [...WRITES, read(1, 1)], false],
  ['and no other value, which is decided for a dozen calls', [...ELEVEN, read(0, 7)], false],
])('%s', (_, calls, expected) => {
  expect(isExplained(calls, 0, String)).toBe(expected);
});

test.each([
  ['rt_2Qm8vX1pLz', 'rt_9bYt4KcW7e', true],
  ['edghts_2QmRbF8vX1pLzAq', 'edghts_2QmRbG0qT7wNuCd', true],
  ['018f3a1e-7c1b-7f00-9c41-5d0f8c2b6a91', '018f3a1e-7c1c-7a3e-8b02-e1a94f7d3c55', true],
  ['abcdef', 'ghijkl', false],
  ['edge-of-the-https-module-number-9', 'edge-of-the-https-module-number-10', false],
  ['same-0b8ee9de', 'same-0b8ee9de', false],
  ['aaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbb', false],
])('ids such as %s and %s are random: %j', (one, other, expected) => {
  expect(areRandom(one, other)).toBe(expected);
});
