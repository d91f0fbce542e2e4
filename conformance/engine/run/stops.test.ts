/** The look for the request that stops a service leaves nothing behind. */
import { expect, test } from 'vitest';
import { NoResponse } from '../http/response.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import type { Sending } from '../http/call.ts';
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
  const stops = new Stops(implementation, {
    api: {},
    signal: new AbortController().signal,
    script: () => '',
    bringBack: async () => {
      isDown = false;
      return undefined;
    },
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
  const stops = new Stops(implementation, {
    api: {},
    signal: new AbortController().signal,
    script: () => '',
    bringBack: async () => {
      isDown = false;
      isBroken = false;
      starts++;
      return undefined;
    },
  });
  const look = await stops.look();
  const [found] = stops.all;
  const steps = found?.failure.exchanges.map(({ request }) => request.method);
  expect(look.kind).toBe('back');
  expect(found?.failure.cause_id).toMatch(/:service-stops-after-several$/);
  expect(steps).toEqual(['DELETE', 'GET']);
  expect(starts).toBeLessThan(6);
});
