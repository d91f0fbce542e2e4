/**
 * Error handlers of others; URIs; the examples of the contract work; the log has no secret.
 * `index.test.ts` mounts it.
 */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { type JsonObject, resolve } from './contract.ts';
import { contract, serveApp } from './testing/serve.ts';

const SOURCES = '/event_subscriptions/sub_orders/sources';

test('error handlers can be added', async () => {
  const seen: unknown[] = [];
  const passing: ErrorRequestHandler = (error, req, res, next) => {
    seen.push((error as Error).name);
    if (req.path === '/own') {
      res.status(418).end();
    } else {
      next(error);
    }
  };
  const fail: RequestHandler = () => {
    throw new TypeError('secret detail');
  };
  const { send } = await serveApp({
    extend: (inner) => inner.get(['/fails', '/own'], fail).use(passing),
  });
  const { status, json, text } = await send({ path: '/fails' });
  expect([status, json.code, text]).toEqual([
    500,
    'internal_error',
    expect.not.stringContaining('secret'),
  ]);
  for (const [path, other] of Object.entries({ '/edges/https/unknown': 404, '/own': 418 })) {
    expect([path, (await send({ path })).status]).toEqual([path, other]);
  }
  expect(seen).toEqual(['TypeError', 'ApiError', 'TypeError']);
});

const teapot = Object.assign(new Error('short and stout'), { statusCode: 418, expose: true });
const busy = Object.assign(new Error('hush'), { status: 503, headers: { 'Retry-After': 7 } });
const odd = Object.assign(new Error('hush'), { status: 200 });

test.for<[string, number, string, string | RegExp, Record<string, string>?]>([
  ['{"hush":', 400, 'malformed_request', 'The request cannot be read.'],
  ['200 KB', 413, 'content_too_large', 'request entity too large'],
  ['{"throw":"teapot"}', 418, 'invalid_request', 'short and stout'],
  ['{"throw":"busy"}', 503, 'service_unavailable', /^The service cannot/, { 'retry-after': '7' }],
  ['{"throw":"odd"}', 500, 'internal_error', /^The request could not be completed/],
])('the error of a handler of others keeps its status: %s', async ([sent, ...expected]) => {
  const errors: Record<string, Error> = { teapot, busy, odd };
  const { send } = await serveApp({
    validateResponses: false,
    extend: (app) =>
      app.post('/own', express.json(), (req) => {
        throw errors[req.body.throw]!;
      }),
  });
  const headers = { 'content-type': 'application/json' };
  const body = sent === '200 KB' ? 'x'.repeat(200_000) : sent;
  const answer = await send({ method: 'POST', path: '/own', headers, body });
  const [status, code, detail, more = {}] = expected;
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(answer.json.detail).toMatch(detail);
  expect(answer.text).not.toContain('hush');
  expect(answer.headers).toMatchObject(more);
});

test.for([
  [undefined, 'http://edge.test:8080'],
  ['https://edge.example.com', 'https://edge.example.com'],
] as const)('with the public URL %s, URIs begin with %s (D34)', async ([publicUrl, base]) => {
  const service = await serveApp({ token: 'sesame', publicUrl });
  const headers = { host: 'edge.test:8080', authorization: 'Bearer sesame' };
  const { json } = await service.send({ method: 'POST', path: '/edges/https', body: {}, headers });
  expect(json.uri).toBe(`${base}/edges/https/${json.id}`);
});

test('the log has a line for each request, with the id of the problem and no secret', async () => {
  const service = await serveApp({ token: 'sesame' });
  const headers = { authorization: 'Bearer sesame' };
  const path = `${SOURCES}?key=hush`;
  const { json } = await service.send({ method: 'POST', path, headers, body: { type: 'private' } });
  await service.send({ path: SOURCES, headers: { authorization: 'Bearer guess' } });
  expect(service.logged).toMatchObject([
    {
      request_id: json.request_id,
      method: 'POST',
      path: SOURCES,
      operation: 'createEventSource',
      status: 400,
    },
    { status: 401 },
  ]);
  expect(JSON.stringify(service.logged)).not.toMatch(/sesame|guess|private|hush/);
});

/** Replaces what differs from run to run. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'BASE')
    .replaceAll(/edghtsrt_\w+/g, 'ROUTE')
    .replaceAll(/edghts_\w+/g, 'EDGE')
    .replaceAll(/(?<=BEGIN CERTIFICATE-----)[^"]+/g, 'PEM')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return JSON.parse(text) as unknown;
}

test('each example of a request in the contract gets the response of its example', async () => {
  const { document, operations } = contract;
  const examplesIn = (holder: unknown) => {
    const { content } = resolve(document, holder ?? {}) as {
      content?: Record<string, { examples?: JsonObject }>;
    };
    const named = Object.entries(content?.['application/json']?.examples ?? {});
    return named.map(([name, example]) => [name, resolve(document, example)['value']] as const);
  };
  const examples = Object.fromEntries(
    operations.flatMap((operation) => {
      const item = (document['paths'] as Record<string, Record<string, JsonObject>>)[
        operation.path
      ]!;
      const { requestBody, responses } = item[operation.method]!;
      const status = Number(
        Object.keys(responses as JsonObject).find((one) => one.startsWith('2')),
      );
      const shown = new Map(examplesIn((responses as JsonObject)[status]));
      const example = (name: string, body: unknown) => ({
        operation,
        body,
        status,
        shown: shown.get(name),
      });
      return examplesIn(requestBody).map(
        ([name, body]) => [`${operation.id} ${name}`, example(name, body)] as const,
      );
    }),
  );
  // In this order, each finds what it needs.
  const order = [
    'createEdge upstream',
    'createEdge full',
    'updateEdge change',
    'createEdge empty',
    'createRoute simple',
    'updateRoute swap',
    'createRoute all',
    'createEventSource add',
    'updateEventSource keep',
    'updateEventSource change',
  ];
  expect(Object.keys(examples).toSorted()).toEqual(order.toSorted());

  const service = await serveApp();
  const ids: Record<string, string> = {
    subscription_id: 'sub_orders',
    type: 'ip_policy_created.v0',
  };
  for (const name of order) {
    const { operation, body, status, shown } = examples[name]!;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id]!);
    const { json, ...answer } = await service.send({
      method: operation.method.toUpperCase(),
      path,
      body,
    });
    expect([name, answer.status, json]).toEqual([name, status, expect.anything()]);
    // The success may have no example with this name.
    if (shown !== undefined) {
      expect([name, comparable(json)]).toEqual([name, comparable(shown)]);
    }
    if (operation.id === 'createEdge') {
      ids['edge_id'] = json.id;
    }
    if (operation.id === 'createRoute') {
      ids['route_id'] = json.id;
    }
  }
});
