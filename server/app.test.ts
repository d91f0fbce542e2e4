import { describe, expect, test } from 'vitest';
import { serveApp, serveForFile } from './testing/serve.ts';

const SOURCES = '/event_subscriptions/sub_1/sources';

describe('edges', () => {
  test('are created and read back', async () => {
    const { send, url } = await serveApp();
    const body = {
      description: 'Shop',
      metadata: '{}',
      hostports: ['shop.example.com:443'],
      mutual_tls: { certificate_authority_ids: ['ca_1'] },
      tls_termination: { min_version: '1.3' },
    };
    const created = await send({ method: 'POST', path: '/edges/https', body });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.json.uri);
    expect(created.json).toMatchObject({
      ...body,
      mutual_tls: { enabled: true, certificate_authorities: [{ id: 'ca_1' }] },
      tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
      uri: `${url}/edges/https/${created.json.id}`,
      routes: [],
    });
    const read = await send({ path: new URL(created.json.uri).pathname });
    expect(read.status).toBe(200);
    expect(read.json).toEqual(created.json);
  });

  test('have ids that sort by creation', async () => {
    const { send } = await serveApp();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await send({ method: 'POST', path: '/edges/https', body: {} })).json.id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect(ids[0]).toMatch(/^edghts_[0-9a-z]{26}$/);
  });

  test('are unknown until they exist', async () => {
    const { send } = await serveApp();
    const answer = await send({ path: '/edges/https/nothing' });
    expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
  });
});

