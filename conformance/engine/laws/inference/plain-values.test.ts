import { expect, it } from 'vitest';
import { parseContract } from '../../contract/load.ts';
import { shapeOf } from '../../contract/shape.ts';
import { isExact } from './plain-values.ts';

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
