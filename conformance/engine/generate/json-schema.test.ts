import { expect, test } from 'vitest';
import { outcomesOf, tableOf } from './json-schema.test.fixture.ts';

test('the schemas of the JSON-Schema-Test-Suite have valid values, and values that break each keyword', async () => {
  const outcomes = outcomesOf({ values: 8, negatives: 2, seed: 1, all: false });
  expect(outcomes.flatMap(({ one, wrong }) => wrong.map((what) => `${one.description}: ${what}`))).toEqual([]);
  await expect(tableOf(outcomes)).toMatchFileSnapshot('json-schema.md');
});
