/** Faults of the service itself: what a client sees and what the log sees are kept apart. */
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../store/memory.ts';
import { DamagedRecord, StoreUnavailable } from '../../store/store.ts';
import { serveApp } from '../../testing/serve.ts';

function storeThatFails(error: Error) {
  const fail = () => Promise.reject(error);
  const store = createMemoryStore();
  return {
    ...store,
    edges: { get: fail, list: fail, count: fail, create: fail, update: fail, replace: fail },
    check: fail,
  };
}

test.for([
  [new StoreUnavailable('cannot write /secret/path: ENOSPC'), 503, 'service_unavailable'],
  [new DamagedRecord('/secret/path is not a JSON document'), 500, 'internal_error'],
  [new TypeError('x is undefined in /secret/path'), 500, 'internal_error'],
] as const)('%s', async ([error, status, code]) => {
  const { send, logged } = await serveApp({ store: storeThatFails(error) });
  const answer = await send({ method: 'POST', path: '/edges/https', body: {} });
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.text).not.toContain('secret');
  expect(JSON.stringify(logged)).toContain('/secret/path');
  expect(logged).toContainEqual(expect.objectContaining({ level: 50, request_id: answer.json.request_id }));
});

test('readiness tells, liveness does not care', async () => {
  const { send } = await serveApp({ store: storeThatFails(new StoreUnavailable('gone')) });
  expect((await send({ path: '/readyz' })).status).toBe(503);
  expect((await send({ path: '/livez' })).status).toBe(200);
});
