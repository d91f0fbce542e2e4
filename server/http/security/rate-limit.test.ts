import { describe, expect, test } from 'vitest';
import { serveApp } from '../../testing/serve.ts';
import { createTokens } from './tokens.ts';

const EDGES = '/edges/https';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('without a limit there are no headers of one', async () => {
  const { send } = await serveApp();
  expect(Object.keys((await send({ path: EDGES })).headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

describe('with a limit', () => {
  test('answers tell what is left, and beyond it is 429 with Retry-After', async () => {
    const { send } = await serveApp({ rateLimit: 3 });
    for (const left of [2, 1, 0]) {
      const answer = await send({ path: left === 1 ? '/nowhere' : EDGES });
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"per-minute"; r=${left}; t=\\d+$`));
      expect(answer.headers['ratelimit-policy']).toMatch(/^"per-minute"; q=3; w=60;/);
    }
    const answer = await send({ method: 'POST', path: EDGES, body: {} });
    expect([answer.status, answer.json.code]).toEqual([429, 'too_many_requests']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('health is not counted', async () => {
    const { send } = await serveApp({ rateLimit: 1 });
    for (let n = 0; n < 3; n++) {
      for (const path of ['/livez', '/readyz']) {
        const answer = await send({ path });
        expect([answer.status, answer.headers['ratelimit']]).toEqual([200, undefined]);
      }
    }
    expect((await send({ path: EDGES })).status).toBe(200);
    expect((await send({ path: EDGES })).status).toBe(429);
  });

  test('each valid token has a count of its own', async () => {
    const tokens = createTokens(['a', 'b'].map((text) => ({ text, readOnly: false })));
    const { send } = await serveApp({ rateLimit: 2, tokens });
    for (const status of [200, 200, 429])
      expect((await send({ path: EDGES, headers: bearer('a') })).status).toBe(status);
    for (const status of [200, 200, 429])
      expect((await send({ path: EDGES, headers: bearer('b') })).status).toBe(status);
  });

  test('guesses of tokens share one count, also those for tests', async () => {
    const { send } = await serveApp({ rateLimit: 4, token: 'sesame', testToken: 'for-tests' });
    for (const [n, path] of [EDGES, '/testing/snapshot', EDGES, '/%'].entries())
      expect((await send({ path, headers: bearer(`guess${n}`) })).status).toBeLessThan(429);
    for (const path of [EDGES, '/testing/snapshot'])
      expect((await send({ path, headers: bearer('guess') })).status).toBe(429);
    expect((await send({ path: EDGES, headers: bearer('sesame') })).status).toBe(200);
  });

  test('where no token is asked for, one makes no difference', async () => {
    const { send } = await serveApp({ rateLimit: 2 });
    for (const [n, status] of [200, 200, 429].entries())
      expect((await send({ path: EDGES, headers: bearer(`any${n}`) })).status).toBe(status);
  });

  test('what a client says of its address is not believed', async () => {
    const { send } = await serveApp({ rateLimit: 2 });
    for (const [n, status] of [200, 200, 429].entries())
      expect((await send({ path: EDGES, headers: { 'x-forwarded-for': `192.0.2.${n}` } })).status).toBe(status);
  });

  test('what a proxy in front says of it is, and nothing beyond', async () => {
    const { send } = await serveApp({ rateLimit: 1, trustProxy: 1 });
    const from = (addresses: string) => send({ path: EDGES, headers: { 'x-forwarded-for': addresses } });
    expect((await from('192.0.2.1')).status).toBe(200);
    expect((await from('192.0.2.2')).status).toBe(200);
    expect((await from('198.51.100.1, 192.0.2.1')).status).toBe(429);
    // One household has many addresses of version 6.
    expect((await from('2001:db8::1')).status).toBe(200);
    expect((await from('2001:db8::2:1')).status).toBe(429);
  });
});
