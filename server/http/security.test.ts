/**
 * The rules for callers: tokens, hosts, origins and rates, all checked before anything else of a
 * request.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveApp, serveForFile, type ServeOptions } from '../testing/serve.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { hostName } from './request/host.ts';
import { Windows } from './security/rate-limit.ts';
import { createTokens } from './security/tokens.ts';

const EDGES = '/edges/https';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const twoTokens = () =>
  createTokens(['writer', 'reader'].map((text) => ({ text, readOnly: text === 'reader' })));

describe('tokens (D28)', () => {
  test.for([
    ['no token', {}, ''],
    ['two tokens one after the other', bearer('writerreader'), ', error="invalid_token"'],
  ] as const)('%s: 401 before anything else', async ([, headers, error]) => {
    const { send } = await serveApp({ tokens: twoTokens() });
    for (const path of [EDGES, '/nowhere', '/testing/reset']) {
      const answer = await send({ method: 'POST', path, headers, body: '{' });
      expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe(`Bearer realm="edge-api"${error}`);
    }
  });

  test('keep their texts and their digests secret', () => {
    const tokens = twoTokens();
    expect(JSON.stringify(tokens.principalOf('reader'))).not.toContain('reader');
    // With another key in each process: a name cannot be compared with guesses.
    expect(twoTokens().principalOf('reader')!.name).not.toBe(tokens.principalOf('reader')!.name);
  });

  test('that are read-only can read', async () => {
    const { send } = await serveApp({ tokens: twoTokens(), validateResponses: false });
    const statuses: Record<string, number> = {};
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      statuses[method] = (await send({ method, path: EDGES, headers: bearer('reader') })).status;
    }
    expect(statuses).toEqual({ GET: 200, HEAD: 200, OPTIONS: 204 });
  });

  test('that are read-only cannot write, and the body is not read', async () => {
    const { send } = await serveApp({ tokens: twoTokens() });
    const headers = { ...bearer('reader'), 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', path: EDGES, headers, body: '{' });
    expect([answer.status, answer.json.code]).toEqual([403, 'forbidden']);
    expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope"$/);
  });
});

describe('the host', () => {
  test.for([
    ['LOCALHOST:80', 'localhost'],
    ['localhost.', 'localhost'],
    ['a_b.example:65535', 'a_b.example'],
    ['127.0.0.1:', '127.0.0.1'],
    ['[::FFFF:127.0.0.1]:4010', '[::ffff:127.0.0.1]'],
    ...[
      '',
      'a:99999',
      'a:b',
      'a:-1',
      '..',
      'a..b',
      '.a',
      '[::::]',
      '[1.2.3.4]',
      '::1',
      'user@a',
      'a/b',
      'a b',
      'é',
    ]
      .concat('a'.repeat(254))
      .map((invalid) => [invalid, undefined] as const),
  ] as const)('%s is %s', ([authority, name]) => {
    expect(hostName(authority)).toBe(name);
  });

  const open = serveForFile({
    publicUrl: 'https://edge.example.com/api',
    validateResponses: false,
  });

  test.for([
    ...['localhost:1', '127.9.9.9:80', '[::1]', 'EDGE.example.com:8443'].map(
      (host) => [host, '/livez', 200] as const,
    ),
    ...['evil.example', '127.0.0.1.evil.example', '10.0.0.1', '12.0.0.1', '128.0.0.1', '[::2]'].map(
      (host) => [host, '/livez', 400] as const,
    ),
    // That of an absolute target counts.
    ['evil.example', 'http://localhost/livez', 200],
    ['localhost', 'https://127.0.0.1:1/livez', 200],
    ...[
      'http://evil.example/livez',
      'http://user@localhost/livez',
      'http:///livez',
      'ftp://localhost/livez',
    ].map((path) => ['localhost', path, 400] as const),
  ] as const)(
    'of an open service is on this machine or the public URL: %s, %s: %i',
    async ([host, path, status]) => {
      const answer = await open.send({ path, headers: { host } });
      expect(answer.status).toBe(status);
      if (path === '/livez' && status === 400) {
        expect(answer.json.detail).toMatch(/--public-url/);
      }
    },
  );

  test('may be any valid one if a token is needed', async () => {
    const { send } = await serveApp({ token: 'sesame', validateResponses: false });
    for (const [host, status] of Object.entries({
      'any.example': 200,
      '[::::]': 400,
      '..': 400,
      'evil"/x?': 400,
    })) {
      expect([host, (await send({ path: '/livez', headers: { host } })).status]).toEqual([
        host,
        status,
      ]);
    }
  });
});

describe('pages of other origins', () => {
  const APP = 'https://app.example.com';
  const ASKING = {
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type,prefer',
  };
  const { send } = serveForFile({ corsOrigins: [APP, 'http://127.0.0.1:5173'], token: 'sesame' });

  test('are not allowed by default', async () => {
    const service = await serveApp();
    const { headers } = await service.send({
      method: 'OPTIONS',
      path: EDGES,
      headers: { origin: APP, ...ASKING },
    });
    expect(headers.allow).toBe('POST, GET, HEAD, OPTIONS');
    expect(Object.keys(headers).filter((name) => /^access-control|^vary/.test(name))).toEqual([]);
  });

  test('need no token for a preflight; another OPTIONS returns Allow', async () => {
    const { status, headers } = await send({
      method: 'OPTIONS',
      path: EDGES,
      headers: { origin: APP, ...ASKING },
    });
    expect([status, headers.vary, headers['access-control-allow-origin']]).toEqual([
      204,
      'Origin',
      APP,
    ]);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers['access-control-allow-headers']).toBe(
      'Accept,Authorization,Content-Type,Prefer',
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    const plain = await send({ method: 'OPTIONS', path: EDGES, headers: { origin: APP } });
    expect([plain.status, plain.headers.allow]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
  });

  test.for([
    [EDGES, 'wrong', 401],
    ['/%', 'sesame', 400],
  ] as const)(
    'that are allowed can read every response and its headers: %s %s',
    async ([path, token, status]) => {
      const { headers, ...answer } = await send({
        path,
        headers: { origin: APP, ...bearer(token) },
      });
      expect([answer.status, headers['access-control-allow-origin'], headers.vary]).toEqual([
        status,
        APP,
        'Origin',
      ]);
      expect(headers['access-control-expose-headers']).toMatch(/^Allow,Location,.*Retry-After/);
    },
  );

  test('that are not allowed cannot', async () => {
    for (const origin of [
      `${APP}.evil.example`,
      'http://app.example.com',
      'null',
      `${APP}:8443`,
      APP.toUpperCase(),
    ]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await send({
          method,
          path: EDGES,
          headers: { origin, ...bearer('sesame'), ...ASKING },
        });
        // A cache must not give this response to an allowed page.
        expect([origin, headers['access-control-allow-origin'], headers.vary]).toEqual([
          origin,
          undefined,
          'Origin',
        ]);
      }
    }
  });

  test('are all allowed with *, without credentials', async () => {
    const every = await serveApp({ corsOrigins: ['*'], token: 'sesame' });
    const { status, headers } = await every.send({
      path: EDGES,
      headers: { origin: 'https://any.example' },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([401, '*']);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('the rate limit (D32)', () => {
  test('is shown in each response, and beyond it is 429 with Retry-After', async () => {
    const { send } = await serveApp({ rateLimit: 3 });
    for (const left of [2, 1, 0]) {
      const { headers } = await send({ path: left === 1 ? '/nowhere' : EDGES });
      expect(headers['ratelimit']).toMatch(new RegExp(`^"per-minute"; r=${left}; t=\\d+$`));
      expect(headers['ratelimit-policy']).toMatch(/^"per-minute"; q=3; w=60;/);
    }
    const { status, json, headers } = await send({ method: 'POST', path: EDGES, body: {} });
    expect([status, json.code, headers['cache-control']]).toEqual([
      429,
      'too_many_requests',
      'no-store',
    ]);
    expect(headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  test.for([-3600_000, 3600_000])(
    'neither waits longer nor forgets when the time of day is set by %d ms',
    async (step) => {
      const { send } = await serveApp({ rateLimit: 1 });
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      expect((await send({ path: EDGES })).status).toBe(200);
      vi.setSystemTime(Date.now() + step);
      const { status, headers } = await send({ path: EDGES });
      expect(status).toBe(429);
      expect(headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(headers['ratelimit']).toMatch(/; t=([1-9]|[1-5]\d|60)$/);
    },
  );

  test('begins again a minute after the first request of a client', () => {
    let now = 5_000;
    const windows = new Windows(() => now);
    const hitsAt = (ms: number, key = 'a'): number => {
      now = ms;
      return windows.increment(key).totalHits;
    };
    expect([hitsAt(5_000), hitsAt(40_000, 'b'), hitsAt(64_999)]).toEqual([1, 1, 2]);
    expect([hitsAt(65_000), hitsAt(99_999, 'b'), hitsAt(100_000, 'b')]).toEqual([1, 2, 1]);
    // Both are forgotten after two changes.
    expect([hitsAt(300_000), hitsAt(300_001, 'b'), hitsAt(300_002)]).toEqual([1, 1, 2]);
  });

  test('never asks for a wait that is longer than a minute', () => {
    for (let fraction = 0; fraction < 1; fraction += 0.001) {
      // The sum of this and a minute may be rounded up.
      const windows = new Windows(() => 50_000 + fraction);
      const { resetTime } = windows.increment('a');
      expect(resetTime.getTime() - Date.now(), String(fraction)).toBeLessThanOrEqual(60_000);
    }
  });

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const tests = { token: 'sesame', testToken: 'for-tests' };

  test.for<[string, ServeOptions, Record<string, string>[], number[], path?: string]>([
    ['does not count health', {}, [{}, {}], [200, 200], '/readyz'],
    [
      'counts each valid token, and all guesses together',
      { tokens: twoTokens() },
      ['writer', 'writer', 'reader', 'guess1', 'guess2'].map(bearer),
      [200, 429, 200, 401, 429],
    ],
    [
      'counts guesses of the test token',
      tests,
      ['1', '2', 'for-tests'].map(bearer),
      [401, 429, 429],
      '/testing/reset',
    ],
    ['ignores tokens of an open service', {}, [bearer('a'), bearer('b')], [200, 429]],
    [
      'does not trust an address that a client names',
      {},
      [from('192.0.2.1'), from('192.0.2.2')],
      [200, 429],
    ],
    [
      'trusts so many proxies, and takes one network of IPv6 for one client',
      { trustProxy: 1 },
      ['192.0.2.1', '192.0.2.2', '198.51.100.1, 192.0.2.1', '2001:db8::1', '2001:db8::2:1'].map(
        from,
      ),
      [200, 200, 429, 200, 429],
    ],
  ])('%s', async ([, options, sent, statuses, path = EDGES]) => {
    const { send } = await serveApp({ rateLimit: 1, ...options });
    const found: number[] = [];
    for (const headers of sent) {
      found.push((await send({ path, headers })).status);
    }
    expect(found).toEqual(statuses);
  });
});

test('every response says what a browser and a cache may do with it', async () => {
  const docsFile = join(await temporaryFolder(), 'index.html');
  await writeFile(docsFile, '<script>1</script>');
  const { send } = await serveApp({ token: 'sesame', testToken: 'for-tests', docsFile });
  for (const [method, path, token, status] of [
    ['GET', EDGES, 'sesame', 200],
    ['OPTIONS', EDGES, 'sesame', 204],
    ['GET', '/%', 'sesame', 400],
    ['GET', EDGES, 'wrong', 401],
    ['HEAD', '/nowhere', 'sesame', 404],
    ['GET', '/readyz', '', 200],
    ['POST', '/livez', '', 405],
    ['GET', '/testing/snapshot', 'for-tests', 200],
    ['POST', '/testing/reset', 'for-tests', 204],
  ] as const) {
    const answer = await send({ method, path, headers: bearer(token) });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
    // Off by default.
    expect(answer.headers).not.toHaveProperty('ratelimit');
  }
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json']) {
    const { status, headers } = await send({ method: 'HEAD', path });
    expect([status, headers['cache-control'], headers['x-content-type-options']]).toEqual([
      200,
      'no-cache',
      'nosniff',
    ]);
  }
});
