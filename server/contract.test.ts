/**
 * Each part of OpenAPI that the contract may use works, or stops the start with a line that names
 * it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test, vi } from 'vitest';
import { type Contract, ContractError, describeContract, readContract } from './contract.ts';
import type { EdgeRecord } from './domain/edge.ts';
import { createMemoryStore } from './store/memory.ts';
import { contract, serveApp, serveForFile } from './testing/serve.ts';
import { temporaryFolder } from '../tools/temporary-folder.ts';

const EDGES = '/edges/https';
const { yaml } = contract;

/** So that a test can write any change in a line. */
type Loose = any;

/** @throws ContractError when the server does not support what was changed */
function changedContract(change: (document: Loose) => void): Contract {
  const document = structuredClone(contract.document);
  change(document);
  return { ...contract, ...describeContract(document) };
}

/** @param path its last name may be `-`, for the end of an array @param value undefined removes */
function set(document: Loose, path: readonly string[], value: unknown): void {
  const names = [...path];
  const last = names.pop()!;
  let parent = document;
  for (const name of names) {
    parent = parent[name];
  }
  if (value === undefined) {
    delete parent[last];
  } else if (last === '-') {
    parent.push(value);
  } else {
    parent[last] = value;
  }
}

function expectUnsupported(change: (document: Loose) => void, line: RegExp): void {
  const changing = () => changedContract(change);
  expect(changing).toThrow(ContractError);
  expect(changing).toThrow(line);
  expect(changing).toThrow(/^openapi\.yaml: [^\n]+$/);
}

describe('a contract stops the start', () => {
  test.for([
    ['is not YAML', 'openapi: 3.1.0', 'openapi: [', /is not YAML/],
    ['is not OpenAPI', 'openapi: 3.1.0', 'swagger: "2.0"', /is not an OpenAPI 3.1 document/],
    ['has a dangling $ref', "schemas/HTTPSEdgeCreate'", "schemas/Missing'", /Missing/],
    ['has an unknown format', 'format: password', 'format: pasword', /format pasword/],
    [
      'has an invalid pattern',
      'pattern: ^[A-Za-z0-9_-]+$',
      'pattern: ^[A-Za-z0-9_-+$',
      /Invalid regular expression/,
    ],
  ] as const)('that %s', async ([, from, to, message]) => {
    expect(yaml).toContain(from);
    const file = join(await temporaryFolder(), 'openapi.yaml');
    await writeFile(file, yaml.replace(from, to));
    const starting = async () => serveApp({ contract: readContract(file) });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toThrow(ContractError);
  });

  const LIST = ['paths', EDGES, 'get'];
  const CREATE = ['paths', EDGES, 'post'];
  const EDGE = ['components', 'schemas', 'HTTPSEdgeCreate'];
  const METADATA = [...EDGE, 'properties', 'metadata'];
  const MEDIA = [...CREATE, 'requestBody', 'content', 'application/json'];
  const BEARER = ['components', 'securitySchemes', 'bearerAuth'];
  const XML_RESPONSE = [...CREATE, 'responses', '201', 'content', 'application/xml'];
  const TEXT = { type: 'string' };
  const WITHIN_ONE_OF = /`default` within `oneOf`/;
  const NEGATIVE = { type: 'integer', minimum: -1 };

  test.for<[path: string[], value: unknown, line: RegExp]>([
    [['webhooks'], {}, /the document: `webhooks` is not supported/],
    [['paths', EDGES, 'head'], {}, /\/edges\/https: `head`/],
    [[...LIST, 'servers'], [], /get \/edges\/https: `servers`/],
    [[...LIST, 'security'], [], /get \/edges\/https: `security`/],
    [['paths', '/a/{b}.json'], {}, /\/a\/\{b\}\.json: .*`\{b\}\.json`/],
    [[...CREATE, 'requestBody', 'content', 'application/xml'], {}, /media type application\/xml/],
    [[...MEDIA, 'encoding'], {}, /requestBody: application\/json: `encoding`/],
    [[...CREATE, 'requestBody', 'content'], {}, /requestBody: `content` is missing/],
    [XML_RESPONSE, {}, /the response 201: the media type application\/xml/],
    [[...CREATE, 'responses', '2XX'], {}, /the response 2XX/],
    [[...CREATE, 'responses'], {}, /no response of success/],
    [[...CREATE, 'operationId'], undefined, /`operationId` is missing/],
    [[...LIST, 'operationId'], 'createEdge', /the operationId createEdge is there already/],
    [[...BEARER, 'scheme'], 'basic', /the security scheme bearerAuth/],
    [['security'], [{ bearerAuth: [], other: [] }], /one scheme/],
    [[...METADATA, 'readOnly'], true, /properties\/metadata: `readOnly`/],
    [[...METADATA, '$ref'], '#/components/schemas/Hostport/x', /`\$ref: #.*Hostport\/x`/],
    [[...METADATA, '$ref'], 'other.yaml', /`\$ref: other\.yaml`/],
    [[...EDGE, 'then', 'properties', 'metadata'], { default: 'x' }, /`default` within `then`/],
    [[...EDGE, 'properties', 'mutual_tls', 'oneOf', '-'], { type: 'object' }, WITHIN_ONE_OF],
  ])('with an unsupported construct at %j: %j', ([path, value, line]) => {
    expectUnsupported((document) => set(document, path, value), line);
  });

  test.for<[parameter: object, line: RegExp]>([
    [{ in: 'cookie', schema: TEXT }, /the parameter q: `in: cookie`/],
    [{ in: 'header', schema: TEXT }, /the parameter q: `in: header`/],
    [{ in: 'query', schema: TEXT, style: 'pipeDelimited' }, /the parameter q: `style`/],
    [
      { in: 'query', schema: { type: 'boolean' } },
      /the parameter q: its `type` must be string, or/,
    ],
    [{ in: 'query', schema: NEGATIVE }, /the parameter q: its `type`/],
    [{ in: 'path', schema: { type: 'integer', minimum: 0 } }, /the parameter q: its `type`/],
  ])('with an unsupported parameter: %j', ([parameter, line]) => {
    const path = [...LIST, 'parameters', '-'];
    expectUnsupported((document) => set(document, path, { name: 'q', ...parameter }), line);
  });

  test('that has an operation without a handler', async () => {
    const unknown = changedContract((document) => {
      document.paths[EDGES].get.operationId = 'searchEdges';
    });
    const starting = serveApp({ contract: unknown, validateResponses: false });
    await expect(starting).rejects.toThrow(
      /^openapi\.yaml: this server has no handler for searchEdges$/,
    );
  });
});

