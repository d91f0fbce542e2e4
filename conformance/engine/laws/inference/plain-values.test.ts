import { expect, it, vi } from 'vitest';
import { parseContract } from '../../contract/load.ts';
import { shapeOf } from '../../contract/shape.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { isExact, tameBody } from './plain-values.ts';

type Part = Record<string, unknown>;

/** Schemas of which each has all of them as members, as a language of patterns may. */
function contractOfSchemas(count: number, more: Part) {
  const names = Array.from({ length: count }, (_, index) => `S${index}`);
  const members = names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]);
  const schema = { type: 'object', properties: { ...Object.fromEntries(members), ...more } };
  const schemas = Object.fromEntries(names.map((name) => [name, schema]));
  const info = { title: 'Patterns', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  return parseContract(JSON.stringify(document));
}

it.each<[exact: boolean, more: Part]>([
  [true, { text: { type: 'string' } }],
  [false, { text: { type: 'string', format: 'date-time' } }],
])('%s: schemas that refer to one another are checked once each', (exact, more) => {
  const contract = contractOfSchemas(30, more);
  expect(isExact(contract, shapeOf(contract, '/components/schemas/S0'))).toBe(exact);
});

it('a body of hundreds of members is made plain at once, but for one that must stay', () => {
  const names = Array.from({ length: 256 }, (_, index) => `m${index}`);
  const members = names.map((name) => [name, { type: 'string', minLength: 2 }]);
  const properties = {
    ...Object.fromEntries(members),
    m7: { type: 'string', not: { pattern: '^[a-z]+$' } },
  };
  const schemas = { Wide: { type: 'object', properties } };
  const info = { title: 'Wide', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  const contract = parseContract(JSON.stringify(document));
  const pointer = '/components/schemas/Wide';
  const isValid = vi.spyOn(schemasOf(contract), 'isValid');
  const body = Object.fromEntries(names.map((name) => [name, ' - ']));
  const { m7, ...others } = tameBody(contract, [pointer], body);
  expect(m7).toBe(' - ');
  expect(Object.values(others).filter((text) => !/^[a-z]{2,}$/.test(String(text)))).toEqual([]);
  expect(isValid.mock.calls.length).toBeLessThan(40);
});
