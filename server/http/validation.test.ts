/**
 * Validation beyond the conformance suite: the details of errors, formats, names,
 * defaults.
 */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, Operation } from '../contract.ts';
import { contract, serveForFile } from '../testing/serve.ts';
import { compileDefaults } from '../openapi/defaults.ts';
import { compiles, isRe2Syntax } from '../openapi/formats.ts';
import { expressionErrors, expressionsOf } from './validation/expressions.ts';

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

  test('without any provider, with the rule in words', async () => {
    const errors = await errorsOf('route', { oauth: { provider: {} } });
    expect(errors.map(({ detail }) => detail)).toEqual(['must have a property that is not null']);
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

describe('expressions of a filter', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  beforeEach(() => void compile.mockClear());
  afterAll(() => compile.mockRestore());
  const long = (n: number) => `(${n})`.padEnd(1024, '(a)|b');
  const expressions = (count: number) => Array.from({ length: count }, (_, n) => long(n));

  test.for<[string, unknown, string[]]>([
    ['too long', ['(a)'.repeat(300_000)], ['/0 too_long']],
    ['too long and wrong', ['('.repeat(300_000)], ['/0 too_long']],
    ['one character too long', ['a'.repeat(1025)], ['/0 too_long']],
    ['one character too long in two code units', ['😀'.repeat(1025)], ['/0 too_long']],
    ['too many', expressions(990), [' too_many']],
    ['no texts', [{ a: 'a' }, 5], ['/0 type', '/1 type']],
    ['no list', { a: '(' }, [' type']],
  ])('are not compiled if they are %s', async ([, allow, errors]) => {
    const found = await errorsOf('route', { user_agent_filter: { allow } });
    const shown = found.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(shown).toEqual(errors.map((error) => `/user_agent_filter/allow${error}`));
    expect(compile).not.toHaveBeenCalled();
  });

  test('are compiled if they have the greatest length, each once', async () => {
    const deny = ['😀'.repeat(1024), '(', 'a', '('];
    const found = await errorsOf('route', { user_agent_filter: { allow: ['a', '['], deny } });
    const places = ['allow/1', 'deny/1', 'deny/3'];
    const shown = found.filter(({ code }) => code === 'format').map(({ pointer }) => pointer);
    expect(shown).toEqual(places.map((place) => `/user_agent_filter/${place}`));
    expect(compile).toHaveBeenCalledTimes(4);
  });

  test('are compiled in separate turns of the event loop, for all requests', async () => {
    let turn = 0;
    let counts = true;
    const count = () => {
      turn += 1;
      if (counts) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const turns: number[] = [];
    compile.mockImplementation(() => {
      turns.push(turn);
      return undefined as never;
    });
    onTestFinished(() => void compile.mockRestore());
    const placed = (from: number) =>
      Array.from({ length: 200 }, (_, n) => ({ path: [String(n)], text: long(from + n) }));
    const requests = [0, 1000, 2000].map((from) => expressionErrors(placed(from)));
    expect(await Promise.all(requests)).toEqual([[], [], []]);
    counts = false;
    expect(turns).toHaveLength(600);
    // The first slice of each request comes with it.
    expect(new Set(turns).size).toBe(598);
  });

  test('that no check would reach stop the start', () => {
    const text = { type: 'string', format: 're2' };
    const operation = { id: 'createRoute', parameters: [] } as unknown as Operation;
    const withBody = (schema: object) => ({
      ...operation,
      requestBody: { required: true, schema: schema as JsonObject },
    });
    for (const schema of [{ not: text }, { if: { properties: { a: text } } }]) {
      expect(() => expressionsOf(contract, withBody(schema))).toThrow(/a condition/);
    }
    const parameter = { name: 'a', in: 'query', required: false, schema: text } as const;
    const bad = { ...operation, parameters: [parameter] };
    expect(() => expressionsOf(contract, bad)).toThrow(/createRoute has the format re2 in a param/);
    const schema = { allOf: [{ additionalProperties: text, maxProperties: 2 }] };
    const find = expressionsOf(contract, withBody(schema));
    expect(find({ a: 'x', b: 5 })).toEqual([{ path: ['a'], text: 'x' }]);
    expect(find({ a: 'x', b: 'y', c: 'z' })).toEqual([]);
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