test('the document that is served is the one that was read', async () => {
  const before = structuredClone(contract.document);
  const { send } = await serveApp();
  await send({ method: 'POST', path: EDGES, body: {} });
  expect(contract.document).toEqual(before);
  expect((await send({ path: '/openapi.json' })).json).toEqual(before);
  expect((await send({ path: '/openapi.yaml' })).text).toBe(yaml);
});

// V8 cuts texts out of one with further characters as two bytes a character, names of properties
// included, and then makes all JSON with such a name like that (docs/maintainers/speed.md).
test('the contract has characters of Latin-1 only', () => expect(yaml).not.toMatch(/[^\0-\xff]/));

test('no request compiles a validator, be it the first or of another Content-Type', async () => {
  const { send } = await serveApp({ validateResponses: false });
  // The validator adds a schema to Ajv whenever it compiles one.
  const spy = vi.spyOn(
    Object.getPrototypeOf(Ajv2020.prototype) as { addSchema(): void },
    'addSchema',
  );
  for (let p = 0; p < 20; p++) {
    const headers = { 'content-type': `application/json; p=${p}` };
    expect((await send({ method: 'POST', path: EDGES, headers, body: '{}' })).status).toBe(201);
    expect(
      (await send({ path: `${EDGES}/x`, headers: { 'content-type': `text/p${p}` } })).status,
    ).toBe(404);
  }
  expect(
    (await send({ method: 'PATCH', path: '/event_subscriptions/s/sources/a.v0' })).status,
  ).toBe(404);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});

describe('a response that breaks the contract', () => {
  const broken = {
    created_at: 'yesterday',
    description: '',
    metadata: '',
    hostports: [],
    routes: [],
  };

  test.for(['e', 'unknown'])(
    'is a logged 500 and is never sent, a problem included: %s',
    async (id) => {
      const store = createMemoryStore();
      await store.edges.create({
        id: 'e',
        mutual_tls: null,
        tls_termination: null,
        ...broken,
      } as EdgeRecord);
      const without404 = changedContract(
        (document) => delete document.paths[`${EDGES}/{edge_id}`].get.responses['404'],
      );
      const { send, logged } = await serveApp({ contract: without404, store });
      const { status, json, text } = await send({ path: `${EDGES}/${id}` });
      expect([status, json.code, text]).toEqual([
        500,
        'internal_error',
        expect.not.stringContaining('yesterday'),
      ]);
      expect(logged).toContainEqual(
        expect.objectContaining({ level: 50, request_id: json.request_id }),
      );
    },
  );

  test.for(['{', '5'])('is a logged 500 if a request is refused: %s', async (body) => {
    const without400 = changedContract(
      (document) => delete document.paths[EDGES].post.responses['400'],
    );
    const { send, logged } = await serveApp({ contract: without400 });
    const headers = { 'content-type': 'application/json' };
    expect((await send({ method: 'POST', path: EDGES, body, headers })).json.code).toBe(
      'internal_error',
    );
    expect(logged).toContainEqual(expect.objectContaining({ level: 50 }));
  });
});

