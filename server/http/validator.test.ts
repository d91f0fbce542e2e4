/** The traps of express-openapi-validator that validator.ts closes. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ContractError, type JsonObject, readContract } from '../contract.ts';
import type { EdgeRecord } from '../domain/edge.ts';
import { createMemoryStore } from '../store/memory.ts';
import { contract, serveApp } from '../testing/serve.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

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
    ['is not OpenAPI', 'openapi: 3.1.0', 'swagger: "2.0"', /is not an OpenAPI document/],
    [
      'breaks the schema of OpenAPI',
      "      responses:\n        '201':",
      '      responses:\n        created:',
      /not a valid OpenAPI document/,
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

describe('an answer that breaks the contract', () => {
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

  test('goes out where answers are not judged', async () => {
    await store.edges.update(
      'e',
      () => ({ ...broken, mutual_tls: null, tls_termination: null }) as unknown as EdgeRecord,
    );
    const { send } = await serveApp({ store, validateResponses: false });
    expect((await send({ path: '/edges/https/e' })).json.created_at).toBe('yesterday');
  });
});

test('each operation of the contract lists its statuses by name', () => {
  const operations = Object.values(contract.document.paths as JsonObject).flatMap((item) =>
    Object.values(item as JsonObject),
  );
  for (const { responses } of operations as { responses: JsonObject }[]) {
    expect(Object.keys(responses)).not.toContain('default');
  }
});
