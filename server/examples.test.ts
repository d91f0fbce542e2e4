/** The examples of the contract: each request is sent to this server, and its response is held against the example. */
import { describe, expect, test } from 'vitest';
import { type JsonObject, readContract, resolve } from './contract.ts';
import { serveForFile } from './testing/serve.ts';

const { document } = readContract();

const SOURCES = '/event_subscriptions/sub_orders/sources';

interface Example {
  operationId: string;
  method: string;
  path: string;
  name: string;
  request: unknown;
  /** Of the success with the same name; undefined where the contract shows none. */
  response: unknown;
}

const examples = Object.entries(document['paths'] as Record<string, JsonObject>).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    const { operationId, requestBody, responses } = operation as JsonObject;
    const sent = examplesIn(requestBody, 'application/json');
    const success = Object.entries(responses as JsonObject).find(([status]) => status.startsWith('2'))![1];
    const shown = examplesIn(success, 'application/json');
    return Object.entries(sent).map(([name, request]): Example => ({
      operationId: String(operationId),
      method: method.toUpperCase(),
      path,
      name,
      request,
      response: shown[name],
    }));
  }),
);

function examplesIn(holder: unknown, type: string): Record<string, unknown> {
  if (holder === undefined) return {};
  const { content } = resolve(document, holder) as { content?: Record<string, { examples?: JsonObject }> };
  const named = Object.entries(content?.[type]?.examples ?? {});
  return Object.fromEntries(named.map(([name, example]) => [name, resolve(document, example)['value']]));
}

function exampleOf(operationId: string, name: string): unknown {
  return examples.find((one) => one.operationId === operationId && one.name === name)!.request;
}

/** What differs from run to run, and nothing else, is made the same. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'BASE')
    .replaceAll(/edghtsrt_\w+/g, 'ROUTE')
    .replaceAll(/edghts_\w+/g, 'EDGE')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return JSON.parse(text) as unknown;
}

describe('each example of a request', () => {
  const { send } = serveForFile();

  test.for(examples.map((one) => [one.operationId, one.name, one] as const))('%s %s', async ([, , example]) => {
    const post = async (path: string, body: unknown) => (await send({ method: 'POST', path, body })).json;
    const { operationId, method, request } = example;
    let path = example.path.replace('{subscription_id}', 'sub_orders').replace('{type}', 'ip_policy_created.v0');
    if (operationId === 'updateEdge') {
      path = path.replace('{id}', (await post('/edges/https', exampleOf('createEdge', 'full'))).id);
    } else if (operationId.endsWith('Route')) {
      path = path.replace('{edge_id}', (await post('/edges/https', {})).id);
      if (operationId === 'updateRoute')
        path = path.replace('{id}', (await post(path.replace('/{id}', ''), exampleOf('createRoute', 'signIn'))).id);
    } else if (operationId.endsWith('EventSource')) {
      for (const type of ['ip_policy_created.v0', 'http_request_complete.v0'])
        await send({ method: 'DELETE', path: `${SOURCES}/${type}` });
      if (operationId === 'updateEventSource') await post(SOURCES, exampleOf('createEventSource', 'add'));
    }
    const { status, json } = await send({ method, path, body: request });
    expect([status, json]).toEqual([method === 'POST' ? 201 : 200, expect.anything()]);
    if (example.response !== undefined) expect(comparable(json)).toEqual(comparable(example.response));
  });

  test('most have an example of their response', () => {
    expect(examples.filter(({ response }) => response !== undefined).length).toBeGreaterThanOrEqual(8);
  });
});
