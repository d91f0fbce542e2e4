import { expect, it } from 'vitest';
import { apart, expectSame } from './nonconformity.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `conformance_${index}.v0`);
const [first, second, ...rest] = names(100);
const ALONE = 'only here: "conformance_0.v0"';

it.each([
  ['whole where they are short', ['b'], ['a', 'b'], ['b'], ['a', 'b']],
  ['by what one of them lacks', names(101).slice(1), names(101), '100 items', `101 items, ${ALONE}`],
  [
    'by the first three of many',
    names(101).slice(5),
    names(101),
    '96 items',
    `101 items, ${ALONE}, "conformance_1.v0", "conformance_2.v0" and 2 more`,
  ],
  [
    'by the first item in another order',
    [second, first, ...rest],
    names(100),
    '100 items, item 0: "conformance_1.v0"',
    '100 items, item 0: "conformance_0.v0"',
  ],
])('two lists that differ are shown %s', (_, one, other, got, expected) => {
  expect(apart(one, other)).toEqual({ got, expected });
});

it('a failure names the place of the first difference', () => {
  const difference = { expected: 'at /list: 41 items, only here: "conformance_40.v0"', got: 'at /list: 40 items' };
  expect(() => expectSame('It differs', { list: names(40) }, { list: names(41) })).toThrow(
    expect.objectContaining({ details: difference }),
  );
});
