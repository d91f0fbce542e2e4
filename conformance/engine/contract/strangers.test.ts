/**
 * Contracts as strangers write them: each keyword is read in all places in which OpenAPI allows it.
 */
import { expect, test } from 'vitest';
import { folderWith } from '../../cli/testing/folder.ts';
import { linksOf } from './links.ts';
import { loadAnyContract, parseContract } from './load.ts';
import { operationsOf, warningsOf } from './operations.ts';
import { schemasOf } from './schemas.ts';
import { shapeOf } from './shape.ts';

const contractOf = (rest: string, version = '3.1.0') =>
  parseContract(`openapi: ${version}\ninfo: {title: T, version: '1'}\n${rest}`);

const BOUND = '{type: integer, minimum: 0, exclusiveMinimum: true}';

test.each([
  [
    'a response called default',
    'paths: {/a: {get: {responses: ' +
      '{default: {description: d, content: {application/json: {schema: $}}}}}}}',
    '/paths/~1a/get/responses/default/content/application~1json/schema',
  ],
  [
    'a header in lower case that begins with x-',
    'components: {headers: {x-rate: {schema: $}}}',
    '/components/headers/x-rate/schema',
  ],
  [
    'a property called default',
    'components: {schemas: {A: {properties: {default: $}}}}',
    '/components/schemas/A/properties/default',
  ],
  ['a schema called x-a', 'components: {schemas: {x-a: $}}', '/components/schemas/x-a'],
  [
    'a parameter called example',
    'components: {parameters: {example: {name: e, in: query, schema: $}}}',
    '/components/parameters/example/schema',
  ],
])('the words of 3.0 are read below %s', (_, text, pointer) => {
  const contract = contractOf(text.replace('$', BOUND), '3.0.3');
  const valid = [0, 1].map((value) => schemasOf(contract).isValid(pointer, value));
  expect(valid).toEqual([false, true]);
});

test('an example is a value: what looks like a reference in it is not followed', () => {
  const contract = contractOf(
    "components: {schemas: {A: {type: object, example: {$ref: 'https://a.example/b', $id: c}}}}",
  );
  expect(schemasOf(contract).isValid('/components/schemas/A', {})).toBe(true);
});

test('a version that is a number is read, with a warning', () => {
  const contract = contractOf('paths: {}', '3.1');
  expect(contract.warnings).toEqual([expect.stringContaining('the number 3.1')]);
});

test('a path parameter that is not declared is a warning, and the operation is not tried', () => {
  const contract = contractOf('paths: {"/a/{b}": {get: {operationId: a, responses: {}}}}');
  expect(operationsOf(contract)[0]?.unsupported).toMatch(/\{b\} of \/a\/\{b\} is not declared/);
  expect(warningsOf(contract)).toEqual([expect.stringMatching(/^a is not tried: /)]);
});

test.each(['accept', 'Content-Type', 'AUTHORIZATION'])(
  'a header parameter %s is ignored',
  (name) => {
    const contract = contractOf(
      `paths: {/a: {get: {parameters: [{name: ${name}, in: header, schema: {}}], responses: {}}}}`,
    );
    expect(operationsOf(contract)[0]?.parameters).toEqual([]);
  },
);

test('a key that is a parameter and a security scheme is the credentials', () => {
  const contract = contractOf(`
security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
paths:
  /a:
    get:
      parameters: [{name: x-key, in: header, required: true, schema: {}}]
      responses: {}
`);
  expect(operationsOf(contract)[0]).toMatchObject({ parameters: [], security: [['key']] });
});

test('the members of an exploded object are those of its branches, too', () => {
  const contract = contractOf(`
paths:
  /a:
    get:
      parameters:
        - name: filter
          in: query
          schema:
            type: object
            properties: {a: {}}
            oneOf: [{properties: {b: {}}}, {allOf: [{properties: {c: {}}}]}]
      responses: {}
`);
  expect(operationsOf(contract)[0]?.parameters[0]?.members.toSorted()).toEqual(['a', 'b', 'c']);
});

test('servers of an operation come before those of its path and of the contract', () => {
  const contract = contractOf(`
servers: [{url: /v1}]
paths:
  /a: {get: {responses: {}}}
  /b:
    servers: [{url: 'https://other.example/{v}/', variables: {v: {default: v2}}}]
    get: {responses: {}}
    post: {servers: [{url: v3}], responses: {}}
`);
  expect(operationsOf(contract).map(({ serverPath }) => serverPath)).toEqual([
    undefined,
    '/v2',
    '/v3',
  ]);
});

test.each(['#/paths/~1a~1%7Bid%7D/get', '#/paths/~1a~1{id}/get'])(
  'the operationRef %s is a URI',
  (reference) => {
    const contract = contractOf(`
paths:
  /a:
    post:
      operationId: p
      responses: {'201': {description: d, links: {l: {operationRef: '${reference}'}}}}
  /a/{id}:
    get:
      operationId: g
      parameters: [{name: id, in: path, required: true, schema: {}}]
      responses: {}
`);
    expect(linksOf(contract).map(({ to }) => to.operationId)).toEqual(['g']);
  },
);

