import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeOf } from '../contract/shape.ts';
import { A, contractWith } from '../contract/synthetic.test.fixture.ts';
import { numberOf, rangeOf } from './numbers.ts';

const shapeWithRules = (rules: object) => shapeOf(contractWith(rules), A);

test.each([
  [{ type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 9 }, 3, 8],
  [{ type: 'integer', minimum: 2, maximum: 9 }, 2, 9],
  [{ type: 'integer', minimum: 5, exclusiveMinimum: 2 }, 5, Number.MAX_SAFE_INTEGER],
  [{ type: 'integer', exclusiveMaximum: -(2 ** 31) }, Number.MIN_SAFE_INTEGER, -(2 ** 31) - 1],
  [{ type: 'integer', format: 'int32' }, -(2 ** 31), 2 ** 31 - 1],
])('the integers of %j are from %d to %d', (rules, min, max) => {
  expect(rangeOf(shapeWithRules(rules))).toEqual({ min, max });
});

test.each([0, 1, -1, 0.001, -273.15, 1_000_000, -(2 ** 40), 2 ** 50])(
  'the numbers beside the exclusive bound %d differ from it by little',
  (bound) => {
    const tolerance = Math.max(Math.abs(bound), 1) * 1e-9;
    const above = rangeOf(shapeWithRules({ type: 'number', exclusiveMinimum: bound })).min;
    expect(above).toBeGreaterThan(bound);
    expect(above - bound).toBeLessThan(tolerance);
    const below = rangeOf(shapeWithRules({ type: 'number', exclusiveMaximum: bound })).max;
    expect(below).toBeLessThan(bound);
    expect(bound - below).toBeLessThan(tolerance);
  },
);

test.each([
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e-6 }, 1e-6],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 1],
])('values of %j are within the bounds', (rules, max) => {
  const values = fc.sample(numberOf(shapeWithRules(rules), true), { numRuns: 300, seed: 1 });
  expect(values.filter((value) => !(value > 0 && value < max))).toEqual([]);
});

test('a number schema needs no integer within its bounds, and an integer schema does', () => {
  const shape = shapeWithRules({ type: 'number', minimum: 0.2, maximum: 0.8 });
  expect(() => numberOf(shape, false)).toThrow('no integer satisfies');
  const values = fc.sample(numberOf(shape, true), { numRuns: 100, seed: 1 });
  expect(values.filter((value) => value < 0.2 || value > 0.8)).toEqual([]);
});
