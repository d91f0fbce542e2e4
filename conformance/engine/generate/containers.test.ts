/** Objects and arrays. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { A, contractWith } from '../contract/synthetic.test.fixture.ts';
import { validValues } from './valid.ts';

/** A sample of valid values of a schema. */
const valuesOf = <T>(schema: object): T[] =>
  fc.sample(validValues(contractWith(schema), A), { numRuns: 200, seed: 1 }) as T[];

test.each([1, 2, 3])(
  'with a minContains of %d, arrays are found, also with more items',
  (least) => {
    const lists = valuesOf<unknown[]>({
      type: 'array',
      items: { type: 'integer' },
      contains: { minimum: 1_000_000, maximum: 1_000_001 },
      minContains: least,
    });
    const contained = lists.map((list) => list.filter((item) => Number(item) >= 1_000_000).length);
    expect(Math.min(...contained)).toBe(least);
    expect(lists.some((list) => list.length > least)).toBe(true);
  },
);

test('the items behind a tuple are there only if the whole tuple is', () => {
  const prefixItems = [{ type: 'integer' }, { type: 'boolean' }];
  const lists = valuesOf<unknown[]>({ type: 'array', prefixItems, items: { type: 'string' } });
  const typesOf = (list: unknown[]) => list.map((item) => typeof item).join();
  const types = new Set(lists.map(typesOf));
  expect([...types].filter((one) => !/^$|^number$|^number,boolean(,string)*$/.test(one))).toEqual(
    [],
  );
  expect(types).toContain('number,boolean,string');
  expect(types).toContain('number');
});

test('no two free names differ in case alone', () => {
  const maps = valuesOf<object>({
    type: 'object',
    propertyNames: { enum: ['a', 'A', 'b', 'B', 'c'] },
    additionalProperties: { type: 'integer' },
    minProperties: 2,
  });
  const hasTwins = (names: string[]) =>
    new Set(names.map((name) => name.toLowerCase())).size < names.length;
  expect(maps.filter((map) => hasTwins(Object.keys(map)))).toEqual([]);
});

test('objects have as many properties as their schema allows', () => {
  const names = ['a', 'b', 'c', 'd'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
  const closed = { type: 'object', properties, additionalProperties: false };
  const sizes = valuesOf<object>({ ...closed, minProperties: 2, maxProperties: 3 }).map(
    (one) => Object.keys(one).length,
  );
  expect([...new Set(sizes)].toSorted()).toEqual([2, 3]);
});

test('of hundreds of optional properties, objects have a few, and each property is in some', () => {
  const names = Array.from({ length: 100 }, (_, index) => `member${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
  const values = valuesOf<object>({ type: 'object', required: ['member7'], properties });
  const counts = values.map((value) => Object.keys(value).length);
  expect(Math.max(...counts)).toBeLessThan(20);
  expect(values.every((value) => 'member7' in value)).toBe(true);
  expect(new Set(values.flatMap((value) => Object.keys(value))).size).toBeGreaterThan(90);
});
