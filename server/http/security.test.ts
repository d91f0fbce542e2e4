/** The rules for callers: tokens, hosts, origins and rates, all checked before anything else of a request. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveApp, serveForFile, type ServeOptions } from '../testing/serve.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { hostName } from './request/host.ts';
import { createTokens } from './security/tokens.ts';

const EDGES = '/edges/https';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const twoTokens = () =>
  createTokens([
    { text: 'writer', readOnly: false },
    { text: 'reader', readOnly: true },
  ]);

describe('tokens (D28)', () => {
  test.for([
    [undefined, ''],
    ['Bearer write', ', error="invalid_token"'],
    ['Bearer writers', ', error="invalid_token"'],
    ['Bearer writerreader', ', error="invalid_token"'],
    ['Basic Bearer writer', ', error="invalid_token"'],
    ['Bearer writer writer', ', error="invalid_token"'],
    ['Bearer', ', error="invalid_token"'],
  ] as const)('%s: 401 before anything else', async ([authorization, error]) => {
    const { send } = await serveApp({ tokens: twoTokens() });
    const headers = authorization === undefined ? {} : { authorization };
    for (const path of [EDGES, '/nowhere', '/testing/reset']) {
      const answer = await send({ method: 'POST', path, headers, body: '{' });
      expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe(`Bearer realm="edge-api"${error}`);
    }
  });

  test('each valid one is accepted, in any case of the scheme, until it is replaced', async () => {
    const tokens = twoTokens();
    const { send } = await serveApp({ tokens });
    const get = async (authorization: string) => (await send({ path: EDGES, headers: { authorization } })).status;
    for (const sent of ['Bearer writer', 'bearer reader', 'BEARER  writer']) expect(await get(sent)).toBe(200);
    tokens.replace([{ text: 'next', readOnly: false }]);
    expect([await get('Bearer next'), await get('Bearer writer')]).toEqual([200, 401]);
  });

  test('they keep their texts and their digests secret', () => {
    const tokens = twoTokens();
    expect(JSON.stringify(tokens.principalOf('reader'))).not.toContain('reader');
    // With another key in each process: a name cannot be compared with guesses.
    expect(twoTokens().principalOf('reader')!.name).not.toBe(tokens.principalOf('reader')!.name);
  });

  test('a read-only one cannot write, and the body is not read', async () => {
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
    ...['', 'a:99999', 'a:b', 'a:-1', '..', 'a..b', '.a', '[::::]', '[1.2.3.4]', '::1', 'user@a', 'a/b', 'a b', 'é']
      .concat('a'.repeat(254))
      .map((invalid) => [invalid, undefined] as const),
  ] as const)('%s is %s', ([authority, name]) => {
    expect(hostName(authority)).toBe(name);
  });

  const open = serveForFile({ publicUrl: 'https://edge.example.com/api', validateResponses: false });

  test.for([
    ...['localhost:1', '127.9.9.9:80', '[::1]', 'EDGE.example.com:8443'].map((host) => [host, 200] as const),
    ...['evil.example', '127.0.0.1.evil.example', '10.0.0.1', '[::2]'].map((host) => [host, 400] as const),
  ])('of an open service is on this machine or the public URL: %s: %i', async ([host, status]) => {
    for (const path of ['/livez', '/openapi.json']) {
      const answer = await open.send({ path, headers: { host } });
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.json.detail).toMatch(/--public-url/);
    }
  });

  test.for([
    ['http://localhost/livez', 'evil.example', 200],
    ['https://127.0.0.1:1/livez', 'localhost', 200],
    ['http://evil.example/livez', 'localhost', 400],
    ['http://user@localhost/livez', 'localhost', 400],
    ['http:///livez', 'localhost', 400],
    ['ftp://localhost/livez', 'localhost', 400],
  ] as const)('is that of an absolute target: %s, Host: %s', async ([path, host, status]) => {
    expect((await open.send({ path, headers: { host } })).status).toBe(status);
  });

  test('may be any valid one where a token is needed', async () => {
    const { send } = await serveApp({ token: 'sesame', validateResponses: false });
    for (const [host, status] of Object.entries({ 'any.example': 200, '[::::]': 400, '..': 400, 'evil"/x?': 400 }))
      expect([host, (await send({ path: '/livez', headers: { host } })).status]).toEqual([host, status]);
  });
});

describe('pages of other origins', () => {
  const APP = 'https://app.example.com';
  const ASKING = {
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type,prefer',
  };
  const options = { corsOrigins: [APP, 'http://127.0.0.1:5173'], token: 'sesame' };

  test('are not allowed by default, and OPTIONS returns Allow', async () => {
    const { send } = await serveApp();
    const { status, headers } = await send({ method: 'OPTIONS', path: EDGES, headers: { origin: APP, ...ASKING } });
    expect([status, headers.allow]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
    expect(Object.keys(headers).filter((name) => /^access-control|^vary/.test(name))).toEqual([]);
  });

  test('need no token for a preflight; another OPTIONS returns Allow', async () => {
    const { send } = await serveApp(options);
    const { status, headers } = await send({ method: 'OPTIONS', path: EDGES, headers: { origin: APP, ...ASKING } });
    expect([status, headers.vary, headers['access-control-allow-origin']]).toEqual([204, 'Origin', APP]);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers['access-control-allow-headers']).toBe('Accept,Authorization,Content-Type,Prefer');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    const plain = await send({ method: 'OPTIONS', path: EDGES, headers: { origin: APP } });
    expect([plain.status, plain.headers.allow]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
  });

  test.for([
    [EDGES, 'sesame', 200],
    [EDGES, 'wrong', 401],
    ['/%', 'sesame', 400],
  ] as const)('that are allowed can read every response and its headers: %s %s', async ([path, token, status]) => {
    const { send } = await serveApp(options);
    const { headers, ...answer } = await send({ path, headers: { origin: APP, ...bearer(token) } });
    expect([answer.status, headers['access-control-allow-origin'], headers.vary]).toEqual([status, APP, 'Origin']);
    expect(headers['access-control-expose-headers']).toMatch(/^Allow,Location,.*Retry-After/);
  });

  test.for([`${APP}.evil.example`, 'http://app.example.com', 'null', `${APP}:8443`, 'HTTPS://APP.EXAMPLE.COM'])(
    'that are not allowed cannot: %s',
    async (origin) => {
      const { send } = await serveApp(options);
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await send({ method, path: EDGES, headers: { origin, ...bearer('sesame'), ...ASKING } });
        // A cache must not give this response to an allowed page.
        expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'Origin']);
      }
    },
  );

  test('are all allowed with *, without credentials', async () => {
    const { send } = await serveApp({ corsOrigins: ['*'], token: 'sesame' });
    const { status, headers } = await send({ path: EDGES, headers: { origin: 'https://any.example' } });
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
    expect([status, json.code, headers['cache-control']]).toEqual([429, 'too_many_requests', 'no-store']);
    expect(headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  /** The statuses of requests with these headers, one after the other. */
  async function statuses(options: ServeOptions, sent: Record<string, string>[], path = EDGES): Promise<number[]> {
    const { send } = await serveApp({ rateLimit: 1, ...options });
    const found: number[] = [];
    for (const headers of sent) found.push((await send({ path, headers })).status);
    return found;
  }
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('does not count health', async () => {
    expect(await statuses({}, [{}, {}, {}], '/readyz')).toEqual([200, 200, 200]);
  });

  test('counts each valid token, and all guesses together', async () => {
    const sent = ['writer', 'writer', 'reader', 'guess1', 'guess2'].map(bearer);
    expect(await statuses({ tokens: twoTokens() }, sent)).toEqual([200, 429, 200, 401, 429]);
    const guesses = ['guess1', 'guess2', 'for-tests'].map(bearer);
    expect(await statuses({ token: 'sesame', testToken: 'for-tests' }, guesses, '/testing/snapshot')).toEqual([
      ...[401, 429, 429],
    ]);
  });

  test('ignores tokens of an open service, and does not trust what clients say of their address', async () => {
    expect(await statuses({}, [bearer('a'), bearer('b')])).toEqual([200, 429]);
    expect(await statuses({}, [from('192.0.2.1'), from('192.0.2.2')])).toEqual([200, 429]);
  });

  test('trusts so many proxies, and takes one network of IPv6 for one client', async () => {
    const sent = ['192.0.2.1', '192.0.2.2', '198.51.100.1, 192.0.2.1', '2001:db8::1', '2001:db8::2:1'].map(from);
    expect(await statuses({ trustProxy: 1 }, sent)).toEqual([200, 200, 429, 200, 429]);
  });

  test('is off by default', async () => {
    const { send } = await serveApp();
    expect(Object.keys((await send({ path: EDGES })).headers)).not.toContain('ratelimit');
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
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  }
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json']) {
    const { status, headers } = await send({ method: 'HEAD', path });
    expect([status, headers['cache-control'], headers['x-content-type-options']]).toEqual([200, 'no-cache', 'nosniff']);
  }
});
