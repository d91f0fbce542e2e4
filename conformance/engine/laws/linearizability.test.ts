/** Whether a history of calls on one number has an explanation. */
import { expect, test } from 'vitest';
import { type ConcurrentCall, isExplained } from './linearizability.ts';

function write(round: number, value: number): ConcurrentCall<number> {
  return { round, after: () => [value] };
}

function read(round: number, seen: number): ConcurrentCall<number> {
  return { round, after: (state) => (state === seen ? [state] : []) };
}

const WRITES = [write(0, 1), write(0, 2), read(1, 2)];
const ELEVEN_WRITES = Array.from({ length: 11 }, (_, value) => write(0, value % 3));

interface History {
  title: string;
  calls: ConcurrentCall<number>[];
  expected: boolean;
}

test.each<History>([
  {
    title: 'a read beside a write may see the value before it',
    calls: [write(0, 1), read(0, 0)],
    expected: true,
  },
  {
    title: 'a read beside a write may see the value after it',
    calls: [write(0, 1), read(0, 1)],
    expected: true,
  },
  {
    title: 'a read after a write cannot see the value before it',
    calls: [write(0, 1), read(1, 0)],
    expected: false,
  },
  {
    title: 'two readers may see the same order of writes',
    calls: [...WRITES, read(2, 2)],
    expected: true,
  },
  {
    title: 'two readers cannot see different orders of writes',
    calls: [...WRITES, read(1, 1)],
    expected: false,
  },
  {
    title: 'a read cannot see a value that none of eleven calls wrote',
    calls: [...ELEVEN_WRITES, read(0, 7)],
    expected: false,
  },
])('$title', ({ calls, expected }) => {
  expect(isExplained(calls, 0, String)).toBe(expected);
});
