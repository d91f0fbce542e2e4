/** A part of OpenAPI that the contract may use works, or stops the start with a line that names it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ContractError, readContract } from './contract.ts';
import type { EdgeRecord } from './domain/edge.ts';
import { createMemoryStore } from './store/memory.ts';
import { type AnyDocument, changedContract } from './testing/changed-contract.ts';
import { contract, serveApp, serveForFile } from './testing/serve.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const { yaml } = contract;

const listEdges = (document: AnyDocument) => document.paths['/edges/https'].get;
const createEdge = (document: AnyDocument) => document.paths['/edges/https'].post;
const newEdge = (document: AnyDocument) => document.components.schemas.HTTPSEdgeCreate;
const addParameter = (document: AnyDocument, parameter: object) => listEdges(document).parameters.push(parameter);
const TEXT = { type: 'string' };

/** By what is used: a change of the contract, and the line about it. */
const CASES: Record<string, [change: (document: AnyDocument) => void, line: RegExp]> = {
  webhooks: [(d) => (d.webhooks = {}), /the document: `webhooks` is not supported/],
  'a method of its own for HEAD': [(d) => (d.paths['/edges/https'].head = {}), /\/edges\/https: `head`/],
  'servers of an operation': [(d) => (listEdges(d).servers = []), /get \/edges\/https: `servers`/],
  callbacks: [(d) => (createEdge(d).callbacks = {}), /post \/edges\/https: `callbacks`/],
  'a path parameter within a segment': [(d) => (d.paths['/a/{b}.json'] = {}), /\/a\/\{b\}\.json: .*`\{b\}\.json`/],
  'a parameter in a cookie': [
    (d) => addParameter(d, { name: 'q', in: 'cookie', schema: TEXT }),
    /the parameter q: `in: cookie`/,
  ],
  'a parameter with a style': [
    (d) => addParameter(d, { name: 'q', in: 'query', style: 'pipeDelimited', schema: TEXT }),
    /the parameter q: `style`/,
  ],
  'a parameter with content': [
    (d) => addParameter(d, { name: 'q', in: 'query', content: { 'application/json': {} } }),
    /the parameter q: `content`/,
  ],
  'a parameter that is an object': [
    (d) => addParameter(d, { name: 'q', in: 'query', schema: { type: 'object' } }),
    /the parameter q: its `type` must be one of/,
  ],
  'a header that is a list': [
    (d) => addParameter(d, { name: 'X-Q', in: 'header', schema: { type: 'array', items: TEXT } }),
    /the parameter X-Q: its `type`/,
  ],
  'a second media type of a body': [
    (d) => (createEdge(d).requestBody.content['application/xml'] = { schema: TEXT }),
    /requestBody: the media type application\/xml/,
  ],
  'an encoding of a body': [
    (d) => (createEdge(d).requestBody.content['application/json'].encoding = {}),
    /requestBody: application\/json: `encoding`/,
  ],
  'a second media type of a response': [
    (d) => (createEdge(d).responses['201'].content['application/xml'] = { schema: TEXT }),
    /several media types \(application\/json, application\/xml\)/,
  ],
  'a status by its first digit': [(d) => (createEdge(d).responses['2XX'] = {}), /the response 2XX/],
  'no response of success': [(d) => (createEdge(d).responses = {}), /no response of success/],
  'no operationId': [(d) => delete createEdge(d).operationId, /`operationId` is missing/],
  'an operationId that is there twice': [
    (d) => (listEdges(d).operationId = 'createEdge'),
    /the operationId createEdge is there already/,
  ],
  'another security scheme': [
    (d) => (d.components.securitySchemes.bearerAuth = { type: 'apiKey', in: 'header', name: 'X-Key' }),
    /the security scheme bearerAuth/,
  ],
  'two security schemes at once': [(d) => (d.security = [{ bearerAuth: [], other: [] }]), /one scheme/],
  discriminator: [(d) => (newEdge(d).discriminator = {}), /HTTPSEdgeCreate: `discriminator`/],
  readOnly: [(d) => (newEdge(d).properties.metadata.readOnly = true), /properties\/metadata: `readOnly`/],
  patternProperties: [(d) => (newEdge(d).patternProperties = {}), /HTTPSEdgeCreate: `patternProperties`/],
  prefixItems: [(d) => (d.components.schemas.HostportList.prefixItems = []), /HostportList: `prefixItems`/],
  'a reference into a component': [
    (d) => (newEdge(d).properties.metadata.$ref = '#/components/schemas/Hostport/x'),
    /`\$ref: #\/components\/schemas\/Hostport\/x`/,
  ],
  'a reference to another file': [(d) => (newEdge(d).properties.metadata.$ref = 'other.yaml'), /`\$ref: other\.yaml`/],
  'a default under a condition': [
    (d) => (newEdge(d).then.properties.metadata = { default: 'x' }),
    /`default` within `then`/,
  ],
  'a default behind a choice of objects': [
    (d) => newEdge(d).properties.mutual_tls.oneOf.push({ type: 'object' }),
    /`default` within `oneOf`/,
  ],
};

