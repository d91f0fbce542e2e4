import { expect, test } from 'vitest';
import { type Call, firstUnexplained } from './checker.ts';

type Times = [start: number, end: number];

function write(value: string, [start, end]: Times): Call {
  const text = `write ${value}`;
  return { text, start, end, changes: true, isUnknown: false, after: () => value };
}

function lost(value: string, times: Times): Call {
  return { ...write(value, times), text: `no response to ${value}`, isUnknown: true };
}

function read(value: string, [start, end]: Times): Call {
  const after = (state: string) => (state === value ? state : undefined);
  return { text: `read ${value}`, start, end, changes: false, isUnknown: false, after };
}

test.for<[string, Call[]]>([
  ['a read after a write', [write('a', [0, 1]), read('a', [2, 3])]],
  ['a read of the old value during a write', [write('a', [0, 9]), read('0', [1, 2])]],
  [
    'reads of both values in turn during a write',
    [write('a', [0, 9]), read('0', [1, 2]), read('a', [3, 4])],
  ],
  [
    'two writes at once, in the order that a later read shows',
    [write('a', [0, 9]), write('b', [0, 9]), read('a', [10, 11])],
  ],
  ['a write without a response that is read later', [lost('a', [0, 5]), read('0', [6, 7])]],
  ['a write without a response that took effect', [lost('a', [0, 5]), read('a', [6, 7])]],
  [
    'three writes at once, each of which is read before they end',
    [
      write('a', [0, 9]),
      write('b', [0, 9]),
      write('c', [0, 9]),
      read('b', [1, 2]),
      read('c', [3, 4]),
      read('a', [5, 6]),
    ],
  ],
])('is explained: %s', ([, calls]) => {
  expect(firstUnexplained(calls, '0')?.text).toBeUndefined();
});

test.for<[string, string, Call[]]>([
  ['a lost write', 'read 0', [write('a', [0, 1]), read('0', [2, 3])]],
  [
    'a stale read during a write that another read has seen',
    'read 0',
    [write('a', [0, 9]), read('a', [1, 2]), read('0', [3, 4])],
  ],
  ['a read of what nobody wrote', 'read z', [write('a', [0, 9]), read('z', [1, 2])]],
  [
    'two reads that saw two writes in different orders',
    'read a',
    [
      write('a', [0, 9]),
      write('b', [0, 9]),
      read('a', [1, 2]),
      read('b', [3, 4]),
      read('a', [5, 6]),
    ],
  ],
  [
    'a write without a response that comes back later',
    'read a',
    [lost('a', [0, 5]), read('0', [6, 7]), read('a', [8, 9])],
  ],
  ['a write that is read before it begins', 'read a', [read('a', [0, 1]), write('a', [2, 3])]],
])('is not explained: %s', ([, unexplained, calls]) => {
  expect(firstUnexplained(calls, '0')?.text).toBe(unexplained);
});

test('the order in which calls are given does not matter', () => {
  const calls = [read('b', [4, 5]), write('b', [2, 3]), write('a', [0, 1])];
  expect(firstUnexplained(calls, '0')).toBeUndefined();
});
