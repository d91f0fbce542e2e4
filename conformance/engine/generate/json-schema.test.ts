import { expect, test } from 'vitest';
import { missingIn, outcomesOf } from './json-schema.test.fixture.ts';

test('the schemas of the JSON-Schema-Test-Suite have valid values, and values that break each keyword alone', () => {
  const outcomes = outcomesOf({ values: 8, negatives: 2, seed: 1, all: false });
  expect(outcomes.flatMap(({ one, wrong }) => wrong.map((what) => `${one.description}: ${what}`))).toEqual([]);
  expect(missingIn(outcomes)).toEqual([
    'empty enum: the schema at /components/schemas/Case cannot be compiled: enum must have non-empty array',
    'minContains=1 with contains: minContains: One is what contains asks for by itself.',
    'minContains = 0 with maxContains: minContains: Nothing has fewer than none.',
    'properties whose names are Javascript object property names: ' +
      'a property named __proto__ at /components/schemas/Case is not one that Ajv checks',
    'unevaluatedItems with items: unevaluatedItems: items beside it binds every item.',
  ]);
});
