/** What the contract may use works, and what cannot be used stops the start: the traps of express-openapi-validator are closed. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ContractError, type JsonObject, readContract } from '../../contract.ts';
import type { EdgeRecord } from '../../domain/edge.ts';
import { createMemoryStore } from '../../store/memory.ts';
import { type AnyDocument, changedContract, contract, serveApp, serveForFile } from '../../testing/serve.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const yaml = readFileSync(contract.file, 'utf8');

/** The validator adds a schema to Ajv whenever it compiles for something new. */
function spyOnCompilation() {
  return vi.spyOn(Object.getPrototypeOf(Ajv2020.prototype) as { addSchema(): void }, 'addSchema');
}

afterEach(() => void vi.restoreAllMocks());

/** Starts with a contract in which one text is replaced by another. */
async function serveChanged(from: string, to: string) {
  expect(yaml).toContain(from);
  const file = join(await temporaryFolder(), 'openapi.yaml');
  await writeFile(file, yaml.replace(from, to));
  return serveApp({ contract: readContract(file) });
}

describe('a contract that cannot be used stops the start', () => {
  test.for([
    ['is not YAML', 'openapi: 3.1.0', 'openapi: [', /is not YAML/],
    ['is not OpenAPI', 'openapi: 3.1.0', 'swagger: "2.0"', /is not an OpenAPI 3.1 document/],
    [
      'breaks the schema of OpenAPI',
      "      responses:\n        '201':",
      '      responses:\n        created:',
      /the response created: a status must be written out/,
    ],
    [
      'has a dangling $ref',
      "$ref: '#/components/schemas/HTTPSEdgeCreate'",
      "$ref: '#/components/schemas/Missing'",
      /Missing/,
    ],
    ['has an unknown format', 'format: password', 'format: pasword', /format pasword/],
    [
      'has a pattern that does not compile',
      'pattern: ^[A-Za-z0-9_-]+$',
      'pattern: ^[A-Za-z0-9_-+$',
      /Invalid regular expression/,
    ],
  ] as const)('when it %s', async ([, from, to, message]) => {
    await expect(serveChanged(from, to)).rejects.toThrow(message);
    await expect(serveChanged(from, to)).rejects.toThrow(ContractError);
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

test('200 distinct Content-Type values do not compile 200 validators', async () => {
  const { send } = await serveApp();
  await send({ method: 'POST', path: '/edges/https', body: {} });
  await send({ path: '/edges/https/x' });
  const spy = spyOnCompilation();
  for (let p = 0; p < 200; p++) {
    const headers = { 'content-type': `application/json; p=${p}` };
    expect((await send({ method: 'POST', path: '/edges/https', headers, body: '{}' })).status).toBe(201);
    expect((await send({ path: '/edges/https/x', headers: { 'content-type': `text/p${p}` } })).status).toBe(404);
  }
  expect(spy).not.toHaveBeenCalled();
});

test('the first request compiles nothing', async () => {
  const { send } = await serveApp({ validateResponses: false });
  const spy = spyOnCompilation();
  const path = '/event_subscriptions/s/sources';
  await send({ method: 'POST', path: '/edges/https', body: {} });
  await send({ method: 'GET', path: '/edges/https/x' });
  await send({ method: 'POST', path, body: { type: 'a.v0' } });
  await send({ method: 'GET', path });
  await send({ method: 'GET', path: `${path}/a.v0` });
  await send({ method: 'PATCH', path: `${path}/a.v0` });
  await send({ method: 'PATCH', path: `${path}/a.v0`, body: {} });
  await send({ method: 'DELETE', path: `${path}/a.v0` });
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

test('an operation without a handler stops the start', async () => {
  const contractWithMore = changedContract((document: AnyDocument) => {
    document.paths['/edges/https'].get.operationId = 'searchEdges';
  });
  const starting = serveApp({ contract: contractWithMore, validateResponses: false });
  await expect(starting).rejects.toThrow(/^openapi\.yaml: this server has no handler for searchEdges$/);
});

test('each operation of the contract lists its statuses by name', () => {
  const operations = Object.values(contract.document.paths as JsonObject).flatMap((item) =>
    Object.values(item as JsonObject),
  );
  for (const { responses } of operations as { responses: JsonObject }[]) {
    expect(Object.keys(responses)).not.toContain('default');
  }
});
