/** A request that stops a service becomes the smallest that still does, with few starts. */
import { expect, test } from 'vitest';
import type { RecordedExchange } from '../http/exchange.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import { smallestOf } from './smaller-request.ts';

const PATHS = `
  /items:
    get:
      parameters:
        - {name: kind, in: query, required: true, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer}}
      responses: {200: {description: All.}}
    post:
      parameters:
        - {name: X-Tenant, in: header, required: true, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string}
                tags: {type: array, items: {type: string}}
                inner:
                  type: object
                  required: [a]
                  properties: {a: {type: integer}, b: {type: integer}}
      responses: {201: {description: Made.}}
  /items/{id}:
    delete:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: force, in: query, schema: {type: boolean}}
      responses: {204: {description: Gone.}}`;

type Request = RecordedExchange['request'];

/** @param isStopping whether the service stops at a request */
async function smallest(given: Partial<Request>, isStopping: (request: Request) => boolean) {
  const { implementation } = serviceOf(PATHS, () => ({ status: 200 }));
  const { method = 'POST', target = '/items' } = given as { method?: string; target?: string };
  const url = given.url ?? implementation.client.urlOf(target);
  const request: Request = { headers: {}, body: null, ...given, method, url };
  let starts = 0;
  let tries = 0;
  const found = await smallestOf({ request, response: null }, implementation, async (smaller) => {
    tries++;
    if (!isStopping(smaller.request)) {
      return undefined;
    }
    starts++;
    return smaller;
  });
  expect(isStopping(found.request)).toBe(true);
  return { request: found.request, starts, tries };
}

const body = (value: unknown) => ({ body: JSON.stringify(value) });
const bodyOf = ({ body: text }: Request): any => JSON.parse(text ?? 'null');

test('what is optional is left out at once if it does not matter', async () => {
  const headers = { 'content-type': 'application/json', 'x-tenant': 'a', 'if-match': '"1"' };
  const json = { name: 'ada', tags: ['x', 'y'], inner: { a: 1, b: 2 } };
  const { request, starts } = await smallest({ headers, ...body(json) }, () => true);
  const { 'if-match': _, ...kept } = headers;
  expect([request.headers, bodyOf(request), starts]).toEqual([kept, { name: 'ada' }, 1]);
});

test('the one optional member that matters stays', async () => {
  const json = { name: 'ada', tags: ['x', 'y'], inner: { a: 1, b: 2 } };
  const isStopping = (request: Request) => bodyOf(request).inner?.b === 2;
  const { request } = await smallest(body(json), isStopping);
  expect(bodyOf(request)).toEqual({ name: 'ada', inner: { a: 1, b: 2 } });
});

test('a query parameter of a read is left out unless it is required', async () => {
  const url = 'http://service.test/items?kind=a&limit=3&other=b';
  const { request } = await smallest({ method: 'GET', url }, () => true);
  expect(request.url).toBe('http://service.test/items?kind=a');
});

test('a long text becomes as short as stops the service', async () => {
  const json = { name: 'a'.repeat(4096) };
  const { request, starts } = await smallest(body(json), (one) => bodyOf(one).name.length >= 16);
  expect(bodyOf(request).name.length).toBeLessThan(32);
  expect(starts).toBeLessThanOrEqual(8);
});

test('deep nesting becomes as deep as stops the service', async () => {
  const of = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const given = { body: of(10_000) };
  const { request } = await smallest(given, ({ body: text }) => (text?.length ?? 0) > 2_000);
  expect(request.body).toMatch(/^\{"name":\[+\]+\}$/);
  expect(request.body?.length).toBeLessThan(4_000);
});

test('a request that needs all of it costs no start and few requests', async () => {
  const json = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, index]));
  const whole = JSON.stringify(json);
  const found = await smallest({ body: whole }, (request) => request.body === whole);
  expect([found.request.body, found.starts, found.tries]).toEqual([whole, 0, 40]);
});

test('a DELETE is not changed, since it may remove more', async () => {
  const url = 'http://service.test/items/1?force=true';
  const found = await smallest({ method: 'DELETE', url }, () => true);
  expect([found.request.url, found.tries]).toEqual([url, 0]);
});