/** The validator adds a schema to Ajv whenever it compiles one. */
function spyOnCompilation() {
  return vi.spyOn(Object.getPrototypeOf(Ajv2020.prototype) as { addSchema(): void }, 'addSchema');
}

afterEach(() => void vi.restoreAllMocks());

describe('a contract that cannot be used stops the start', () => {
  test.for([
    ['is not YAML', 'openapi: 3.1.0', 'openapi: [', /is not YAML/],
    ['is not OpenAPI', 'openapi: 3.1.0', 'swagger: "2.0"', /is not an OpenAPI 3.1 document/],
    ['has a dangling $ref', "schemas/HTTPSEdgeCreate'", "schemas/Missing'", /Missing/],
    ['has an unknown format', 'format: password', 'format: pasword', /format pasword/],
    ['has an invalid pattern', 'pattern: ^[A-Za-z0-9_-]+$', 'pattern: ^[A-Za-z0-9_-+$', /Invalid regular expression/],
  ] as const)('when it %s', async ([, from, to, message]) => {
    expect(yaml).toContain(from);
    const file = join(await temporaryFolder(), 'openapi.yaml');
    await writeFile(file, yaml.replace(from, to));
    const starting = async () => serveApp({ contract: readContract(file) });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toThrow(ContractError);
  });

  test.for(Object.entries(CASES))('when it uses %s', ([, [change, line]]) => {
    let message = '';
    try {
      changedContract(change);
    } catch (error) {
      expect(error).toBeInstanceOf(ContractError);
      ({ message } = error as Error);
    }
    expect(message).toMatch(line);
    expect(message).toMatch(/^openapi\.yaml: [^\n]+$/);
  });

  test('when an operation has no handler', async () => {
    const unknown = changedContract((document) => (listEdges(document).operationId = 'searchEdges'));
    const starting = serveApp({ contract: unknown, validateResponses: false });
    await expect(starting).rejects.toThrow(/^openapi\.yaml: this server has no handler for searchEdges$/);
  });
});

test('the document that is served is the one that was read', async () => {
  const before = structuredClone(contract.document);
  const { send } = await serveApp();
  await send({ method: 'POST', path: '/edges/https', body: {} });
  expect(contract.document).toEqual(before);
  expect((await send({ path: '/openapi.json' })).json).toEqual(before);
  expect((await send({ path: '/openapi.yaml' })).text).toBe(yaml);
});

test('no request compiles a validator, also not the first one, or one with another Content-Type', async () => {
  const { send } = await serveApp({ validateResponses: false });
  const spy = spyOnCompilation();
  for (let p = 0; p < 20; p++) {
    const headers = { 'content-type': `application/json; p=${p}` };
    expect((await send({ method: 'POST', path: '/edges/https', headers, body: '{}' })).status).toBe(201);
    expect((await send({ path: '/edges/https/x', headers: { 'content-type': `text/p${p}` } })).status).toBe(404);
  }
  expect(spy).not.toHaveBeenCalled();
});

