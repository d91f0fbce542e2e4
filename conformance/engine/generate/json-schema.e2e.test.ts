import { expect, test } from 'vitest';
import { outcomesOf } from './json-schema.suite.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));

test(`every clause of every schema of the JSON-Schema-Test-Suite, with many values (SEED=${seed})`, () => {
  const outcomes = outcomesOf({ values: 100, negatives: 20, seed, all: true });
  expect(outcomes.filter(({ wrong }) => wrong.length > 0).map(({ one, wrong }) => [one.description, wrong])).toEqual(
    [],
  );
  expect(outcomes.filter(({ skipped }) => skipped.length > 0).map(({ one }) => one.description)).toEqual([
    'empty enum',
    'properties whose names are Javascript object property names',
  ]);
});
