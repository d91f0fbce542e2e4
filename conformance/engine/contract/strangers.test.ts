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
  const responses = operationsOf(contract).map((one) => one.responses['200']);
  expect(responses.map((one) => one?.unread === undefined)).toEqual([false, true]);
  expect(contract.document).toMatchObject({
    components: { schemas: { A: { example: { $ref: 'https://a.example/x' } } } },
  });
});

test('parameters on another host: names in a path are texts, and others are not sent', async () => {
  const text = `
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a/{id}:
    get:
      operationId: a
      parameters:
        - {$ref: 'http://127.0.0.1:9/p.yaml#/components/parameters/id'}
        - {$ref: '#/components/parameters/box'}
        - {name: b, in: query, schema: {type: integer}}
      responses: {'200': {description: d}}
components: {parameters: {box: {$ref: 'http://127.0.0.1:9/p.yaml#/components/parameters/box'}}}
`;
  using folder = folderWith({ 'api.yaml': text });
  const contract = await loadAnyContract(folder.file('api.yaml'));
  expect(contract.warnings).toEqual([expect.stringMatching(/cannot be followed: .*127\.0\.0\.1/)]);
  const [a] = operationsOf(contract);
  expect(a?.unsupported).toBeUndefined();
  expect(a?.parameters.map((one) => `${one.in} ${one.name}`)).toEqual(['path id', 'query b']);
});

test.each([
  ['required: true', '{type: string, required: true}', 1],
  ['an unknown type', '{type: date}', 1],
  ['a limit that is a text', "{type: string, minLength: '3'}", 1],
  ['a bound of 3.0 in 3.1', '{minimum: 1, exclusiveMinimum: true}', 1],
  ['a property without a schema', '{properties: {a: , b: {}}}', 1],
  ['a choice that is no list', '{enum: a}', 1],
])('%s is ignored with a warning, and the other words are read', (_, schema, count) => {
  const contract = contractOf(
    `components: {schemas: {A: ${schema}, B: {type: object, required: [n]}}}`,
  );
  expect(contract.warnings).toEqual([expect.stringContaining('/components/schemas/A')]);
  expect(contract.warnings).toHaveLength(count);
  const valid = ['/components/schemas/A', '/components/schemas/B'].map((pointer) =>
    schemasOf(contract).isValid(pointer, 'x'),
  );
  expect(valid).toEqual([true, false]);
});

test('a parameter without a schema may have any value', () => {
  const contract = contractOf(
    'paths: {/a: {get: {operationId: a, parameters: [{name: q, in: query}], responses: {}}}}',
  );
  expect(operationsOf(contract)[0]?.unsupported).toBeUndefined();
  expect(contract.warnings).toEqual([expect.stringContaining('/parameters/0/schema')]);
});

test('a response or a link that leads nowhere, and an extension, cost nothing else', () => {
  const contract = contractOf(`
paths:
  /a:
    get:
      operationId: a
      responses:
        x-note: text
        '200':
          description: d
          headers: {X-A: {$ref: '#/components/headers/none'}, X-B: {schema: {type: integer}}}
          links: {l: {$ref: '#/components/links/none'}}
        '404': {$ref: '#/components/responses/none'}
        '410': {$ref: '#/%zz'}
`);
  const [operation] = operationsOf(contract);
  expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '404', '410']);
  expect(Object.keys(operation?.responses['200']?.headers ?? {})).toEqual(['X-B']);
  expect(linksOf(contract)).toEqual([]);
  expect(warningsOf(contract)).toEqual([
    expect.stringMatching(/^The response 404 of a is not checked/),
    expect.stringMatching(/^The response 410 of a is not checked/),
  ]);
});

test('a document with a member called definitions can be validated', () => {
  const contract = contractOf('definitions: {}\ncomponents: {schemas: {A: {type: integer}}}');
  expect(schemasOf(contract).isValid('/components/schemas/A', 1)).toBe(true);
});

test('a media type of 3.2 may be a reference', () => {
  const contract = contractOf(
    `
paths:
  /a:
    get:
      operationId: a
      responses: {'200': {content: {application/json: {$ref: '#/components/mediaTypes/A'}}}}
components: {mediaTypes: {A: {schema: {type: integer}}}}
`,
    '3.2.0',
  );
  expect(operationsOf(contract)[0]?.responses['200']?.content).toEqual({
    'application/json': '/components/mediaTypes/A/schema',
  });
});

const ODD_SWAGGER = `
swagger: 2.0
info: {title: T, version: 1}
paths:
  /a:
    post:
      operationId: a
      consumes: [application/x-www-form-urlencoded]
      produces: [application/json]
      parameters:
        - {name: tags, in: formData, type: array, items: {type: string}}
        - {name: rows, in: query, type: array, items: {type: integer}, collectionFormat: tsv}
      responses:
        200:
          description: a tree
          schema:
            properties:
              kids: {type: array, items: {$ref: '#/paths/~1a/post/responses/200/schema'}}
              mood: {type: string, enum: [good], x-nullable: true}
`;

test('lists, inner references, null and the number 2.0 of Swagger are read', async () => {
  using folder = folderWith({ 'swagger.yaml': ODD_SWAGGER });
  const contract = await loadAnyContract(folder.file('swagger.yaml'));
  const [operation] = operationsOf(contract);
  expect(operation?.requestBody?.fields['tags']).toMatchObject({ style: 'form', explode: false });
  expect(operation?.parameters[0]).toMatchObject({ style: 'tabDelimited', explode: false });
  const schema = operation?.responses['200']?.content['application/json'] ?? '';
  const valid = [{ kids: [{ mood: null }] }, { kids: [{ mood: 'bad' }] }].map((value) =>
    schemasOf(contract).isValid(schema, value),
  );
  expect(valid).toEqual([true, false]);
});