describe('event sources', () => {
  test('are added, read, listed, changed and removed', async () => {
    const { send, url } = await serveApp();
    const added = await send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    expect([added.status, added.json]).toEqual([201, { type: 'a.v0', uri: `${url}${SOURCES}/a.v0` }]);
    expect((await send({ path: `${SOURCES}/a.v0` })).json).toEqual(added.json);
    expect((await send({ path: SOURCES })).json).toEqual({ sources: [added.json], uri: null });

    const changed = await send({ method: 'PATCH', path: `${SOURCES}/a.v0`, body: { type: 'b.v0' } });
    expect([changed.status, changed.json.type]).toEqual([200, 'b.v0']);
    expect((await send({ path: `${SOURCES}/a.v0` })).status).toBe(404);

    const removed = await send({ method: 'DELETE', path: `${SOURCES}/b.v0` });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await send({ path: SOURCES })).json).toEqual({ sources: [], uri: null });
    expect((await send({ method: 'DELETE', path: `${SOURCES}/b.v0` })).json.code).toBe('not_found');
  });

  test('conflict when a type is there already', async () => {
    const { send } = await serveApp();
    for (const type of ['a.v0', 'b.v0']) await send({ method: 'POST', path: SOURCES, body: { type } });
    const added = await send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    expect([added.status, added.json.code]).toEqual([409, 'already_exists']);
    const changed = await send({ method: 'PATCH', path: `${SOURCES}/a.v0`, body: { type: 'b.v0' } });
    expect([changed.status, changed.json.code]).toEqual([409, 'already_exists']);
    const unknown = await send({ method: 'PATCH', path: `${SOURCES}/x.v0`, body: { type: 'b.v0' } });
    expect(unknown.status).toBe(404);
  });

  test.for([
    ['no body', {}],
    ['no body, but a Content-Type', { headers: { 'content-type': 'application/json' } }],
    ['no body, but another Content-Type', { headers: { 'content-type': 'text/plain' } }],
    ['an empty chunked body', { headers: { 'transfer-encoding': 'chunked', 'content-type': 'application/json' } }],
    ['an empty object', { body: {} }],
    ['the same type', { body: { type: 'a.v0' } }],
  ] as const)('stay as they are after an update with %s (D12)', async ([, sending]) => {
    const { send } = await serveApp();
    await send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const answer = await send({ method: 'PATCH', path: `${SOURCES}/a.v0`, ...sending });
    expect([answer.status, answer.json.type]).toEqual([200, 'a.v0']);
  });

  test('have one winner when the same type is added at once', async () => {
    const { send } = await serveApp();
    const add = () => send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const statuses = (await Promise.all(Array.from({ length: 20 }, add))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('are listed page by page along uri', async () => {
    const { send } = await serveApp({ publicUrl: 'https://api.example/v0' });
    const types = Array.from({ length: 7 }, (_, n) => `t${n}.v0`);
    for (const type of types.toReversed()) await send({ method: 'POST', path: SOURCES, body: { type } });
    const seen: string[] = [];
    for (let path = `${SOURCES}?limit=3`; ;) {
      const { json } = await send({ path });
      seen.push(...json.sources.map((source: { type: string }) => source.type));
      if (json.uri === null) break;
      expect(json.uri).toMatch(/^https:\/\/api\.example\/v0\/event_subscriptions\/sub_1\/sources\?/);
      path = json.uri.slice('https://api.example/v0'.length);
    }
    expect(seen).toEqual(types);
  });

  test('do not leak into another subscription', async () => {
    const { send } = await serveApp();
    await send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    expect((await send({ path: '/event_subscriptions/SUB_1/sources' })).json.sources).toEqual([]);
  });
});

describe('limits in bytes (D30)', () => {
  const { send } = serveForFile();

  test.for([
    ['255 ASCII characters', 'a'.repeat(255), 201],
    ['256 ASCII characters', 'a'.repeat(256), 400],
    ['85 characters of three bytes', '€'.repeat(85), 201],
    ['86 characters of three bytes', '€'.repeat(86), 400],
    ['63 emoji and three letters', '😀'.repeat(63) + 'abc', 201],
    ['64 emoji', '😀'.repeat(64), 400],
  ] as const)('%s: %i', async ([, description, status]) => {
    const answer = await send({ method: 'POST', path: '/edges/https', body: { description } });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.json.description).toBe(description);
    else
      expect(answer.json.errors).toEqual([
        { pointer: '/description', code: 'too_many_bytes', detail: 'must have at most 255 bytes of UTF-8' },
      ]);
  });

  test('4,096 bytes of metadata fit, one more does not', async () => {
    const metadata = 'é'.repeat(2048);
    expect((await send({ method: 'POST', path: '/edges/https', body: { metadata } })).status).toBe(201);
    expect((await send({ method: 'POST', path: '/edges/https', body: { metadata: `${metadata}a` } })).status).toBe(400);
  });

  test.for([
    ['in a text', '{"description":"\\ud800"}', ['/description']],
    ['in a name', '{"\\udfff":1}', ['/\ufffd', '/\ufffd']],
    [
      'deep inside',
      '{"mutual_tls":{"certificate_authority_ids":["\\ud83d"]}}',
      ['/mutual_tls/certificate_authority_ids/0'],
    ],
  ] as const)('a lone surrogate %s is refused', async ([, body, pointers]) => {
    const answer = await send({
      method: 'POST',
      path: '/edges/https',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
    const errors = answer.json.errors as { pointer: string; code: string }[];
    expect(errors.some(({ code }) => code === 'unicode')).toBe(true);
    for (const { pointer } of errors)
      expect(pointers.map((one) => one.toWellFormed())).toContain(pointer.toWellFormed());
  });
});

describe('authentication (D28)', () => {
  test.for([
    ['no header', undefined, 'Bearer realm="edge-api"'],
    ['another token', 'Bearer wrong', 'Bearer realm="edge-api", error="invalid_token"'],
    ['a longer token', 'Bearer sesame2', 'Bearer realm="edge-api", error="invalid_token"'],
    ['a part of it', 'Bearer sesam', 'Bearer realm="edge-api", error="invalid_token"'],
    ['the token inside another scheme', 'Basic Bearer sesame', 'Bearer realm="edge-api", error="invalid_token"'],
    ['the token twice', 'Bearer sesame sesame', 'Bearer realm="edge-api", error="invalid_token"'],
    ['no token', 'Bearer', 'Bearer realm="edge-api", error="invalid_token"'],
  ] as const)('refuses %s, before anything else', async ([, authorization, challenge]) => {
    const { send } = await serveApp({ token: 'sesame' });
    const headers = authorization === undefined ? {} : { authorization };
    for (const path of ['/edges/https', '/nowhere', SOURCES]) {
      const answer = await send({ method: 'POST', path, headers, body: '{' });
      expect([answer.status, answer.json.code, answer.headers['www-authenticate']]).toEqual([
        401,
        'unauthorized',
        challenge,
      ]);
    }
  });

  test.for(['Bearer sesame', 'bearer sesame', 'BEARER  sesame'])('lets %s in', async (authorization) => {
    const { send } = await serveApp({ token: 'sesame' });
    expect((await send({ path: SOURCES, headers: { authorization } })).status).toBe(200);
  });

  test('is not asked for health, contract and docs', async () => {
    const { send } = await serveApp({ token: 'sesame' });
    for (const path of ['/livez', '/readyz', '/openapi.yaml', '/openapi.json', '/openapi-3.0.yaml'])
      expect((await send({ path })).status).toBe(200);
  });
});

describe('uri values (D34)', () => {
  test('follow the host of the request', async () => {
    const { send } = await serveApp({ token: 'sesame' });
    const headers = { host: 'edge.test:8080', authorization: 'Bearer sesame' };
    expect((await send({ method: 'POST', path: '/edges/https', body: {}, headers })).json.uri).toMatch(
      /^http:\/\/edge\.test:8080\/edges\/https\/edghts_/,
    );
  });

  test('are never built from a Host header that is none', async () => {
    const { send } = await serveApp();
    const answer = await send({ method: 'POST', path: '/edges/https', body: {}, headers: { host: 'evil"/x?' } });
    expect([answer.status, answer.json.code]).toEqual([400, 'malformed_request']);
  });
});

describe('the log', () => {
  test('has one line a request, with the id that the problem carries, and no secret', async () => {
    const { send, logged } = await serveApp({ token: 'sesame' });
    const headers = { authorization: 'Bearer sesame' };
    const answer = await send({ method: 'POST', path: `${SOURCES}?key=hush`, headers, body: { type: 'private' } });
    await send({ path: SOURCES, headers: { authorization: 'Bearer guess' } });
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({
      request_id: answer.json.request_id,
      method: 'POST',
      path: SOURCES,
      operation: 'createEventSource',
      status: 400,
    });
    expect(JSON.stringify(logged)).not.toMatch(/sesame|guess|private|hush/);
  });
});
