import { expect, it } from 'vitest';
import { nameOf, readContract } from './contract.ts';

const SWAGGER = `
swagger: '2.0'
basePath: /api/v1/
definitions:
  shared: &shared { get: {} }
paths:
  /zones: { <<: *shared, post: {}, parameters: [] }
  /zones/{id}: { get: {}, delete: {} }
  /zones/count: { get: {} }
  /zones/{id}/keys.json: { get: {} }
`;

const contract = readContract(SWAGGER);

const found = (method: string, path: string): string | undefined => {
  const operation = contract.find(method, path);
  return operation && nameOf(operation);
};

it('lists the operations of a contract with merge keys', () => {
  expect(contract.operations.map(nameOf)).toEqual([
    'GET /zones',
    'POST /zones',
    'GET /zones/{id}',
    'DELETE /zones/{id}',
    'GET /zones/count',
    'GET /zones/{id}/keys.json',
  ]);
});

it('finds the operation of a request behind the base path', () => {
  expect(found('GET', '/api/v1/zones')).toBe('GET /zones');
  expect(found('DELETE', '/api/v1/zones/a%2Fb')).toBe('DELETE /zones/{id}');
  expect(found('GET', '/zones')).toBeUndefined();
  expect(found('PATCH', '/api/v1/zones')).toBeUndefined();
  expect(found('GET', '/api/v1/zones/1/keysXjson')).toBeUndefined();
});

it('prefers a path without parameters', () => {
  expect(found('GET', '/api/v1/zones/count')).toBe('GET /zones/count');
  expect(found('DELETE', '/api/v1/zones/count')).toBe('DELETE /zones/{id}');
});

it.each([
  ['servers: [{url: "http://127.0.0.1:3000"}]', ''],
  ['servers: [{url: "https://example.com/v2/"}]', '/v2'],
  ['servers: [{url: /}]', ''],
  ['{}', ''],
])('reads the base path of %s', (servers, basePath) => {
  const text = servers === '{}' ? '{paths: {}}' : `{${servers}, paths: {}}`;
  expect(readContract(text).basePath).toBe(basePath);
  expect(readContract(text, '/api').basePath).toBe('/api');
});
