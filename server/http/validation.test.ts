/**
 * Validation beyond the conformance suite: the details of errors, formats, names,
 * defaults.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serveForFile } from '../testing/serve.ts';
import { compileDefaults } from '../openapi/defaults.ts';
import { compiles, isRe2Syntax } from '../openapi/formats.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ROUTE = { match_type: 'exact_path', match: '/' };
const { send } = serveForFile();

type Reported = { pointer: string; code: string; detail: string };

/** The field errors of a new edge or route that is refused. */
async function errorsOf(kind: 'edge' | 'route', body: object | string): Promise<Reported[]> {
  const post = (path: string, sent: object | string) =>
    send({ method: 'POST', path, headers: JSON_TYPE, body: sent });
  const edges = '/edges/https';
  const path = kind === 'edge' ? edges : `${edges}/${(await post(edges, {})).json.id}/routes`;
  const answer = await post(path, kind === 'edge' ? body : { ...ROUTE, ...(body as object) });
  expect(answer.status).toBe(400);
  return answer.json.errors as Reported[];
}

const UPSTREAM = { terminate_at: 'upstream' };
const MANY = {
  description: 5,
  hostports: ['nowhere', 'a:1', 'a:1'],
  mutual_tls: { 'a/b~c': 1 },
  tls_termination: { ...UPSTREAM, min_version: '1.2' },
};
const MANY_ERRORS = [
  '/description type',
  '/hostports duplicate',
  '/hostports/0 format',
  '/mutual_tls not_allowed_here',
  '/mutual_tls/a~1b~0c unknown',
  '/tls_termination/min_version not_allowed_here',
];
const OIDC = { issuer: 'https://login.example.com', client_id: 'edge' };

describe('every error is reported', () => {
  test.for<['edge' | 'route', body: object | string, errors: string[]]>([
    ['edge', MANY, MANY_ERRORS],
    ['edge', '{"\\udfff":1}', ['/\udfff unknown', '/\ufffd unicode']],
    ['edge', { tls_termination: { ['a'.repeat(5000)]: 1 } }, ['/tls_termination unknown']],
    [
      'route',
      { oauth: { provider: { google: {} } }, oidc: OIDC },
      ['/oidc/enabled not_allowed_here'],
    ],
    ['route', { oauth: { provider: { github: null } } }, ['/oauth/provider too_few']],
    [
      'route',
      { oauth: { provider: { github: {}, google: {} } } },
      ['/oauth/provider/google not_allowed_here'],
    ],
    [
      'route',
      { response_headers: { remove: ['__proto__', '__proto__'] } },
      ['/response_headers/remove/1 duplicate'],
    ],
  ])('of an %s, with its place and code: %j: %j', async ([kind, body, expected]) => {
    const errors = await errorsOf(kind, body);
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual(expected);
  });

  test.for([
    [{ description: '€'.repeat(86) }, 'must have at most 255 bytes of UTF-8'],
    // It breaks `maxLength`, too, which is the weaker bound.
    [{ description: 'a'.repeat(256) }, 'must have at most 255 bytes of UTF-8'],
    [{ mutual_tls: { enabled: 1 } }, 'must be boolean'],
    [
      { mutual_tls: {}, tls_termination: UPSTREAM },
      'must be null or omitted with these other properties',
    ],
    [{ hostports: ['nowhere'] }, expect.stringMatching(/^must be `host:port`/)],
    [{ colour: 1 }, 'is not a property of this request'],
  ] as const)('with its rule in words: %j', async ([body, detail]) => {
    expect((await errorsOf('edge', body)).map((error) => error.detail)).toEqual([detail]);
  });
});

describe('regular expressions', () => {
  const TOKENS = [
    'a',
    'b',
    'é',
    '(',
    ')',
    '[',
    ']',
    '[^',
    '{',
    '}',
    '{2}',
    '{2,}',
    '{2,3}',
    '{3,2}',
    '{01}',
    '{0}',
    '{1001}',
    '{,2}',
    '*',
    '+',
    '?',
    '|',
    '\\',
    '\\d',
    '\\pL',
    '\\p{Greek}',
    '\\p{Foo}',
    '\\PN',
    '\\Q',
    '\\E',
    '(?i)',
    '(?:',
    '(?is-m:',
    '(?P<n>',
    '(?=',
    '-',
    '^',
    '$',
    '\\x{41}',
    '\\x{110000}',
    '\\1',
    '\\b',
    '.',
    '[:alpha:]',
    'i',
    '1',
    ',',
    '\\p',
    '\\P{^Han}',
    '(?i',
    '(?s-i)',
  ];

  test('are valid if RE2 accepts them', () => {
    // Counts within counts, which may grow too large, need more tokens than these.
    const tokens = fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 8 });
    const verdicts = new Set<boolean>();
    const property = fc.property(tokens, (list) => {
      const valid = compiles(list.join(''));
      verdicts.add(valid);
      expect(isRe2Syntax(list.join(''))).toBe(valid);
    });
    fc.assert(property, { numRuns: 5000, seed: 1 });
    expect(verdicts.size).toBe(2);
  });

  test('are not expanded to be checked', () => {
    expect([isRe2Syntax('a{1000}'.repeat(100)), isRe2Syntax('(?i)\\pL'.repeat(100))]).toEqual([
      true,
      true,
    ]);
  });
});

describe('defaults', () => {
  const MODULE = { $ref: '#/components/schemas/Module' };
  const TREE = { $ref: '#/components/schemas/Tree' };
  const Module = { type: 'object', properties: { on: { default: true }, list: { default: [1] } } };
  const Tree = {
    type: 'object',
    properties: { name: { default: 'leaf' }, below: { items: TREE } },
  };
  const document = { components: { schemas: { Module, Tree } } };
  const fill = (schema: object, value: unknown) =>
    compileDefaults(document, schema as never)(value);

  test.for([
    ['in arrays', { type: 'array', items: MODULE }, [{}], [{ on: true, list: [1] }]],
    ['in maps', { additionalProperties: MODULE }, { a: {} }, { a: { on: true, list: [1] } }],
    [
      'in allOf',
      { allOf: [MODULE, { properties: { b: { default: 0 } } }] },
      {},
      { on: true, list: [1], b: 0 },
    ],
    [
      'beside a $ref',
      { properties: { m: { ...MODULE, default: { on: 0 } } } },
      {},
      { m: { on: 0, list: [1] } },
    ],
    [
      'for null, if the default is not null',
      { properties: { a: { default: '' } } },
      { a: null },
      { a: '' },
    ],
    ['that are null', { properties: { a: { default: null } } }, { b: 1 }, { a: null, b: 1 }],
    [
      'in a schema within itself',
      TREE,
      { below: [{}] },
      { name: 'leaf', below: [{ name: 'leaf' }] },
    ],
  ] as const)('are filled in %s', ([, schema, value, expected]) => {
    expect(fill(schema, structuredClone(value))).toEqual(expected);
  });
});
