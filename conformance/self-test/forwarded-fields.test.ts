/** Services that read in header fields, or in encoded queries, what nobody means. */
import { expect, test } from 'vitest';
import { isBroken } from '../engine/run/verdict.ts';
import { createIndependentService } from './independent/index.ts';
import { OPEN, type Service, type ServiceRequest, type ServiceResponse } from './service.ts';
import { run } from './test-bed.ts';

type Around = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;

async function isBrokenBy(around: Around, id: string): Promise<boolean> {
  const next = createIndependentService(OPEN);
  const service: Service = (request) => around(next, request);
  const { requirements } = await run(service, { seed: 1, level: 'extended', only: [id] });
  const tried = requirements.filter((one) => one.id === id);
  expect(tried).toHaveLength(1);
  return tried.some(isBroken);
}

/** Writes URIs as the field says. */
const writing =
  (field: string, uriFor: (value: string) => string): Around =>
  async (next, request) => {
    const response = await next(request);
    const value = request.headers[field];
    const { host = '' } = request.headers;
    if (value === undefined || host === '') {
      return response;
    }
    const change = (text: string): string =>
      text.replaceAll(`http://${host}`, uriFor(value).replace('HOST', host));
    const headers = Object.entries(response.headers).map(([name, one]) => [name, change(one)]);
    return {
      ...response,
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: change(response.body.toString()),
    };
  };

const FORWARDED: [field: string, around: Around][] = [
  ['X-Forwarded-Host', writing('x-forwarded-host', (value) => `http://${value}`)],
  ['X-Forwarded-Proto', writing('x-forwarded-proto', (value) => `${value}://HOST`)],
  ['X-Forwarded-Port', writing('x-forwarded-port', (value) => `http://127.0.0.1:${value}`)],
  ['X-Forwarded-Prefix', writing('x-forwarded-prefix', (value) => `http://HOST${value}`)],
  ['Forwarded', writing('forwarded', (value) => `http://${value.split('host=')[1] ?? 'HOST'}`)],
];

const IDS = [
  'edges.list.pages',
  'sources.pages',
  'getEdge.header-fields',
  'routes.saml.supplied.stable',
];

test.each(FORWARDED)('a service that writes URIs as %s says is found', async (_, around) => {
  for (const id of IDS) {
    expect([id, await isBrokenBy(around, id)]).toEqual([id, true]);
  }
});

const CHANGES = ['createEdge', 'updateEdge', 'createRoute', 'createEventSource'];

test.each(
  FORWARDED.filter(([field]) => field === 'X-Forwarded-Host' || field === 'X-Forwarded-Prefix'),
)('a service whose responses to changes have what %s says is found', async (_, around) => {
  for (const operationId of CHANGES) {
    expect(await isBrokenBy(around, `${operationId}.header-fields`)).toBe(true);
  }
});

/** An encoded character with lower-case digits, such as `%5f`. */
const LOWER_CASE = /%(?=[0-9a-f]{2})([0-9a-f]*[a-f])/g;

/** Keeps such characters in queries as they are. */
const keepsLowerCase: Around = (next, request) => {
  const [path = '', query] = request.target.split('?', 2);
  if (query === undefined) {
    return next(request);
  }
  return next({ ...request, target: `${path}?${query.replaceAll(LOWER_CASE, '%25$1')}` });
};

const QUERIES = ['listEdges.query.spellings', 'listEventSources.query.spellings'];

test.each(QUERIES)('a query whose lower-case digits are not decoded is found by %s', async (id) => {
  expect(await isBrokenBy(keepsLowerCase, id)).toBe(true);
});

test.each([...IDS, ...QUERIES])('a service without these errors passes %s', async (id) => {
  expect(await isBrokenBy((next, request) => next(request), id)).toBe(false);
});
