import { describe, expect, it } from 'vitest';
import { apart, expectSame } from './nonconformity.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `conformance_${index}.v0`);

describe('two lists that differ', () => {
  it('are shown whole where they are short', () => {
    expect(apart(['b'], ['a', 'b'])).toEqual({ got: ['b'], expected: ['a', 'b'] });
  });

  it('are told apart where they are long', () => {
    expect(apart(names(101).slice(1), names(101))).toEqual({
      expected: '101 items, only here: "conformance_0.v0"',
      got: '100 items',
    });
    expect(apart(names(101).slice(5), names(101)).expected).toBe(
      '101 items, only here: "conformance_0.v0", "conformance_1.v0", "conformance_2.v0" and 2 more',
    );
  });

  it('and only in their order, by the first item that does', () => {
    const [first, second, ...rest] = names(100);
    expect(apart([second, first, ...rest], names(100))).toEqual({
      expected: '100 items, item 0: "conformance_0.v0"',
      got: '100 items, item 0: "conformance_1.v0"',
    });
  });

  it('say so in a failure', () => {
    expect(() => expectSame('It differs', { list: names(40) }, { list: names(41) })).toThrow(
      expect.objectContaining({
        expected: 'at /list: 41 items, only here: "conformance_40.v0"',
        got: 'at /list: 40 items',
      }),
    );
  });
});
