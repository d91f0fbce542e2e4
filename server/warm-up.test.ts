import { expect, test } from 'vitest';
import { serveApp } from './testing/serve.ts';

test('a warm-up leaves nothing behind: no edge, no line in the log, nothing counted, and the tokens that are asked for', async () => {
  const { send, logged } = await serveApp({ warmUp: true, validateResponses: false, token: 'own', rateLimit: 2 });
  expect(logged).toEqual([]);
  const ask = (token: string) => send({ path: '/edges/https', headers: { authorization: `Bearer ${token}` } });
  const { status, json, headers } = await ask('own');
  expect([status, json.edges, headers['ratelimit']]).toEqual([200, [], expect.stringContaining('r=1;')]);
  expect((await ask('other')).status).toBe(401);
  expect(logged.map(({ status: told }) => told)).toEqual([200, 401]);
});
