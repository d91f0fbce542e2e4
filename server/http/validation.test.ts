/** Validation where the conformance suite does not look: the details of errors, formats, names, defaults. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLowdbStore } from '../store/lowdb/open.ts';
import { quiet } from '../store/store.suite.ts';
import { type Service, serveApp, serveForFile } from '../testing/serve.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { compileDefaults } from '../openapi/defaults.ts';
import { compiles, isRe2Syntax } from '../openapi/formats.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ROUTE = { match_type: 'exact_path', match: '/' };
const { send } = serveForFile();

async function edgeOf(service: Pick<Service, 'send'>): Promise<string> {
  return `/edges/https/${(await service.send({ method: 'POST', path: '/edges/https', body: {} })).json.id as string}`;
}

type Reported = { pointer: string; code: string; detail: string };

/** The field errors of a new edge or route that is refused. */
async function errorsOf(kind: 'edge' | 'route', body: object | string): Promise<Reported[]> {
  const path = kind === 'edge' ? '/edges/https' : `${await edgeOf({ send })}/routes`;
  const answer = await send({ method: 'POST', path, headers: JSON_TYPE, body });
  expect(answer.status).toBe(400);
  return answer.json.errors as Reported[];
}

/** Each error as `pointer code`. */
const briefly = (errors: Reported[]) =>
  errors
    .map(({ pointer, code }) => `${pointer} ${code}`)
    .toSorted()
    .join(', ');

describe('an error has its place and code', () => {
  const OIDC = { issuer: 'https://login.example.com', client_id: 'edge' };

  const UPSTREAM = { terminate_at: 'upstream', min_version: '1.2' };
  const FOUR = { description: 5, hostports: ['nowhere', 'a:1', 'a:1'], tls_termination: UPSTREAM };

  test.for<[body: object | string, errors: string]>([
    [
      FOUR,
      '/description type, /hostports duplicate, /hostports/0 format, /tls_termination/min_version not_allowed_here',
    ],
    [
      { mutual_tls: { 'a/b~c': 1 }, tls_termination: { terminate_at: 'upstream' } },
      '/mutual_tls not_allowed_here, /mutual_tls/a~1b~0c unknown',
    ],
    [
      { '': 1, mutual_tls: { '': 1 }, tls_termination: { '': 1 } },
      '/ unknown, /mutual_tls/ unknown, /tls_termination/ unknown',
    ],
    [{ mutual_tls: { enabled: null } }, '/mutual_tls/enabled type'],
    [{ description: 'a'.repeat(256) }, '/description too_many_bytes'],
    ['{"description":"\\ud800"}', '/description unicode'],
    ['{"\\udfff":1}', '/\udfff unknown, /\ufffd unicode'],
  ])('of an edge: %j: %s', async ([body, expected]) => {
    expect(briefly(await errorsOf('edge', body))).toBe(expected);
  });

  test.for<[modules: object, errors: string]>([
    [{ oauth: { provider: { google: {} } }, oidc: OIDC }, '/oidc/enabled not_allowed_here'],
    [{ webhook_verification: { provider: 'github', secret: null } }, '/webhook_verification/secret type'],
    [{ oauth: { provider: { github: null } } }, '/oauth/provider too_few'],
    [{ oauth: { provider: { github: {}, google: {} } } }, '/oauth/provider/google not_allowed_here'],
    [{ oauth: { provider: { amazon: { client_id: 'a' } } } }, '/oauth/provider/amazon/client_secret required'],
    [{ request_headers: { add: { A: '1', a: '2' } } }, '/request_headers/add/a duplicate'],
    [{ request_headers: { add: { 'a b': '1' } } }, '/request_headers/add format'],
    [{ response_headers: { remove: ['X-A', 'x-a'] } }, '/response_headers/remove/1 duplicate'],
    [{ response_headers: { remove: ['X-A', 'X-A'] } }, '/response_headers/remove duplicate'],
    [{ response_headers: { remove: ['__proto__', '__proto__'] } }, '/response_headers/remove/1 duplicate'],
    [{ saml: { idp_metadata: '<a/>' } }, '/saml/idp_metadata format'],
    [{ user_agent_filter: { allow: ['a', '('] } }, '/user_agent_filter/allow/1 format'],
  ])('of a route: %j: %s', async ([modules, expected]) => {
    expect(briefly(await errorsOf('route', { ...ROUTE, ...modules }))).toBe(expected);
  });

  test.for([
    [{ description: '€'.repeat(86) }, 'must have at most 255 bytes of UTF-8'],
    [{ mutual_tls: { enabled: 1 } }, 'must be boolean'],
    [
      { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } },
      'must be null or omitted with these other properties',
    ],
    [{ hostports: ['nowhere'] }, expect.stringMatching(/^must be `host:port`/)],
    [{ colour: 1 }, 'is not a property of this request'],
  ] as const)('and the rule in words: %j', async ([body, detail]) => {
    expect((await errorsOf('edge', body)).map((error) => error.detail)).toEqual([detail]);
  });
});