describe('a response that breaks the contract', () => {
  const store = createMemoryStore();
  const broken = { id: 'e', created_at: 'yesterday', description: '', metadata: '', hostports: [], routes: [] };

  test('is a logged 500 and is never sent', async () => {
    await store.edges.update('e', () => broken as unknown as EdgeRecord);
    const { send, logged } = await serveApp({ store });
    const answer = await send({ path: '/edges/https/e' });
    expect([answer.status, answer.json.code]).toEqual([500, 'internal_error']);
    expect(answer.text).not.toContain('yesterday');
    expect(logged).toContainEqual(expect.objectContaining({ level: 50, request_id: answer.json.request_id }));
  });

  test('may be a problem: one that the operation does not document is a logged 500', async () => {
    const without = changedContract((document: AnyDocument) => {
      delete document.paths['/edges/https/{id}'].get.responses['404'];
    });
    const { send, logged } = await serveApp({ contract: without });
    const answer = await send({ path: '/edges/https/unknown' });
    expect([answer.status, answer.json.code]).toEqual([500, 'internal_error']);
    expect(logged).toContainEqual(expect.objectContaining({ level: 50, request_id: answer.json.request_id }));
  });

  test('goes out where responses are not validated', async () => {
    await store.edges.update(
      'e',
      () => ({ ...broken, mutual_tls: null, tls_termination: null }) as unknown as EdgeRecord,
    );
    const { send } = await serveApp({ store, validateResponses: false });
    expect((await send({ path: '/edges/https/e' })).json.created_at).toBe('yesterday');
  });
});

describe('what the contract may come to use', () => {
  const QUERY = { in: 'query', schema: { type: 'string' } };
  const changed = changedContract((document: AnyDocument) => {
    const edges = document.paths['/edges/https'];
    edges.parameters = [
      { ...QUERY, name: 'tenant', required: true },
      { ...QUERY, name: 'shadowed', required: true },
    ];
    edges.get.parameters.push(
      { ...QUERY, name: 'shadowed' },
      { name: 'brief', in: 'query', schema: { type: 'boolean' } },
      { name: 'ratio', in: 'query', schema: { type: 'number', maximum: 1 } },
      { name: 'ids', in: 'query', schema: { type: 'array', maxItems: 2, items: { type: 'integer', minimum: -1 } } },
      { name: 'X-Trace', in: 'header', required: true, schema: { type: 'integer', maximum: 9 } },
      // OpenAPI has these ignored.
      { name: 'Accept', in: 'header', required: true, schema: { type: 'string', enum: ['never'] } },
    );
    document.paths['/event_subscriptions/{subscription_id}/sources'].get.security = [];
    const update = document.paths['/event_subscriptions/{subscription_id}/sources/{type}'].patch;
    update.requestBody = { content: update.requestBody.content };
    document.components.schemas.EventSourceUpdate.required = ['type'];
    const routes = document.paths['/edges/https/{edge_id}/routes'];
    document.paths['/edges/https/fixed'] = routes;
    delete document.paths['/edges/https/{edge_id}/routes'];
  });
  const { send } = serveForFile({ contract: changed, token: 'sesame', validateResponses: false });
  const HEADERS = { authorization: 'Bearer sesame', 'x-trace': '1' };
  const list = (query: string, headers = {}) =>
    send({ path: `/edges/https?${query}`, headers: { ...HEADERS, ...headers } });

  test.for([
    'tenant=a',
    'tenant=a&brief=true&ratio=0.5',
    'tenant=a&brief=false&ratio=-1&ids=1',
    'tenant=a&ids=1&ids=-1',
  ])('parameters of other types and places: %s', async (query) => {
    expect((await list(query)).status).toBe(200);
  });

  test.for([
    ['', 'tenant', 'required'],
    ['tenant=a&tenant=b', 'tenant', 'repeated'],
    ['tenant=a&brief=1', 'brief', 'type'],
    ['tenant=a&brief=TRUE', 'brief', 'type'],
    ['tenant=a&ratio=1e1', 'ratio', 'type'],
    ['tenant=a&ratio=2', 'ratio', 'too_large'],
    ['tenant=a&ids=1&ids=x', 'ids', 'type'],
    ['tenant=a&ids=-2', 'ids', 'too_small'],
    ['tenant=a&ids=1&ids=2&ids=3', 'ids', 'too_many'],
  ] as const)('and what breaks them is reported: %s', async ([query, parameter, code]) => {
    const { status, json } = await list(query);
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ parameter, code })]]);
  });

  test('parameters of the path item hold for each of its operations', async () => {
    const create = (path: string) => send({ method: 'POST', path, headers: HEADERS, body: {} });
    expect((await create('/edges/https?tenant=a&shadowed=b')).status).toBe(201);
    const { json } = await create('/edges/https');
    expect(json.errors.map(({ parameter, code }: Record<string, string>) => [parameter, code])).toEqual([
      ['tenant', 'required'],
      ['shadowed', 'required'],
    ]);
  });

  test.for([
    [undefined, 'required'],
    ['x', 'type'],
    ['10', 'too_large'],
  ] as const)('a header of %s is reported', async ([value, code]) => {
    const headers = { authorization: HEADERS.authorization, ...(value === undefined ? {} : { 'x-trace': value }) };
    const { status, json } = await send({ path: '/edges/https?tenant=a', headers });
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ parameter: 'X-Trace', code })]]);
  });

  test('an operation without security needs no token', async () => {
    expect((await send({ path: '/event_subscriptions/s/sources' })).status).toBe(200);
    expect((await send({ method: 'POST', path: '/event_subscriptions/s/sources' })).status).toBe(401);
    expect((await send({ method: 'OPTIONS', path: '/event_subscriptions/s/sources' })).status).toBe(204);
  });

  test('a body that may be omitted may be omitted, whatever its schema requires', async () => {
    const headers = { authorization: HEADERS.authorization };
    const path = '/event_subscriptions/s/sources';
    await send({ method: 'POST', path, headers, body: { type: 'a.v0' } });
    expect((await send({ method: 'PATCH', path: `${path}/a.v0`, headers })).status).toBe(200);
    const { json } = await send({ method: 'PATCH', path: `${path}/a.v0`, headers, body: {} });
    expect(json.errors).toMatchObject([{ pointer: '/type', code: 'required' }]);
  });

  test('a fixed segment goes before one that stands for any text', async () => {
    const { status, headers } = await send({ path: '/edges/https/fixed', headers: HEADERS });
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });
});

