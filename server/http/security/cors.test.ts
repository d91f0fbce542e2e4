import { describe, expect, test } from 'vitest';
import { serveApp } from '../../testing/serve.ts';

const EDGES = '/edges/https';
const APP = 'https://app.example.com';
const ASKING = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,content-type,prefer',
};

describe('without origins', () => {
  test('nothing is allowed, and OPTIONS is as ever', async () => {
    const { send } = await serveApp();
    for (const headers of [{ origin: APP }, { origin: APP, ...ASKING }]) {
      const answer = await send({ method: 'OPTIONS', path: EDGES, headers });
      expect([answer.status, answer.headers.allow]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
      expect(Object.keys(answer.headers).filter((name) => /^access-control|^vary/.test(name))).toEqual([]);
    }
  });
});

describe('with origins', () => {
  const options = { corsOrigins: [APP, 'http://127.0.0.1:5173'], token: 'sesame' };

  test('a preflight needs no token', async () => {
    const { send } = await serveApp(options);
    const answer = await send({ method: 'OPTIONS', path: `${EDGES}/e`, headers: { origin: APP, ...ASKING } });
    expect([answer.status, answer.text, answer.headers.vary]).toEqual([204, '', 'Origin']);
    expect(answer.headers['access-control-allow-origin']).toBe(APP);
    expect(answer.headers['access-control-allow-methods']).toContain('PATCH');
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(',');
    for (const name of ASKING['access-control-request-headers'].split(',')) expect(allowed).toContain(name);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('their pages can read answers and refusals, and the headers that matter', async () => {
    const { send } = await serveApp(options);
    const headers = { origin: APP, authorization: 'Bearer sesame' };
    for (const [status, sending] of [
      [200, { path: EDGES, headers }],
      [201, { method: 'POST', path: EDGES, headers, body: {} }],
      [401, { path: EDGES, headers: { origin: APP } }],
      [405, { method: 'PUT', path: EDGES, headers }],
      [400, { path: '/%', headers }],
    ] as const) {
      const answer = await send(sending);
      expect([answer.status, answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual([
        status,
        APP,
        'Origin',
      ]);
      const exposed = String(answer.headers['access-control-expose-headers']).split(',');
      for (const name of ['Allow', 'Location', 'Retry-After']) expect(exposed).toContain(name);
    }
  });

  test('pages of others cannot', async () => {
    const { send } = await serveApp(options);
    for (const origin of [
      `${APP}.evil.example`,
      'http://app.example.com',
      'null',
      `${APP}:8443`,
      'HTTPS://APP.EXAMPLE.COM',
    ]) {
      for (const sending of [
        { path: EDGES, headers: { origin, authorization: 'Bearer sesame' } },
        { method: 'OPTIONS', path: EDGES, headers: { origin, ...ASKING } },
      ]) {
        const answer = await send(sending);
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
        // A cache must not give this response to a page that is allowed.
        expect(answer.headers.vary).toBe('Origin');
      }
    }
  });

  test('OPTIONS that is no preflight responds with Allow', async () => {
    const { send } = await serveApp({ corsOrigins: [APP] });
    const answer = await send({ method: 'OPTIONS', path: EDGES, headers: { origin: APP } });
    expect([answer.status, answer.headers.allow, answer.headers['access-control-allow-origin']]).toEqual([
      204,
      'POST, GET, HEAD, OPTIONS',
      APP,
    ]);
  });
});

test('with *, every page can', async () => {
  const { send } = await serveApp({ corsOrigins: ['*'], token: 'sesame' });
  const answer = await send({ path: EDGES, headers: { origin: 'https://any.example' } });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, '*']);
  expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
});