describe('regular expressions', () => {
  const TOKENS = [
    ...['a', 'b', 'é', '(', ')', '[', ']', '[^', '{', '}', '{2}', '{2,}', '{2,3}', '{3,2}', '{01}', '{0}', '{1001}'],
    ...['{,2}', '*', '+', '?', '|', '\\', '\\d', '\\pL', '\\p{Greek}', '\\p{Foo}', '\\PN', '\\Q', '\\E', '(?i)', '(?:'],
    ...['(?is-m:', '(?P<n>', '(?=', '-', '^', '$', '\\x{41}', '\\x{110000}', '\\1', '\\b', '.', '[:alpha:]', 'i', '1'],
    ...[',', '\\p', '\\P{^Han}', '(?i', '(?s-i)'],
  ];

  test('are valid where RE2 accepts them', () => {
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
    expect([isRe2Syntax('a{1000}'.repeat(100)), isRe2Syntax('(?i)\\pL'.repeat(100))]).toEqual([true, true]);
  });
});

describe('defaults', () => {
  const [MODULE, TREE] = [{ $ref: '#/components/schemas/Module' }, { $ref: '#/components/schemas/Tree' }];
  const Module = { type: 'object', properties: { on: { default: true }, list: { default: [1] } } };
  const Tree = { type: 'object', properties: { name: { default: 'leaf' }, below: { items: TREE } } };
  const document = { components: { schemas: { Module, Tree } } };
  const fill = (schema: object, value: unknown) => compileDefaults(document, schema as never)(value);
  const NULLABLE = { properties: { m: { oneOf: [MODULE, { type: 'null' }] } } };

  test.for([
    ['at the top', MODULE, {}, { on: true, list: [1] }],
    ['behind oneOf', NULLABLE, { m: {} }, { m: { on: true, list: [1] } }],
    ['not for null behind oneOf', NULLABLE, { m: null }, { m: null }],
    ['in arrays', { type: 'array', items: MODULE }, [{}], [{ on: true, list: [1] }]],
    ['in maps', { additionalProperties: MODULE }, { a: {} }, { a: { on: true, list: [1] } }],
    ['in allOf', { allOf: [MODULE, { properties: { b: { default: 0 } } }] }, {}, { on: true, list: [1], b: 0 }],
    ['beside a $ref', { properties: { m: { ...MODULE, default: { on: 0 } } } }, {}, { m: { on: 0, list: [1] } }],
    ['for null, where the default is not null', { properties: { a: { default: '' } } }, { a: null }, { a: '' }],
    ['that are null', { properties: { a: { default: null } } }, { b: 1 }, { a: null, b: 1 }],
    ['in a schema within itself', TREE, { below: [{}] }, { name: 'leaf', below: [{ name: 'leaf' }] }],
  ] as const)('are filled in %s', ([, schema, value, expected]) => {
    expect(fill(schema, structuredClone(value))).toEqual(expected);
  });
});

describe('names with a meaning in JavaScript', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

  test('are names of headers like others', async () => {
    const service = await serveApp({ store: await openLowdbStore(await temporaryFolder(), quiet) });
    const routes = `${await edgeOf(service)}/routes`;
    // As text: an object of JavaScript would not have the first one.
    const map = `{${NAMES.map((name, index) => `"${name}":"value ${index}"`).join(',')}}`;
    const body = `{"match_type":"exact_path","match":"/","request_headers":{"add":${map},"remove":${JSON.stringify(NAMES)}},"response_headers":{"add":${map}}}`;
    const created = await service.send({ method: 'POST', path: routes, headers: JSON_TYPE, body });
    const path = `${routes}/${created.json.id as string}`;
    const read = await service.send({ path });
    const changed = await service.send({ method: 'PATCH', path, body: { description: 'changed' } });
    for (const { text, json } of [created, read, changed]) {
      expect(text.split(`"add":${map}`)).toHaveLength(3);
      expect(json.request_headers.remove).toEqual(NAMES);
    }
    expect(({} as Record<string, unknown>)['value 0']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.for(NAMES)('are unknown properties at any depth: %s', async (name) => {
    const oauth = `{"match_type":"exact_path","match":"/","oauth":{"provider":{"github":{"${name}":[]}}}}`;
    const errors = [
      ...(await errorsOf('edge', `{"${name}":{"description":"a"},"mutual_tls":{"${name}":null}}`)),
      ...(await errorsOf('route', oauth)),
    ];
    const places = [`/${name}`, `/mutual_tls/${name}`, `/oauth/provider/github/${name}`];
    expect(errors.map(({ pointer, code }) => [code, pointer])).toEqual(places.map((place) => ['unknown', place]));
  });
});