const FIRST_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

test('other defaults in the contract show in responses, on create and on update', async () => {
  const changed = changedContract((document: AnyDocument) => {
    const { schemas, parameters } = document.components;
    schemas.Enabled.default = false;
    schemas.HTTPSEdgeCreate.properties.description.default = 'none given';
    schemas.HTTPSEdgeRouteCreate.properties.description.default = 'none given';
    schemas.HTTPSEdgeCreate.properties.hostports.default = ['default.example.com:443'];
    schemas.EndpointTLSTerminationAtEdge.properties.min_version.default = '1.3';
    schemas.EndpointOAuthMutate.properties.cookie_prefix.default = 'other.';
    schemas.EndpointOAuthBasicMutate.properties.email_domains.default = ['example.com'];
    schemas.EndpointCircuitBreakerMutate.properties.num_buckets.default = 7;
    schemas.EndpointSAMLMutate.properties.nameid_format.default = FIRST_FORMAT;
    parameters.Limit.schema.default = 1;
  });
  const { send } = await serveApp({ contract: changed, validateResponses: false });
  const edge = await send({ method: 'POST', path: '/edges/https', body: { mutual_tls: {}, tls_termination: {} } });
  expect(edge.json).toMatchObject({
    description: 'none given',
    hostports: ['default.example.com:443'],
    mutual_tls: { enabled: false },
    tls_termination: { enabled: false, min_version: '1.3' },
  });
  const path = `/edges/https/${edge.json.id}`;
  await send({ method: 'PATCH', path, body: { description: 'own', hostports: ['own.example.com:443'] } });
  const reset = await send({ method: 'PATCH', path, body: { description: null, hostports: null } });
  expect([reset.json.description, reset.json.hostports]).toEqual(['none given', ['default.example.com:443']]);

  const body = {
    ...{ match_type: 'path_prefix', match: '/', circuit_breaker: {} },
    oauth: { provider: { google: {} } },
    saml: { enabled: false, idp_metadata: '<EntityDescriptor/>' },
  };
  const route = await send({ method: 'POST', path: `${path}/routes`, body });
  expect(route.json).toMatchObject({
    description: 'none given',
    circuit_breaker: { enabled: false, num_buckets: 7 },
    oauth: { cookie_prefix: 'other.', provider: { google: { email_domains: ['example.com'] } } },
    saml: { nameid_format: FIRST_FORMAT },
  });

  await send({ method: 'POST', path: '/edges/https', body: {} });
  expect((await send({ path: '/edges/https' })).json.https_edges).toHaveLength(1);
});
