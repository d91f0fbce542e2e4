import { describe, expect, test } from 'vitest';
import { clausesOf, operationsOf } from './clauses.ts';
import { loadContract, parseContract } from './load.ts';
import { originOf, UNSTATED } from './origins.ts';
import { objectAt, valueAt } from './pointers.ts';
import { schemasOf } from './schemas.ts';
import { shapeOf } from './shape.ts';
import { SYNTHETIC } from './synthetic.test.fixture.ts';

const contract = loadContract();
const components = Object.keys(objectAt(contract.document, '/components/schemas')).map(
  (name) => `/components/schemas/${name}`,
);

describe('clausesOf', () => {
  test('lists every rule of a request with its place and origin', () => {
    const clauses = clausesOf(contract, '/components/schemas/HTTPSEdgeCreate');
    expect(clauses.map(({ id, pointer, origin }) => `${id} ${pointer} ${origin}`)).toMatchSnapshot();
  });

  test('names what is required, and the branches of an if', () => {
    const ids = clausesOf(SYNTHETIC, '/components/schemas/Everything').map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'required.name',
        'required.share',
        'add.propertyNames.pattern',
        'add.*.pattern',
        'add.maxProperties',
        'both.a.maxLength',
        'both.a.maxLength~2',
        'nested.inner.if.then',
        'nested.inner.if.else',
        'nested.inner.value.minimum',
        'level.enum',
        'kind.const',
        'provider.one.dependentRequired.id.secret',
        'provider.one.dependentRequired.secret.id',
        'secret.type',
        'remove.*.pattern',
      ]),
    );
  });

  test.each(components)('%s: ids are unique, every place exists and states an origin', (pointer) => {
    const clauses = clausesOf(contract, pointer);
    expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length);
    for (const clause of clauses) {
      expect(clause.origin, clause.pointer).toMatch(/^(source §|D\d\d$)/);
      expect(valueAt(contract.document, clause.pointer), clause.pointer).toBeDefined();
      expect(contract.lineOf(clause.pointer)).toBeGreaterThan(1);
    }
  });

  test.each([
    ['a keyword that is not known', '{type: string, length: 3}', /the keyword length at \/components\/schemas\/A/],
    [
      'a reference that leads nowhere',
      "{$ref: '#/components/schemas/B'}",
      /no schema object at \/components\/schemas\/B/,
    ],
  ])('%s is an error, since nobody would check it', (_, schema, message) => {
    const odd = parseContract(`openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: ${schema}}}`);
    expect(() => clausesOf(odd, '/components/schemas/A')).toThrow(message);
  });

  test.each([
    ['a oneOf of two real branches', '{oneOf: [{type: string}, {type: object}]}', ['oneOf']],
    ['what must not be', '{type: string, not: {const: a}}', ['type', 'not']],
    ['a schema within itself', "{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}", ['type', 'a.type']],
  ])('%s has its clauses, and none twice', (_, schema, ids) => {
    const odd = parseContract(`openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: ${schema}}}`);
    expect(clausesOf(odd, '/components/schemas/A').map(({ id }) => id)).toEqual(ids);
  });
});

function from(pointer: string, keyword?: string): string {
  return originOf(contract, pointer, keyword);
}

describe('originOf', () => {
  test('takes the keyword of the nearest statement, else its *, else what encloses it', () => {
    expect(from('/components/schemas/Hostport', 'type')).toBe('source §2.1');
    expect(from('/components/schemas/Hostport', 'pattern')).toBe('D06');
    expect(from('/components/schemas/Match', 'maxLength')).toBe('D18');
    expect(from('/components/schemas/HTTPSEdgeRoute/properties/backend', 'oneOf')).toBe('source §2.5');
    expect(from('/components/schemas/Problem/properties/title', 'format')).toBe('D29');
    expect(from('/components/schemas/Problem/properties/title', 'maxLength')).toBe('D36');
  });

  test('what stands under then comes from where the if comes from', () => {
    expect(from('/components/schemas/HTTPSEdgeCreate/then/properties/mutual_tls', 'type')).toBe('D09');
    expect(
      originOf(contract, '/components/schemas/HTTPSEdgeCreate/properties/mutual_tls/oneOf/1', 'type', 'request'),
    ).toBe('D04');
  });

  test('operations, parameters and responses have origins, and the info has none', () => {
    expect(from('/paths/~1edges~1https/post')).toBe('source §4.1');
    expect(from('/components/responses/Unauthorized')).toBe('D28');
    expect(from('/components/parameters/Limit/schema', 'maximum')).toBe('D16');
    expect(from('/info')).toBe(UNSTATED);
  });
});

