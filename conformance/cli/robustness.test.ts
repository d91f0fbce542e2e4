/** Requests that a contract says nothing about: a server error is a finding, a refusal is not. */
import { expect, it } from 'vitest';
import type { Service, ServiceRequest } from '../self-test/service.ts';
import { contractOf, type Document } from './testing/contracts.ts';
import { segmentsOf } from './testing/requests.ts';
import { respondWith, resultsBy } from './testing/services.ts';

/** Items that nobody removes: reads find the first one. */
const CONTRACT: Document = (() => {
  const contract = contractOf('dying');
  const { get } = contract.paths['/items'];
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const search = { name: 'q', in: 'query', schema: { type: 'string' } };
  const format = { name: 'format', in: 'query', schema: { enum: ['json', 'csv'] } };
  const missing = { name: 'missing', in: 'query', schema: { type: ['number', 'string'] } };
  const tag = { name: 'If-None-Match', in: 'header', schema: { type: 'string' } };
  get.parameters = [limit, search, format, missing, tag];
  contract.components.securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    other: { type: 'apiKey', in: 'query', name: 'key' },
  };
  contract.security = [{ key: [] }, { other: [] }];
  return contract;
})();

type Fails = (request: ServiceRequest) => boolean;

function serviceThat(fails: Fails): Service {
  const items = new Map<string, unknown>();
  let last = 0;
  return async (request) => {
    const { method, headers, body } = request;
    const [, id] = segmentsOf(request);
    if (fails(request)) {
      return respondWith(500, {});
    }
    if (!['GET', 'POST', 'DELETE'].includes(method)) {
      return respondWith(405, {});
    }
    if (headers['x-key'] !== 'secret') {
      return respondWith(401, {});
    }
    if (id !== undefined) {
      const item = items.get(id);
      if (method === 'DELETE') {
        return respondWith(items.delete(id) ? 204 : 404);
      }
      return item === undefined ? respondWith(404) : respondWith(200, item);
    }
    if (method === 'GET') {
      return respondWith(200, [...items.values()]);
    }
    const name = nameIn(body);
    if (name === undefined) {
      return respondWith(400);
    }
    const item = { id: ++last, name };
    items.set(String(last), item);
    return respondWith(201, item);
  };
}

function nameIn(body: Buffer): string | undefined {
  try {
    const { name } = JSON.parse(String(body)) ?? {};
    return typeof name === 'string' && name.length <= 10 ? name : undefined;
  } catch {
    return undefined;
  }
}

const LINE =
  '--runs 20 --auth key=secret --only *.unusual --only *.malformed --only *.methods ' +
  '--only *.path.unknown --min-tried 0';

const isLong = (id: string | undefined): boolean => id !== undefined && id.length > 9;

const CASES: [string, Fails, string][] = [
  ['null', ({ body }) => String(body) === 'null', 'addItem.body.unusual'],
  ['a list of null', ({ body }) => String(body) === '[null]', 'addItem.body.unusual'],
  ['NUL in a text', ({ body }) => String(body).includes('\\u0000'), 'addItem.body.unusual'],
  [
    'a form of parts without a boundary',
    ({ headers }) => headers['content-type'] === 'multipart/form-data',
    'addItem.body.unusual',
  ],
  [
    'another type',
    ({ headers }) => headers['content-type'] === 'text/plain',
    'addItem.body.unusual',
  ],
  ['a negative limit', ({ target }) => target.includes('limit=-1'), 'listItems.parameters.unusual'],
  [
    'a negative limit in one format',
    ({ target }) => target.includes('format=csv') && target.includes('limit=-1'),
    'listItems.parameters.unusual',
  ],
  [
    'an empty text for a number',
    ({ target }) => /missing=(&|$)/.test(target),
    'listItems.parameters.unusual',
  ],
  [
    'a key beyond ASCII in the query, read last',
    ({ target, headers }) => headers['x-key'] === 'secret' && /key=[^&]*%/.test(target),
    'removeItem.credentials.malformed',
  ],
  [
    'an invalid entity tag',
    ({ headers }) => headers['if-none-match'] === '*x',
    'listItems.parameters.unusual',
  ],
  [
    'the removal of what is not there with a type of a body',
    ({ method, headers }) =>
      method === 'DELETE' && headers['content-type'] === 'multipart/form-data',
    'removeItem.path.unknown',
  ],
  ['an empty text', ({ target }) => /q=(&|$)/.test(target), 'listItems.parameters.unusual'],
  [
    'a key beyond ASCII',
    ({ headers }) => /[^ -~]/.test(headers['x-key'] ?? ''),
    'listItems.credentials.malformed',
  ],
  [
    'a long key',
    ({ headers }) => (headers['x-key'] ?? '').length > 100,
    'readItem.credentials.malformed',
  ],
  [
    'a method that a path does not have',
    ({ method, target }) => method === 'PATCH' && target.startsWith('/items/'),
    'readItem.methods',
  ],
  [
    'the removal of what is not there',
    (request) => request.method === 'DELETE' && isLong(segmentsOf(request)[1]),
    'removeItem.path.unknown',
  ],
];

it.each(CASES)('an error of a service at %s is found', async (_, fails, id) => {
  const { broken, report } = await resultsBy(serviceThat(fails), CONTRACT, LINE);
  expect(broken).toContain(id);
  expect(report.findings.map(({ kind }) => kind)).toContain('server-error');
});

it('a service that refuses all of them passes, and nothing else is changed', async () => {
  const sent: ServiceRequest[] = [];
  const never: Fails = (request) => {
    sent.push(request);
    return false;
  };
  const { broken, report } = await resultsBy(serviceThat(never), CONTRACT, LINE);
  expect([broken, report.summary.blocked]).toEqual([[], 0]);
  const changes = sent.filter(({ method }) => method === 'PUT' || method === 'PATCH');
  expect(changes.every((request) => isLong(segmentsOf(request)[1]))).toBe(true);
  expect(sent.length).toBeLessThan(200);
});