test('a value of a parent is one of the kinds that refer to it, with the rules of its kind', () => {
  const contract = contractOf(`
components:
  schemas:
    Pet:
      type: object
      required: [kind]
      discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat'}}
      properties: {kind: {type: string}}
    Cat:
      allOf:
        - {$ref: '#/components/schemas/Pet'}
        - {required: [lives], properties: {lives: {type: integer}}}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {tail: {type: boolean}}}]}
    Owner: {properties: {pet: {$ref: '#/components/schemas/Pet'}}}
`);
  const isPet = (pet: unknown) => schemasOf(contract).isValid('/components/schemas/Owner', { pet });
  expect(
    [
      { kind: 'cat', lives: 9 },
      { kind: 'Dog', tail: true },
    ].map(isPet),
  ).toEqual([true, true]);
  const wrong = [{ kind: 'cat' }, { kind: 'Dog', tail: 1 }, { kind: 'bird' }, {}];
  expect(wrong.map(isPet)).toEqual([false, false, false, false]);
});

test('a media type without a schema has any body', () => {
  const contract = contractOf(
    'paths: {/a: {post: {requestBody: {content: {application/json: {}}}, responses: {}}}}',
  );
  const [operation] = operationsOf(contract);
  expect(shapeOf(contract, operation?.requestBody?.pointer ?? '').types.size).toBe(7);
});

test('a pattern that cannot be compiled takes no other rule of its schema with it', () => {
  const contract = contractOf(
    "components: {schemas: {A: {properties: {a: {pattern: '['}, b: {type: integer}}}}}",
  );
  const valid = [{ a: 'x', b: 1 }, { b: 'x' }].map((value) =>
    schemasOf(contract).isValid('/components/schemas/A', value),
  );
  expect(valid).toEqual([true, false]);
});

test.each([
  ['uri', 'http://localhost:3000', true],
  ['url', 'not a url', true],
  ['color', 'x', true],
  ['uri', 'a b', false],
])('the format %s allows %j: %s', (format, text, is) => {
  const contract = contractOf(`components: {schemas: {A: {type: string, format: ${format}}}}`);
  expect(schemasOf(contract).isValid('/components/schemas/A', text)).toBe(is);
});

const SWAGGER = `
swagger: '2.0'
info: {title: T, version: '1'}
basePath: /api
consumes: [application/json]
produces: [application/json]
x-limit: &limit {in: query, name: limit, type: integer}
parameters:
  Body: {in: body, name: b, required: true, schema: {$ref: '#/definitions/Pet'}}
paths:
  /pets:
    get:
      operationId: list
      parameters: [{<<: *limit, minimum: 1}]
      responses:
        200: {description: all, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}
    post:
      operationId: add
      parameters: [{$ref: '#/parameters/Body'}]
      responses: {201: {description: one}}
  /picture:
    get:
      operationId: picture
      produces: [image/png]
      responses: {200: {description: bytes, schema: {type: file}}}
definitions:
  Pet:
    required: [name]
    properties: {name: {type: string, x-nullable: true}}
`;

test('Swagger 2.0 is read as OpenAPI 3.1, with the lines of the file as it is', async () => {
  using folder = folderWith({ 'swagger.yaml': SWAGGER });
  const contract = await loadAnyContract(folder.file('swagger.yaml'));
  expect(contract.warnings).toEqual([expect.stringContaining('converted')]);
  const [list, add, picture] = operationsOf(contract);
  expect(list?.parameters[0]).toMatchObject({ name: 'limit', in: 'query' });
  expect(add?.requestBody).toMatchObject({ required: true, mediaType: 'application/json' });
  expect(Object.keys(picture?.responses['200']?.content ?? {})).toEqual(['image/png']);
  expect(contract.lineOf('/components/schemas/Pet/required')).toBe(28);
  expect(schemasOf(contract).isValid('/components/schemas/Pet', { name: null })).toBe(true);
});

test('a reference to another host costs what needs it, and nothing else', async () => {
  const text = `
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: d
          content: {application/json: {schema: {$ref: 'http://127.0.0.1:9/s.yaml'}}}
  /b: {get: {operationId: b, responses: {'200': {description: d}}}}
components: {schemas: {A: {example: {$ref: 'https://a.example/x'}}}}
`;
  using folder = folderWith({ 'api.yaml': text });
  const contract = await loadAnyContract(folder.file('api.yaml'));
  expect(contract.warnings).toEqual([expect.stringMatching(/cannot be followed: .*127\.0\.0\.1/)]);
  expect(
    operationsOf(contract).map((one) => [one.operationId, one.unsupported === undefined]),
  ).toEqual([
    ['a', false],
    ['b', true],
  ]);
  expect(contract.document).toMatchObject({
    components: { schemas: { A: { example: { $ref: 'https://a.example/x' } } } },
  });
});
