import { expect, test } from 'vitest';
import { outcomesOf, tableOf } from './json-schema.suite.ts';

test('the schemas of the JSON-Schema-Test-Suite have valid values, and values that break each keyword', async () => {
  const outcomes = outcomesOf({ values: 8, negatives: 2, seed: 1, all: false });
  expect(outcomes.filter(({ wrong }) => wrong.length > 0).map(({ one, wrong }) => [one.description, wrong])).toEqual(
    [],
  );
  const skipped = outcomes.filter((one) => one.skipped.length > 0);
  expect(skipped.length / outcomes.length).toBeLessThan(0.05);
  await expect(tableOf(outcomes)).toMatchFileSnapshot('json-schema.md');
});
