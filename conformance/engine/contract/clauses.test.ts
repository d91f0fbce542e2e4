import { expect, test } from 'vitest';
import { clausesOf } from './clauses.ts';
import { loadContract, parseContract } from './load.ts';
import { operationsOf } from './operations.ts';
import { mostUsed } from './credentials.ts';
import { serverPathOf } from './servers.ts';
import { schemasOf } from './schemas.ts';
import { A, contractIn, contractWith, SYNTHETIC } from './synthetic.test.fixture.ts';

const contractOf = (schema: string) =>
  parseContract(`openapi: 3.1.0\ninfo: {}\npaths: {}\ncomponents: {schemas: {A: ${schema}}}`);

test('clauses name their path, their keyword, and the property or branch', () => {
  const ids = clausesOf(SYNTHETIC, '/components/schemas/Everything').map(({ id }) => id);
  const expected = [
    'required.name',
    'required.share',
    'add.propertyNames.pattern',
    'add.*.pattern',
    'add.maxProperties',
    'both.a.maxLength',
    'both.a.maxLength~2',
    'nested.inner.if.then',
    'nested.inner.if.else',
    'secret.type',
    'nested.inner.value.minimum',
    'level.enum',
    'kind.const',
    'remove.*.pattern',
    'provider.one.dependentRequired.id.secret',
    'provider.one.dependentRequired.secret.id',
  ];
  expect(ids).toEqual(expect.arrayContaining(expected));
});

test('schemas that all refer to each other have clauses of each, and a bounded number', () => {
  const names = [...'BCDEFGHIJKLM'];
  const references = names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]);
  const properties = { ...Object.fromEntries(references), name: { type: 'string' } };
  const schemas = Object.fromEntries(names.map((name) => [name, { properties }]));
  const pointers = clausesOf(contractWith({ properties }, schemas), A).map((one) => one.pointer);
  const ofNames = names.map((name) => `/components/schemas/${name}/properties/name/type`);
  expect(pointers).toEqual(expect.arrayContaining(ofNames));
  expect(pointers.length).toBeLessThan(10_000);
});

test.each([
  ['a oneOf of two real branches', '{oneOf: [{type: string}, {type: object}]}', ['oneOf']],
  ['a value that must not be', '{type: string, not: {const: a}}', ['type', 'not']],
  [
    'a chain',
    '{if: {const: a}, then: false, else: {if: {const: b}, then: false}}',
    ['if.then', 'if.then~2'],
  ],
  [
    'a condition within `then`',
    '{if: {type: string}, then: {if: {const: b}, then: false}}',
    ['if.then'],
  ],
  [
    'a condition beside a rule',
    '{if: {const: a}, else: {if: {const: b}, then: false, minLength: 2}}',
    ['if.else'],
  ],
  [
    'a schema within itself',
    `{type: object, properties: {a: {$ref: '#${A}'}}}`,
    ['type', 'a.type'],
  ],
])('%s has its clauses, and none twice', (_, schema, ids) => {
  expect(clausesOf(contractOf(schema), A).map(({ id }) => id)).toEqual(ids);
});

test('a keyword that is not known is an annotation, and noted', () => {
  const contract = contractOf('{type: string, length: 3, items: {length: 2}}');
  expect(clausesOf(contract, A).map(({ id }) => id)).toEqual(['type']);
  expect([...contract.annotations]).toEqual([['length', A]]);
});

test.each([
  [
    'a rule that nothing reads',
    '{type: string, $dynamicRef: "#a"}',
    `the keyword $dynamicRef at ${A}`,
  ],
  [
    'a reference to nothing',
    "{$ref: '#/components/schemas/B'}",
    'no schema object at /components/schemas/B',
  ],
])('%s is an error, since nobody would check it', (_, schema, message) => {
  expect(() => clausesOf(contractOf(schema), A)).toThrow(message);
});

test('follows the references of examples and headers', () => {
  const challenge = { required: true, schema: '/components/headers/BearerChallenge/schema' };
  expect(
    operationsOf(loadContract()).find(({ operationId }) => operationId === 'updateEventSource'),
  ).toMatchObject({
    requestBody: { examples: { change: { type: 'http_request_complete.v0' }, keep: {} } },
    responses: { 401: { headers: { 'WWW-Authenticate': challenge } } },
  });
});

const SMALL = contractIn('small.yaml');

test('an operation takes the parameters of its path, unless it replaces them', () => {
  const own = '/paths/~1a~1{id}/get/parameters/0';
  expect(operationsOf(SMALL)).toMatchObject([
    {
      operationId: 'GET/a/{id}',
      level: 'extended',
      parameters: [
        { name: 'id', required: true, pointer: '/paths/~1a~1{id}/parameters/0', origin: 'D10' },
        { name: 'q', required: true, pointer: own, schema: `${own}/schema` },
      ],
    },
  ]);
  expect(schemasOf(SMALL).isValid(`${own}/schema`, 5)).toBe(true);
});

test('a token is for a scheme that takes one, and paths begin at that of the server', () => {
  expect(mostUsed(SMALL)).toEqual({ in: 'header', name: 'x-key', of: 'key' });
  expect(serverPathOf(SMALL)).toBe('/v1');
  expect(serverPathOf(SMALL, { base: 'v2' })).toBe('/v2');
  expect(serverPathOf(contractOf('{}'))).toBe('');
});
