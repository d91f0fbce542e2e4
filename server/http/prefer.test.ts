import { expect, test } from 'vitest';
import { readPreferences } from './faults.ts';

test.for([
  [undefined, []],
  ['', []],
  ['drop', [['drop', '']]],
  ['status=503', [['status', '503']]],
  ['Status = 503', [['status', '503']]],
  [
    'status=503, delay=250',
    [
      ['status', '503'],
      ['delay', '250'],
    ],
  ],
  [
    ' ,, a=1 ,,b=2,',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'a="x, \\"y\\";z", b',
    [
      ['a', 'x, "y";z'],
      ['b', ''],
    ],
  ],
  ['a=""', [['a', '']]],
  ['a=', [['a', '']]],
  [
    'a=1; p=2; q; ; r="x,y", b=3',
    [
      ['a', '1'],
      ['b', '3'],
    ],
  ],
  // The first one counts (RFC 7240, section 2).
  ['a=1, A=2', [['a', '1']]],
  ['a=1, =2, b=3', [['a', '1']]],
  ['a=1 b=2', []],
  [
    ['a=1', 'b=2'],
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
] as const)('%j', ([header, expected]) => {
  expect([...readPreferences(header as string | string[] | undefined)]).toEqual(expected);
});

test('a long header that leads nowhere is read once', () => {
  // In every way there is, this would take longer than the universe has.
  for (const gap of [' ; ', '; a = ', ' = ; ', ' , '])
    expect(readPreferences(`a${gap.replaceAll(' ', ' '.repeat(40)).repeat(150)}!"`).size).toBeLessThanOrEqual(1);
});
