import { expect, test } from 'vitest';
import { A, contractWith } from '../../contract/synthetic.test.fixture.ts';
import { violationsOf } from '../violations.ts';

/** The values in place of those of the schema. */
function inPlaceOf(schema: object): string[] {
  const violations = violationsOf(contractWith(schema), A);
  const ofType = violations.filter(({ clause }) => clause.keyword === 'type');
  return ofType.map(({ label }) => label.split(' in place of ', 1)[0] ?? '');
}

test.each([
  [{}, ['1.5', '0.5', '-0.1', '5.000001']],
  [{ minimum: 0 }, ['1.5', '0.5', '5.000001']],
  [{ minimum: 1, maximum: 5 }, ['1.5']],
  [{ minimum: 7 }, []],
])('fractions in place of an integer are within its range %j', (range, fractions) => {
  const values = inPlaceOf({ type: 'integer', ...range });
  expect(values.filter((value) => /^-?\d/.test(value))).toEqual(fractions);
});

test('a boolean is replaced by more texts than an object, since readers take some for one', () => {
  const texts = (type: string) => inPlaceOf({ type }).filter((value) => value.startsWith('"'));
  expect(texts('boolean')).toContain('"false"');
  expect(texts('object')).not.toContain('"false"');
});
