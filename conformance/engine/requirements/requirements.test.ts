/**
 * The operations that are asked for resources which do not exist, and the rules of clauses in
 * words.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Clause } from '../contract/clauses.ts';
import { parseContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { bodyClauseRequirements } from './bodies.ts';
import { notFoundRequirements } from './not-found.ts';
import type { Api } from './api.ts';
import type { Requirement } from './requirement.ts';
import { requirementsOf, wronglyReplaced } from './requirements-of.ts';
import { ruleInWords } from './rule-in-words.ts';

/** Reads of `/a/{id}`, and other operations. */
const contractOf = ({ get = "'404'", id = '{type: string}', more = '', post = '' }) =>
  parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths:
  /a:
    get: {operationId: list, responses: {'200': {description: all}, '404': {description: none}}}
${post}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: ${id}}]
    get: {operationId: read, responses: {'200': {description: one}, ${get}: {description: none}}}
${more}
`);
const POST = `    post:
      operationId: make
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '201':
          description: one
          content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}`;
const removal = (status: string) =>
  `    delete: {operationId: remove, responses: {${status}: {description: gone}}}`;
const RANDOM = 'a long random one';
const FORM = 'application/x-www-form-urlencoded';
const REMOVED = 'one that was removed';

it.each([
  ['a documented 404', {}, [RANDOM]],
  ['a DELETE', { more: removal("'204'") }, [REMOVED, RANDOM]],
  ['a DELETE that may be done later', { more: removal("'202'") }, [RANDOM]],
  ['another refusal', { get: "'403'" }, undefined],
  ['a default alone, for ids that anybody may choose', { get: 'default' }, 'nothing says'],
  ['a default alone, for ids that the service gives', { get: 'default', post: POST }, [RANDOM]],
  [
    'a default alone, and a DELETE that shows something',
    { get: 'default', more: removal("'200'") },
    'nothing says',
  ],
  ['short ids', { id: '{type: string, maxLength: 4}' }, 'nothing says'],
  ['ids of a form that is met', { id: '{type: string, format: uuid}' }, [RANDOM]],
  ['ids of a pattern with many', { id: "{type: string, pattern: '^ord_[0-9a-f]{16}$'}" }, [RANDOM]],
  [
    'ids of a pattern with few',
    { id: "{type: string, pattern: '^long_prefix_[0-9]$'}" },
    'nothing says',
  ],
  ['small whole numbers', { id: '{type: integer, maximum: 99}' }, 'nothing says'],
])('with %s, an id that nothing has is %j', (_, parts, expected) => {
  const requirement = notFoundRequirements(contractOf(parts)).find(({ id }) => id === 'read.404');
  if (typeof expected === 'string') {
    expect(requirement?.skip?.({} as never)).toContain(expected);
  } else {
    expect(requirement?.properties({} as never).map(({ label }) => label)).toEqual(expected);
  }
});

it('a DELETE that does not document 404, and a PUT that may make it, are not asked', () => {
  const more = `${removal("'204'")}
    put: {operationId: put, responses: {'201': {description: made}, '404': {description: none}}}`;
  expect(notFoundRequirements(contractOf({ more })).map(({ id }) => id)).toEqual(['read.404']);
});

it('by the source alone, a branch is tried for the rules of the source', () => {
  const schema = `{x-origin: source §1, type: object, properties: {
      on: {const: true},
      a: {type: [string, 'null'], maxLength: 2},
      b: {type: array, items: {const: 1}, maxItems: 2}},
    if: {required: [on]},
    else: {properties: {a: {x-origin: {type: D01}, type: 'null'}, b: {maxItems: 0}}}}`;
  const more = `    put:
      operationId: put
      requestBody: {content: {application/json: {schema: ${schema}}}}
      responses: {}`;
  const contract = contractOf({ more });
  const put = operationsOf(contract).find(({ operationId }) => operationId === 'put')!;
  const branch = bodyClauseRequirements(contract, put, {} as never).find(
    ({ id }) => id === 'put.body.if.else',
  )!;
  const sent = (origin: string) => {
    const refused = branch
      .properties({ contract, origin, api: {}, survey: {} } as never)
      .filter(({ label }) => label.startsWith('refuses'));
    return refused.flatMap(({ values }) =>
      fc.sample(values as fc.Arbitrary<{ b?: unknown[] }>, { seed: 1 }),
    );
  };
  const kinds = (origin: string) =>
    [...new Set(sent(origin).map(({ b = [] }) => b.length > 0))].toSorted();
  expect([kinds('source'), kinds('all')]).toEqual([[true], [false, true]]);
});

const clause = (
  keyword: string,
  schema: Record<string, unknown>,
  rest: Partial<Clause> = {},
): Clause =>
  ({ id: '', pointer: '', origin: '', path: ['a', 'b'], keyword, schema, ...rest }) as Clause;

it.each<[Clause, string]>([
  [clause('maxLength', { maxLength: 1024 }), '`a.b` has at most 1,024 characters'],
  [clause('minItems', { minItems: 1 }), '`a.b` has at least 1 item'],
  [clause('maxItems', { maxItems: 2 }), '`a.b` has at most 2 items'],
  [clause('x-max-bytes', { 'x-max-bytes': 255 }), '`a.b` has at most 255 bytes of UTF-8'],
  [clause('type', { type: ['string', 'null'] }), '`a.b` is of type string or null'],
  [clause('enum', { enum: ['x', null] }), '`a.b` is one of "x", null'],
  [clause('required', {}, { name: 'c', path: [] }), 'the body has `c`'],
  [
    clause('dependentRequired', { dependentRequired: { 'c.d': ['e'] } }, { name: 'c.d.e' }),
    '`a.b` has `c.d` only together with `e`',
  ],
  [clause('pattern', { pattern: '^x$' }), '`a.b` matches ^x$'],
  [
    clause('pattern', { pattern: '^x$', 'x-pattern-description': 'one x.' }),
    '`a.b` has the form: one x',
  ],
  [
    clause('minLength', { minLength: 2 }, { onNames: true }),
    'each name in `a.b` has at least 2 characters',
  ],
  [clause('multipleOf', { multipleOf: 3 }), '`a.b` keeps `multipleOf: 3`'],
])('the words of the rule of %j are `%s`', (given, words) => {
  expect(ruleInWords(given)).toBe(words);
});

it('a rule in words names conditions and consequences of both branches', () => {
  const schema = {
    if: {
      required: ['c'],
      properties: { c: { type: 'object', properties: { kind: { const: 'x' } } } },
    },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { d: { type: 'null' }, e: { type: 'null' }, f: { maxItems: 0 } } },
    else: { required: ['d'] },
  };
  const met = 'when `c.kind` is "x", `f` is empty and `d` and `e` are null';
  expect(ruleInWords(clause('if', schema, { name: 'then', path: [] }))).toBe(met);
  expect(ruleInWords(clause('if', schema, { name: 'else' }))).toBe(
    'unless `a.b.c.kind` is "x", `a.b.d` is given',
  );
});

const lawWith = (id: string): Requirement => {
  return { id, level: 'core', origin: 'D01', clause: '', sentence: 'X.', properties: () => [] };
};
const apiWith = (ids: readonly string[], replaces?: readonly string[]): Api => {
  return { laws: () => ids.map(lawWith), ...(replaces ? { replaces } : {}) };
};

it('a law takes the place of a derived requirement only if the API lists it', () => {
  const contract = contractOf({});
  expect(() => requirementsOf(contract, apiWith(['read.200']))).toThrow(
    'read.200 is both derived and a law of the API',
  );
  expect(() => requirementsOf(contract, apiWith(['read.200'], ['list.200']))).toThrow('read.200');
  const requirements = requirementsOf(contract, apiWith(['read.200', 'own'], ['read.200']));
  const found = requirements.filter(({ id }) => id === 'read.200' || id === 'own');
  expect(found.map(({ sentence }) => sentence)).toEqual(['X.', 'X.']);
});

it('an id that is listed as replaced is derived from the contract, and is the one of a law', () => {
  const listed = ['read.200', 'list.200', 'own', 'other'];
  const api = apiWith(['read.200', 'own'], listed);
  expect(wronglyReplaced(contractOf({}), api)).toEqual(['list.200', 'own', 'other']);
  expect(wronglyReplaced(contractOf({}), apiWith(['read.200'], ['read.200']))).toEqual([]);
  expect(wronglyReplaced(contractOf({}), {})).toEqual([]);
});

it.each([
  ['one way in', '[{key: []}]', true],
  ['two ways in', '[{key: []}, {other: []}]', true],
  ['a way in that is optional', '[{key: []}, {}]', false],
  ['no security', '[]', false],
])('an operation with %s is asked for a 401: %s, %s', (_, security, isAsked) => {
  const contract = parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
components:
  securitySchemes:
    key: {type: http, scheme: bearer}
    other: {type: apiKey, in: header, name: X-Key}
paths:
  /a:
    get:
      operationId: list
      security: ${security}
      responses: {'200': {description: all}, '401': {description: none}}
`);
  const ids = requirementsOf(contract, {}, 'core').map(({ id }) => id);
  expect(ids.includes('list.401')).toBe(isAsked);
});