describe('operationsOf', () => {
  const operations = operationsOf(contract);

  test('has the seven operations of the core level with method and path', () => {
    expect(
      operations
        .filter(({ level }) => level === 'core')
        .map(({ operationId, method, path }) => `${operationId} ${method} ${path}`),
    ).toEqual([
      'createEdge POST /edges/https',
      'getEdge GET /edges/https/{id}',
      'listEventSources GET /event_subscriptions/{subscription_id}/sources',
      'createEventSource POST /event_subscriptions/{subscription_id}/sources',
      'getEventSource GET /event_subscriptions/{subscription_id}/sources/{type}',
      'deleteEventSource DELETE /event_subscriptions/{subscription_id}/sources/{type}',
      'updateEventSource PATCH /event_subscriptions/{subscription_id}/sources/{type}',
    ]);
  });

  test('follows the references of parameters, bodies and responses', () => {
    const update = operations.find(({ operationId }) => operationId === 'updateEventSource');
    expect(update?.parameters.map(({ name, in: place, required, schema }) => [name, place, required, schema])).toEqual([
      ['subscription_id', 'path', true, '/components/schemas/ResourceId'],
      ['type', 'path', true, '/components/schemas/EventType'],
    ]);
    expect(update?.requestBody).toEqual({
      pointer: '/components/schemas/EventSourceUpdate',
      required: false,
      mediaType: 'application/json',
      examples: { change: { type: 'http_request_complete.v0' }, keep: {} },
    });
    expect(Object.keys(update?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '406',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(update?.responses['200']?.content).toEqual({ 'application/json': '/components/schemas/EventSource' });
    expect(update?.responses['401']?.headers['WWW-Authenticate']).toEqual({
      pointer: '/components/headers/BearerChallenge',
      required: true,
      schema: '/components/headers/BearerChallenge/schema',
    });
    expect(operations.find(({ operationId }) => operationId === 'deleteEventSource')).toMatchObject({
      requestBody: null,
      responses: { 204: { content: {}, origin: 'source §4.7' } },
    });
  });

  test('takes the parameters of the path, unless the operation replaces them', () => {
    const shared = parseContract(`
openapi: 3.1.0
info: {title: Shared, version: 1.0.0}
paths:
  /a/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: q, in: query, schema: {type: string}}
    get:
      operationId: getA
      x-level: extended
      x-origin: D10
      parameters: [{name: q, in: query, required: true, schema: {type: integer}}]
      responses: {'200': {description: Fine.}}
`);
    expect(operationsOf(shared)[0]).toMatchObject({
      level: 'extended',
      parameters: [
        { name: 'id', required: true, pointer: '/paths/~1a~1{id}/parameters/0', origin: 'D10' },
        {
          name: 'q',
          required: true,
          pointer: '/paths/~1a~1{id}/get/parameters/0',
          schema: '/paths/~1a~1{id}/get/parameters/0/schema',
        },
      ],
    });
    expect(schemasOf(shared).isValid('/paths/~1a~1{id}/get/parameters/0/schema', 5)).toBe(true);
  });

  test('every place that is named has a schema that can be read', () => {
    const schemas: string[] = [];
    for (const { parameters, requestBody, responses } of operations) {
      for (const { schema } of parameters) schemas.push(schema);
      if (requestBody) schemas.push(requestBody.pointer);
      for (const { content, headers } of Object.values(responses)) {
        schemas.push(...Object.values(content));
        for (const { schema } of Object.values(headers)) schemas.push(schema);
      }
    }
    expect(schemas.length).toBeGreaterThan(50);
    for (const schema of new Set(schemas)) expect(shapeOf(contract, schema).types.size, schema).toBeGreaterThan(0);
  });
});
