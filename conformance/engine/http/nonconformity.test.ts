import { expect, it } from 'vitest';
import { apart, expectSame } from './nonconformity.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const [first, second, ...rest] = names(100);

it.each([
  ['whole if they are short', ['b'], ['a', 'b'], ['b'], ['a', 'b']],
  [
    'by what one of them lacks',
    names(101).slice(1),
    names(101),
    '100 items',
    '101 items, only here: "n0"',
  ],
  [
    'by three of many',
    names(99).slice(5),
    names(99),
    '94 items',
    '99 items, only here: "n0", "n1", "n2" and 2 more',
  ],
  [
    'by their order',
    [second, first, ...rest],
    names(100),
    '100 items, item 0: "n1"',
    '100 items, item 0: "n0"',
  ],
])('two lists that differ are shown %s', (...row) => {
  const [, one, other, got, expected] = row;
  expect(apart(one, other)).toEqual({ got, expected });
});

it('a failure names the place of the first difference, and 0 is the same as -0', () => {
  expect(() => expectSame('It differs', { x: -0 }, { x: 0 })).not.toThrow();
  const difference = {
    expected: 'at /list: 41 items, only here: "n40"',
    got: 'at /list: 40 items',
  };
  expect(() => expectSame('It differs', { list: names(40) }, { list: names(41) })).toThrow(
    expect.objectContaining({ details: difference }),
  );
});

it('a large integer is the same if it is written for the double that was sent', () => {
  const sent = { x: 2 ** 64 };
  expect(() => expectSame('It differs', { x: 18446744073709552000n }, sent)).not.toThrow();
  expect(() => expectSame('It differs', { x: 18446744073709560000n }, sent)).toThrow();
  expect(() => expectSame('It differs', { x: 2n ** 64n }, { x: 2n ** 64n + 1n })).toThrow();
});
