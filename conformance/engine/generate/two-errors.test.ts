import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemasOf } from '../contract/schemas.ts';
import { A, contractWith } from '../contract/synthetic.test.fixture.ts';
import { twoErrors } from './two-errors.ts';

const TEXT = { type: 'string', minLength: 3, maxLength: 5 };

test('a body with two errors has them at two places', () => {
  const contract = contractWith({
    type: 'object',
    required: ['a'],
    properties: { a: TEXT, b: TEXT, c: { type: 'integer', minimum: 1 } },
  });
  const bodies = twoErrors(contract, A, {}) ?? fc.constant(undefined);
  for (const body of fc.sample(bodies, { numRuns: 50, seed: 1 })) {
    const errors = schemasOf(contract).validate(A, body);
    const places = new Set(errors.map(({ path, name = '' }) => [...path, name].join('/')));
    expect(places.size, JSON.stringify(body)).toBeGreaterThan(1);
  }
});

test('a body with one member has no two errors', () => {
  const contract = contractWith({ type: 'object', properties: { a: TEXT } });
  expect(twoErrors(contract, A, {})).toBe(undefined);
});