it('only what is named is derived', () => {
  const idsOf = (...prefixes: string[]) =>
    requirementsOf(contractOf({}), {}, 'core', prefixes).map(({ id }) => id);
  expect(new Set(idsOf('read.4', 'no').map((id) => id.split('.')[0]))).toEqual(new Set(['read']));
  expect(idsOf('').length).toBeGreaterThan(idsOf('read').length);
});

it.each([
  [
    'application/json',
    'a: {type: array, items: {}, maxItems: 2147483647}',
    'body.a.maxItems',
    '2147483647 items, as',
  ],
  [
    'application/json',
    'a: {type: string, maxLength: 2147483647}',
    'body.a.maxLength',
    '2147483647 characters, as',
  ],
  [
    FORM,
    'a: {type: object, properties: {b: {type: object, required: [c]}}}',
    'body.a.b.required.c',
    'so deep',
  ],
])('nothing is tried in %s for %s, and the reason is said', (type, property, part, reason) => {
  const encoding = type === FORM ? ', encoding: {a: {style: deepObject}}' : '';
  const post = POST.replace('application/json: {schema: {type: object}', (was) =>
    was.replace('application/json', type).replace('}', `, properties: {${property}}}${encoding}`),
  );
  const requirements = requirementsOf(contractOf({ post }), {}, 'core');
  expect(requirements.find(({ id }) => id === `make.${part}`)?.skip?.({} as never)).toContain(
    reason,
  );
});
