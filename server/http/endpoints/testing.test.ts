import { expect, test } from 'vitest';
import { createMemoryStore } from '../../store/memory.ts';
import { serveApp } from '../../testing/serve.ts';

const headers = { authorization: 'Bearer for-tests' };
const SNAPSHOT = '/testing/snapshot';
const RESET = '/testing/reset';

test('are not there without a token for them', async () => {
  const { send } = await serveApp({ token: 'for-tests' });
  for (const [method, path] of [
    ['GET', SNAPSHOT],
    ['PUT', SNAPSHOT],
    ['POST', RESET],
  ] as const) {
    expect((await send({ method, path, headers })).status).toBe(404);
  }
});

test('a snapshot comes back as it was, and a reset leaves the seed', async () => {
  const store = createMemoryStore();
  const loadSeed = async () => {
    await store.subscriptions.update('seeded', () => ({ id: 'seeded', types: ['a.v0'] }));
  };
  const { send } = await serveApp({ store, loadSeed, token: 'for-clients', testToken: 'for-tests' });
  const client = { authorization: 'Bearer for-clients' };
  const made = await send({
    method: 'POST',
    path: '/edges/https',
    headers: client,
    body: { description: 'kept \u2028' },
  });
  const snapshot = await send({ path: SNAPSHOT, headers });
  expect([snapshot.status, snapshot.headers['content-type']]).toEqual([200, 'application/x-ndjson']);

  await send({ method: 'POST', path: '/edges/https', headers: client, body: {} });
  expect((await send({ method: 'POST', path: RESET, headers })).status).toBe(204);
  expect([await store.edges.count(), await store.subscriptions.count()]).toEqual([0, 1]);

  expect((await send({ method: 'PUT', path: SNAPSHOT, headers, body: snapshot.text })).status).toBe(204);
  expect((await send({ path: SNAPSHOT, headers })).text).toBe(snapshot.text);
  expect((await send({ path: `/edges/https/${made.json.id}`, headers: client })).json).toEqual(made.json);
});

test('need their own token, and the right method', async () => {
  const store = createMemoryStore();
  await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
  const { send } = await serveApp({ store, token: 'for-clients', testToken: 'for-tests' });
  for (const authorization of [undefined, 'Bearer for-clients', 'Bearer ']) {
    const answer = await send({
      method: 'POST',
      path: RESET,
      ...(authorization ? { headers: { authorization } } : {}),
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer/)]);
  }
  const answer = await send({ method: 'DELETE', path: SNAPSHOT, headers });
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, PUT']);
  expect(await store.subscriptions.count()).toBe(1);
});

test('a snapshot that is not whole changes nothing', async () => {
  const store = createMemoryStore();
  await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
  const { send } = await serveApp({ store, testToken: 'for-tests' });
  const { text } = await send({ path: SNAPSHOT, headers });
  for (const body of ['', 'x', text.slice(0, -3), text.split('\n').slice(0, 2).join('\n')]) {
    const answer = await send({ method: 'PUT', path: SNAPSHOT, headers, body });
    expect([answer.status, answer.json.code]).toEqual([400, 'malformed_request']);
  }
  expect(await store.subscriptions.count()).toBe(1);
});
