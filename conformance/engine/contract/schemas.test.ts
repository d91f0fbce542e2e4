import { describe, expect, test } from 'vitest';
import { casesOfSuite } from './json-schema-suite.test.fixture.ts';
import { Unsupported } from './keywords.ts';
import { loadContract, parseContract } from './load.ts';
import { schemasOf } from './schemas.ts';
import { shapeOf } from './shape.ts';
import { SYNTHETIC } from './synthetic.test.fixture.ts';
import { asRequest, asResponse } from './variants.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdgeCreate';
const DESCRIPTION = '/description /components/schemas/DescriptionOrNull';

test.each<[json: string, pointer: string, errors: string[]]>([
  ['{}', EDGE, []],
  ['{"mutual_tls": null, "tls_termination": {"min_version": null}}', EDGE, []],
  [
    '{"mutual_tls": {"x": 1}}',
    EDGE,
    ['/mutual_tls /components/schemas/EndpointMutualTLSMutate/additionalProperties x'],
  ],
  ['{"mutual_tls": 5}', EDGE, ['/mutual_tls /components/schemas/EndpointMutualTLSMutate/type']],
  [
    '{"tls_termination": {"terminate_at": "upstream"}, "mutual_tls": {}}',
    EDGE,
    [`/mutual_tls ${EDGE}/then/properties/mutual_tls/type`],
  ],
  [
    '{"hostports": ["a:1", "b"]}',
    EDGE,
    ['/hostports/1 /components/schemas/Hostport/minLength', '/hostports/1 /components/schemas/Hostport/pattern'],
  ],
  ['{}', '/components/schemas/EventSourceCreate', ['/ /components/schemas/EventSourceCreate/required type']],
  ['{"__proto__": {}}', EDGE, [`/ ${EDGE}/additionalProperties __proto__`]],
  // x-max-bytes and its format count bytes, and maxLength characters.
  [JSON.stringify({ description: 'é'.repeat(127) }), EDGE, []],
  [JSON.stringify({ description: 'é'.repeat(128) }), EDGE, [`${DESCRIPTION}/format`, `${DESCRIPTION}/x-max-bytes`]],
  [
    JSON.stringify({ description: 'a'.repeat(256) }),
    EDGE,
    [`${DESCRIPTION}/format`, `${DESCRIPTION}/maxLength`, `${DESCRIPTION}/x-max-bytes`],
  ],
  ['"2026-02-28T00:00:00Z"', '/components/schemas/Timestamp', []],
  ['"2026-02-30T00:00:00Z"', '/components/schemas/Timestamp', ['/ /components/schemas/Timestamp/format']],
])('the errors of %.60s by %s have their places in the value and in the contract', (json, pointer, expected) => {
  const errors = schemasOf(contract).validate(pointer, JSON.parse(json));
  const shown = errors.map(({ path, pointer: rule, name = '' }) => `/${path.join('/')} ${rule} ${name}`.trimEnd());
  expect(shown.toSorted()).toEqual(expected);
});

test('an error names the property whose name is wrong', () => {
  expect(schemasOf(SYNTHETIC).validate('/components/schemas/Map', { 'a b': '' })).toMatchObject([
    { path: [], keyword: 'pattern', pointer: '/components/schemas/Name/pattern', name: 'a b' },
  ]);
});

test('refuses a keyword that is not known and a schema that is missing, and takes a keyword without effect', () => {
  const odd = parseContract(
    'openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: {length: 3}, B: {minContains: 2, then: {type: string}}}}',
  );
  expect(() => schemasOf(odd).isValid('/components/schemas/A', '')).toThrow(/unknown keyword: "length"/);
  expect(schemasOf(odd).isValid('/components/schemas/B', [])).toBe(true);
  expect(() => schemasOf(odd).isValid('/components/schemas/C', [])).toThrow(/components\/schemas\/C/);
});

test('the validator agrees with the JSON-Schema-Test-Suite on every instance, or says that it cannot check it', () => {
  const unsupported: string[] = [];
  const wrong: string[] = [];
  for (const { contract: source, pointer, description, valid, invalid } of casesOfSuite()) {
    try {
      const isValid = (value: unknown): boolean => schemasOf(source).isValid(pointer, value);
      const differing = [...valid.filter((value) => !isValid(value)), ...invalid.filter(isValid)];
      wrong.push(...differing.map((value) => `${description}: ${JSON.stringify(value)}`));
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      unsupported.push(error.message);
    }
  }
  expect(wrong).toEqual([]);
  expect(unsupported).toEqual([
    'the schema at /components/schemas/Case cannot be compiled: enum must have non-empty array',
    'a property named __proto__ at /components/schemas/Case is not one that Ajv checks',
  ]);
});

describe('a contract by its sides', () => {
  const marked = parseContract(`
openapi: 3.1.0
info: {title: Sides, version: 1.0.0}
paths: {}
components:
  schemas:
    Id: {type: integer, readOnly: true}
    Base: {type: object, properties: {id: {$ref: '#/components/schemas/Id'}, made: {type: string, readOnly: true}}}
    User:
      allOf: [{$ref: '#/components/schemas/Base'}]
      required: [id, name, password, made]
      properties:
        name: {type: string}
        password: {type: string, writeOnly: true}
    Closed: {type: object, additionalProperties: false, properties: {id: {type: integer, readOnly: true}, name: {}}}
    Copy: {$ref: '#/components/schemas/Base/properties/made'}
`);
  const USER = '/components/schemas/User';

  test.each([
    ['request', asRequest, { name: 'a', password: 'b' }, true],
    ['request', asRequest, { name: 'a' }, false],
    ['response', asResponse, { id: 1, name: 'a', made: 'now' }, true],
    ['response', asResponse, { name: 'a', made: 'now' }, false],
  ])('a %s (%o) %j is valid: %s', (_, side, value, isValid) => {
    expect(schemasOf(side(marked)).isValid(USER, value)).toBe(isValid);
  });

  test('properties that are readOnly are gone from requests, unless something refers to them', () => {
    expect([...shapeOf(asRequest(marked), USER).properties.keys()].toSorted()).toEqual(['made', 'name', 'password']);
  });

  test('a service may ignore a property that is readOnly', () => {
    const { allows } = shapeOf(asRequest(marked), '/components/schemas/Closed');
    expect([allows('id'), allows('name'), allows('colour')]).toEqual([true, true, false]);
  });

  test('a contract without marks is itself on both sides', () => {
    expect(asRequest(SYNTHETIC)).toBe(SYNTHETIC);
    expect(asResponse(SYNTHETIC)).toBe(SYNTHETIC);
  });
});
