import { expect, test } from 'vitest';
import { type Call, explain } from './linearizability.ts';

/** Calls on one number: a write, or a read that saw it. */
const write = (client: number, began: number, ended: number, value: number): Call<number> => ({
  client,
  began,
  ended,
  after: () => [value],
});
const read = (client: number, began: number, ended: number, seen: number): Call<number> => ({
  client,
  began,
  ended,
  after: (state) => (state === seen ? [state] : []),
});

test('a read beside a write sees the value before or after it', () => {
  for (const seen of [0, 1]) expect(explain([write(0, 0, 2, 1), read(1, 1, 3, seen)], 0, String)).toHaveLength(2);
  expect(explain([write(0, 0, 2, 1), read(1, 1, 3, 2)], 0, String)).toBeUndefined();
});

test('what ended before another call began comes before it', () => {
  expect(explain([write(0, 0, 1, 1), read(1, 2, 3, 0)], 0, String)).toBeUndefined();
  expect(explain([write(0, 0, 1, 1), read(1, 2, 3, 1)], 0, String)).toHaveLength(2);
});

test('two readers agree on the order of two writes', () => {
  const writes = [write(0, 0, 9, 1), write(1, 0, 9, 2)];
  const reads = (one: number[], other: number[]) => [
    ...one.map((seen, at) => read(2, 2 * at, 2 * at + 1, seen)),
    ...other.map((seen, at) => read(3, 2 * at, 2 * at + 1, seen)),
  ];
  expect(explain([...writes, ...reads([1, 2], [1, 2])], 0, String)).toHaveLength(6);
  expect(explain([...writes, ...reads([1, 2], [2, 1])], 0, String)).toBeUndefined();
});

test('a history of a dozen calls is decided', () => {
  const writes = Array.from({ length: 11 }, (_, value) => write(value, 0, 9, value % 3));
  expect(explain([...writes, read(12, 0, 9, 7)], 0, String)).toBeUndefined();
});
