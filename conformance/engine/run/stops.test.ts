/** The look for the request that stops a service leaves nothing behind. */
import { expect, test } from 'vitest';
import { NoResponse } from '../http/response.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import type { Sending } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { Stops } from './stops.ts';

const PATHS = `
  /items:
    post:
      operationId: addItem
      requestBody:
        content: {application/json: {schema: {type: object}}}
      responses:
        201:
          description: Made.
          content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}
  /items/{id}:
    get:
      parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: It.}}
    delete:
      parameters: *id
      responses: {204: {description: Gone.}}`;

test('what a request makes when it is sent again is removed', async () => {
  const items = new Set<string>();
  let last = 0;
  let isDown = false;
  const respond = ({ method, target }: Sending) => {
    if (isDown) {
      throw new NoResponse('refused', 'nobody listens');
    }
    if (method === 'POST') {
      const id = String(++last);
      items.add(id);
      return { status: 201, json: { id } };
    }
    const id = target.split('/').at(-1) ?? '';
    const isThere = method === 'DELETE' ? items.delete(id) : items.has(id);
    return { status: isThere ? 200 : 404 };
  };
  const { implementation, session } = serviceOf(PATHS, respond);
  await session.call('addItem', { json: { name: 'a' } });
  items.clear();
  isDown = true;
  const stops = stopsOf(implementation, () => {
    isDown = false;
  });
  const look = await stops.look();
  expect([look.kind, last, [...items]]).toEqual(['back', 2, []]);
});

test('a request that stops the service behind another one is reported with that', async () => {
  let isDown = true;
  let isBroken = false;
  let starts = 0;
  const respond = ({ method, target }: Sending) => {
    if (isDown) {
      throw new NoResponse('refused', 'nobody listens');
    }
    if (method === 'GET' && target.endsWith('/items/1') && isBroken) {
      isDown = true;
      throw new NoResponse('closed', 'the connection ended');
    }
    isBroken ||= method === 'DELETE';
    return { status: method === 'POST' ? 201 : 200, json: { id: '1' } };
  };
  const { implementation, session } = serviceOf(PATHS, respond);
  isDown = false;
  const path = { id: '1' };
  await session.call('addItem', { json: { name: 'a' } });
  await session.call('GET/items/{id}', { path });
  await session.call('DELETE/items/{id}', { path });
  await session.call('GET/items/{id}', { path }).catch(() => undefined);
  const stops = stopsOf(implementation, () => {
    isDown = false;
    isBroken = false;
    starts++;
  });
  const look = await stops.look();
  const [found] = stops.all;
  const steps = found?.failure.exchanges.map(({ request }) => request.method);
  expect(look.kind).toBe('back');
  expect(found?.failure.cause_id).toMatch(/:service-stops-after-several$/);
  expect(steps).toEqual(['DELETE', 'GET']);
  expect(starts).toBeLessThan(6);
});

test('a request that stops the service alone is made smaller, wherever it was found', async () => {
  let isDown = false;
  const respond = ({ method }: Sending) => {
    if (isDown) {
      throw new NoResponse('refused', 'nobody listens');
    }
    if (method === 'POST') {
      isDown = true;
      throw new NoResponse('closed', 'the connection ended');
    }
    return { status: 200, json: { id: '1' } };
  };
  const { implementation, session } = serviceOf(PATHS, respond);
  const body = { name: 'a', note: 'b' };
  await session.call('addItem', { json: body }).catch(() => undefined);
  const stops = stopsOf(implementation, () => {
    isDown = false;
  });
  // Before it is known to stop the service alone, it is shown as it was sent.
  stops.noteUnknown(implementation.suspects.all);
  expect(bodiesIn(stops)).toEqual([JSON.stringify(body)]);
  await stops.noteAlone();
  expect(bodiesIn(stops)).toEqual(['{}']);
});

/** The bodies of the requests that stop the service. */
function bodiesIn({ all }: Stops): unknown[] {
  return all.map(({ failure }) => failure.exchanges.at(-1)?.request.body);
}

/** @param start brings the service back */
function stopsOf(implementation: Implementation, start: () => void): Stops {
  return new Stops(implementation, {
    api: {},
    signal: new AbortController().signal,
    script: () => '',
    bringBack: async () => {
      start();
      return undefined;
    },
  });
}
