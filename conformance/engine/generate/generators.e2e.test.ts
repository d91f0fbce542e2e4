import { expect, test } from 'vitest';
import { HINTS } from '../../api/implementation.ts';
import { testGenerators } from './generators.test.fixture.ts';
import { outcomesOf } from './json-schema.test.fixture.ts';

testGenerators({ hints: HINTS, samples: 10, shrinks: 4, shrunkOneIn: 25, seed: 42 });

test('every clause of every schema of the JSON-Schema-Test-Suite, with many values', () => {
  const outcomes = outcomesOf({ values: 100, negatives: 20, seed: 42, all: true });
  expect(outcomes.flatMap(({ one, wrong }) => wrong.map((what) => `${one.description}: ${what}`))).toEqual([]);
  expect(outcomes.filter(({ skipped }) => skipped.length > 0).map(({ one }) => one.description)).toEqual([
    'empty enum',
    'properties whose names are Javascript object property names',
  ]);
});