describe('constructs that the contract does not use yet', () => {
  const QUERY = { in: 'query', schema: { type: 'string' } };
  const changed = changedContract((document) => {
    const edges = document.paths[EDGES];
    edges.parameters = ['tenant', 'shadowed'].map((name) => ({ ...QUERY, name, required: true }));
    edges.get.parameters.push({ ...QUERY, name: 'shadowed' });
    const update = document.paths['/event_subscriptions/{subscription_id}/sources/{type}'].patch;
    update.requestBody = { content: update.requestBody.content };
    document.components.schemas.EventSourceUpdate.required = ['type'];
    document.paths[`${EDGES}/fixed`] = document.paths[`${EDGES}/{edge_id}/routes`];
    delete document.paths[`${EDGES}/{edge_id}/routes`];
  });
  const { send } = serveForFile({ contract: changed, token: 'sesame', validateResponses: false });
  const authorization = 'Bearer sesame';

  test.for([
    ['GET', 'tenant=a', []],
    ['GET', 'tenant=a&tenant=b', ['tenant repeated']],
    ['POST', 'tenant=a&shadowed=b', []],
    ['POST', '', ['tenant required', 'shadowed required']],
  ] as const)('parameters of the path item: %s ?%s', async ([method, query, expected]) => {
    const body = method === 'POST' && { body: {} };
    const { json } = await send({
      method,
      path: `${EDGES}?${query}`,
      headers: { authorization },
      ...body,
    });
    const errors = (json.errors ?? []) as { parameter: string; code: string }[];
    expect(errors.map(({ parameter, code }) => `${parameter} ${code}`)).toEqual(expected);
  });

  test('an optional body may be omitted, whatever its schema requires', async () => {
    const path = '/event_subscriptions/s/sources';
    await send({ method: 'POST', path, headers: { authorization }, body: { type: 'a.v0' } });
    const update = { method: 'PATCH', path: `${path}/a.v0`, headers: { authorization } };
    expect((await send(update)).status).toBe(200);
    expect((await send({ ...update, body: {} })).json.errors).toMatchObject([
      { pointer: '/type', code: 'required' },
    ]);
  });

  test('a fixed segment precedes a parameter', async () => {
    const { status, headers } = await send({ path: `${EDGES}/fixed`, headers: { authorization } });
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });
});

test('other defaults in the contract show in responses, on create and on update', async () => {
  const hostports = ['default.example.com:443'];
  const changed = changedContract((document) => {
    const { schemas, parameters } = document.components;
    schemas.HTTPSEdgeCreate.properties.description.default = 'none given';
    schemas.HTTPSEdgeCreate.properties.hostports.default = hostports;
    schemas.EndpointTLSTerminationAtEdge.properties.min_version.default = '1.3';
    schemas.EndpointOAuthBasicMutate.properties.email_domains.default = ['example.com'];
    parameters.Limit.schema.default = 1;
  });
  const { send } = await serveApp({ contract: changed, validateResponses: false });
  const post = async (path: string, body: object) =>
    (await send({ method: 'POST', path, body })).json;
  const edge = await post(EDGES, { tls_termination: {} });
  const defaults = { description: 'none given', hostports };
  expect(edge).toMatchObject({ ...defaults, tls_termination: { min_version: '1.3' } });
  const path = `${EDGES}/${edge.id}`;
  await send({
    method: 'PATCH',
    path,
    body: { description: 'own', hostports: ['own.example.com:443'] },
  });
  const reset = await send({ method: 'PATCH', path, body: { description: null, hostports: null } });
  expect(reset.json).toMatchObject(defaults);
  const route = { match_type: 'path_prefix', match: '/', oauth: { provider: { google: {} } } };
  const { oauth } = await post(`${path}/routes`, route);
  expect(oauth.provider.google.email_domains).toEqual(['example.com']);
  await post(EDGES, {});
  expect((await send({ path: EDGES })).json.https_edges).toHaveLength(1);
});
