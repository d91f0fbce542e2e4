import { expect, test } from 'vitest';
import { parseContract } from './load.ts';
import { originOf, type RuleName, UNSTATED } from './origins.ts';

const PLACE = '/components/schemas/A';

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: {},
    'x-origin': 'source',
    'x-default-origins': { all: { type: 'D1', format: 'D2' }, request: { type: 'D3' } },
    components: {
      schemas: {
        A: {
          'x-origin': { 'required.id': 'D4', required: 'D5', if: 'D6', '*': 'D7' },
          if: { properties: { if: {} } },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: { minimum: 1 },
        },
        B: {},
      },
    },
  }),
);

test.each<[string, RuleName, string]>([
  [PLACE, { keyword: 'required', name: 'id' }, 'D4'],
  [PLACE, { keyword: 'required', name: 'name' }, 'D5'],
  [PLACE, { keyword: 'type' }, 'D1'],
  [PLACE, { keyword: 'type', side: 'request' }, 'D3'],
  [PLACE, { keyword: 'format', side: 'request' }, 'D2'],
  [PLACE, { keyword: 'minimum' }, 'D7'],
  [PLACE, {}, 'D7'],
  [`${PLACE}/then`, { keyword: 'minimum' }, 'D6'],
  [`${PLACE}/if/properties/if`, { keyword: 'minimum' }, 'D6'],
  ['/components/schemas/B', { keyword: 'minimum' }, 'source'],
])('at %s, the origin of %j is %s', (pointer, rule, origin) => {
  expect(originOf(contract, pointer, rule)).toBe(origin);
});

test('a contract without origins states none', () => {
  const plain = parseContract('{openapi: 3.1.0, info: {}, components: {schemas: {A: {}}}}');
  expect(originOf(plain, PLACE)).toBe(UNSTATED);
});
