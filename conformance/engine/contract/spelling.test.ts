import { expect, test } from 'vitest';
import { shapeOf } from './shape.ts';
import { isDoubtful, spelled } from './spelling.ts';
import { A, contractWith } from './synthetic.test.fixture.ts';

const shapeWith = (type: string | string[]) => shapeOf(contractWith({ type }), A);

test.each([
  ['integer', '5', 5],
  ['integer', '-12', -12],
  ['integer', '05', '05'],
  ['integer', '1.5', '1.5'],
  ['number', '1.5', 1.5],
  ['number', '1e3', '1e3'],
  ['boolean', 'false', false],
  ['boolean', 'FALSE', 'FALSE'],
  ['string', '5', '5'],
  [['string', 'integer'], '5', '5'],
])('as %s, the text %j is %j', (type, raw, value) => {
  expect(spelled(shapeWith(type), raw)).toBe(value);
});

test.each([
  ['boolean', 'YES', true],
  ['boolean', '1', true],
  ['boolean', 'perhaps', false],
  ['boolean', 'true', false],
  ['integer', '1e3', true],
  ['integer', ' 5', true],
  ['integer', 'five', false],
  ['integer', '5', false],
  ['object', '{"a":1}', true],
  ['object', 'a', false],
  ['string', 'yes', false],
])('as %s, readers differ on the text %j: %s', (type, raw, is) => {
  expect(isDoubtful(shapeWith(type), raw)).toBe(is);
});
