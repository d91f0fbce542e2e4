import { expect, test } from 'vitest';
import { loadContract, parseContract } from './load.ts';
import { schemasOf } from './schemas.ts';
import { shapeOf } from './shape.ts';
import { contractIn, SYNTHETIC } from './synthetic.test.fixture.ts';
import { asRequest, asResponse } from './variants.ts';

const contract = loadContract();

const DESCRIPTION = '/description DescriptionOrEmpty';
const UPSTREAM = { tls_termination: { terminate_at: 'upstream' } };

// Each error as the path in the value, and the pointer below /components/schemas with the name.
test.each<[value: unknown, errors: string[], name?: string]>([
  [{}, []],
  [{ mutual_tls: null, tls_termination: { min_version: null } }, []],
  [{ mutual_tls: { x: 1 } }, ['/mutual_tls EndpointMutualTLSMutate/additionalProperties x']],
  [{ mutual_tls: 5 }, ['/mutual_tls EndpointMutualTLSMutate/type']],
  [
    { ...UPSTREAM, mutual_tls: {} },
    ['/mutual_tls HTTPSEdgeCreate/then/properties/mutual_tls/type'],
  ],
  [
    { hostports: ['a:1', 'b'] },
    ['/hostports/1 Hostport/minLength', '/hostports/1 Hostport/pattern'],
  ],
  [{}, ['/ EventSourceCreate/required type'], 'EventSourceCreate'],
  [JSON.parse('{"__proto__": {}}'), ['/ HTTPSEdgeCreate/additionalProperties __proto__']],
  [{ 'a b': '' }, ['/ HeaderName/pattern a b'], 'HeaderMap'],
  // x-max-bytes and its format count bytes, and maxLength characters.
  [{ description: 'é'.repeat(127) }, []],
  [
    { description: 'é'.repeat(128) },
    ['format', 'x-max-bytes'].map((rule) => `${DESCRIPTION}/${rule}`),
  ],
  ['2026-02-28T00:00:00Z', [], 'CreatedAt'],
  ['2026-02-30T00:00:00Z', ['/ CreatedAt/format'], 'CreatedAt'],
  ['2026-02-28 00:00:00Z', ['/ CreatedAt/format'], 'CreatedAt'],
])('the errors of %.60j are %j', (value, expected, name = 'HTTPSEdgeCreate') => {
  const errors = schemasOf(contract).validate(`/components/schemas/${name}`, value);
  const shown = errors.map((one) =>
    `/${one.path.join('/')} ${one.pointer.slice(20)} ${one.name ?? ''}`.trimEnd(),
  );
  expect(shown.toSorted()).toEqual(expected);
});

test('patterns that would backtrack for ever are told apart', () => {
  const properties = "{a: {pattern: '^(a+)+$'}, b: {pattern: '^(b+)+$'}}";
  const slow = parseContract(
    `openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: {properties: ${properties}}}}`,
  );
  const schemas = schemasOf(slow);
  expect(schemas.isValid('/components/schemas/A', { a: 'aa', b: 'bb' })).toBe(true);
  expect(schemas.isValid('/components/schemas/A', { a: 'aa', b: 'aa' })).toBe(false);
});

test('a missing schema is refused, and a keyword without effect is not', () => {
  const schemas = '{A: {length: 3}, B: {minContains: 2, then: {type: string}}}';
  const odd = parseContract(`openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: ${schemas}}`);
  expect(schemasOf(odd).isValid('/components/schemas/A', '')).toBe(true);
  expect(schemasOf(odd).isValid('/components/schemas/B', [])).toBe(true);
  expect(() => schemasOf(odd).isValid('/components/schemas/C', [])).toThrow(
    /components\/schemas\/C/,
  );
});

test.each(['{$ref: "#/components/schemas/None"}', '{$ref: none.yaml}', '{id: b, type: string}'])(
  'a member %s does not disable the rules of the others',
  (member) => {
    const schema = `{properties: {a: {type: string}, b: ${member}}}`;
    const broken = parseContract(
      `openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: ${schema}, C: {$ref: none.yaml}}}`,
    );
    const { isValid } = schemasOf(broken);
    expect(isValid('/components/schemas/A', { a: 'a', b: 'b' })).toBe(true);
    expect(isValid('/components/schemas/A', { a: 1, b: 'b' })).toBe(false);
    expect(() => isValid('/components/schemas/C', 1)).toThrow(/a reference leads nowhere/);
  },
);

const MARKED = contractIn('marked.yaml');
const USER = '/components/schemas/User';

test.each([
  ['request', asRequest, { name: 'a', password: 'b' }, true],
  ['request', asRequest, { name: 'a' }, false],
  ['response', asResponse, { id: 1, name: 'a', made: 'now' }, true],
  ['response', asResponse, { name: 'a', made: 'now' }, false],
] as const)('readOnly and writeOnly in a %s', (_, side, value, isValid) => {
  expect(schemasOf(side(MARKED)).isValid(USER, value)).toBe(isValid);
  expect(side(SYNTHETIC)).toBe(SYNTHETIC);
});

test('a readOnly property is gone from requests, and what refers to it has its rules', () => {
  const sent = asRequest(MARKED);
  expect([...shapeOf(sent, USER).properties.keys()].toSorted()).toEqual(['name', 'password']);
  expect(shapeOf(sent, '/components/schemas/Copy').types).toEqual(new Set(['string']));
  // A property of another name is not read only because that of `Base` is.
  const { properties } = shapeOf(sent, '/components/schemas/Note');
  expect([...properties.keys()]).toEqual(['written']);
  expect(shapeOf(asResponse(MARKED), USER).properties.has('password')).toBe(true);
  const { allows } = shapeOf(sent, '/components/schemas/Closed');
  expect([allows('id'), allows('name'), allows('colour')]).toEqual([true, true, false]);
});
