/** What HTTP asks for and express-openapi-validator does not give by itself. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serveForFile } from '../../testing/serve.ts';

const EDGES = '/edges/https';
const SOURCES = '/event_subscriptions/s/sources';
const { send } = serveForFile();
const JSON_TYPE = { 'content-type': 'application/json' };

describe('methods', () => {
  test.for([
    ['DELETE', EDGES, 'POST, GET, HEAD, OPTIONS'],
    ['PUT', `${EDGES}/x`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['GET', `${EDGES}/x/routes`, 'POST, OPTIONS'],
    ['PUT', `${EDGES}/x/routes/y`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['DELETE', SOURCES, 'POST, GET, HEAD, OPTIONS'],
    ['POST', `${SOURCES}/a.v0`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['POST', '/livez', 'GET, HEAD, OPTIONS'],
  ] as const)('%s %s: 405 with Allow', async ([method, path, allow]) => {
    const answer = await send({ method, path });
    expect([answer.status, answer.json.code, answer.headers.allow]).toEqual([405, 'method_not_allowed', allow]);
  });

  test('OPTIONS responds with Allow and no body', async () => {
    const answer = await send({ method: 'OPTIONS', path: `${EDGES}/x` });
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, 'GET, PATCH, DELETE, HEAD, OPTIONS', '']);
  });

  test('HEAD gives the headers of GET and no body', async () => {
    const { id } = (await send({ method: 'POST', path: EDGES, body: {} })).json;
    for (const path of [`${EDGES}/${id}`, `${EDGES}/unknown`, SOURCES, '/livez']) {
      const get = await send({ path });
      const head = await send({ method: 'HEAD', path });
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });
});

describe('paths', () => {
  test.for([
    ['/edges/https/%E0%A4%A', 400, 'malformed_request'],
    ['/%', 400, 'malformed_request'],
    [`${SOURCES}?cursor=%ff`, 400, 'malformed_request'],
    ['/', 404, 'not_found'],
    ['/edges', 404, 'not_found'],
    ['/edges/https/', 404, 'not_found'],
    ['/EDGES/https/x', 404, 'not_found'],
    ['/edges/https/a/b', 404, 'not_found'],
    ['//edges/https/x', 404, 'not_found'],
    ['/edges/https/a%2Fb', 400, 'invalid_request'],
    [`/edges/https/${'x'.repeat(65)}`, 400, 'invalid_request'],
    [`${SOURCES}/No.v0`, 400, 'invalid_request'],
  ] as const)('%s: %i', async ([path, status, code]) => {
    const answer = await send({ path });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('are decoded', async () => {
    await send({ method: 'POST', path: SOURCES, body: { type: 'a_b.v0' } });
    expect((await send({ path: '/event_subscriptions/%73/sources/a%5Fb%2Ev0' })).json.type).toBe('a_b.v0');
  });

  test('may come in absolute form (RFC 9112)', async () => {
    expect((await send({ path: `http://localhost${SOURCES}` })).status).toBe(200);
    expect((await send({ path: `http://localhost${SOURCES}?limit=0` })).status).toBe(400);
  });
});

describe('query parameters', () => {
  test.for([
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_large'],
    ['limit=-1', 'limit', 'type'],
    ['limit=1.5', 'limit', 'type'],
    ['limit=1e1', 'limit', 'type'],
    ['limit=010', 'limit', 'type'],
    ['limit=%2B1', 'limit', 'type'],
    ['limit=0x10', 'limit', 'type'],
    ['limit=', 'limit', 'type'],
    ['limit=010', 'limit', 'type'],
    ['limit=%2B1', 'limit', 'type'],
    ['limit=1&limit=1', 'limit', 'repeated'],
    ['cursor=', 'cursor', 'too_short'],
    [`cursor=${'x'.repeat(513)}`, 'cursor', 'too_long'],
    ['page=2', 'page', 'unknown'],
    ['limit[]=1', 'limit[]', 'unknown'],
    ['__proto__=1', '__proto__', 'unknown'],
  ] as const)('%s: 400', async ([query, parameter, code]) => {
    const answer = await send({ path: `${SOURCES}?${query}` });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ parameter, code }]);
  });

  test('are refused where an operation has none', async () => {
    expect((await send({ path: `${EDGES}/x?a=1` })).json.errors).toMatchObject([{ parameter: 'a', code: 'unknown' }]);
  });

  test.for([
    'limit=1',
    'limit=100',
    'cursor=anything',
    'cursor=%F0%9F%98%80',
    'cursor=a:b',
    'cursor=a+b',
    'cursor=%20',
    "cursor=*!'()",
  ])('%s: 200', async (query) => {
    expect((await send({ path: `${SOURCES}?${query}` })).status).toBe(200);
  });
});

describe('media types', () => {
  test.for([undefined, 'text/plain', 'application/xml', 'application/json; charset=utf-16', 'application/jsonx', ''])(
    'a body as %s: 415',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await send({ method: 'POST', path: EDGES, headers, body: '{}' });
      expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
      expect(answer.text).not.toContain('undefined');
    },
  );

  test.for([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; p=1',
  ])('a body as %s: 201', async (type) => {
    const answer = await send({ method: 'POST', path: EDGES, headers: { 'content-type': type }, body: '{}' });
    expect(answer.status).toBe(201);
  });

  test.for([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['application/xml, text/*', 406],
    ['application/json', 200],
    ['application/*', 200],
    ['*/*', 200],
    ['text/html, application/json;q=0.1', 200],
  ] as const)('Accept: %s: %i', async ([accept, status]) => {
    expect((await send({ path: SOURCES, headers: { accept } })).status).toBe(status);
  });

  test('do not matter where the response has no body', async () => {
    await send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const answer = await send({ method: 'DELETE', path: `${SOURCES}/a.v0`, headers: { accept: 'text/html' } });
    expect(answer.status).toBe(204);
  });
});

describe('bodies', () => {
  test.for([
    ['missing', undefined, 'invalid_request'],
    ['empty', '', 'invalid_request'],
    ['not JSON', '{"a":', 'malformed_request'],
    ['two documents', '{}{}', 'malformed_request'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed_request'],
    ['a text', '"x"', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['a number', '5', 'invalid_request'],
    ['with __proto__', '{"__proto__":{}}', 'invalid_request'],
  ] as const)('%s: 400', async ([, body, code]) => {
    const answer = await send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body });
    expect([answer.status, answer.json.code]).toEqual([400, code]);
  });

  test('that are missing are told so at the root', async () => {
    expect((await send({ method: 'POST', path: EDGES })).json.errors).toMatchObject([
      { pointer: '', code: 'required' },
    ]);
  });

  test('of 1 MiB are read, one byte more is 413', async () => {
    const body = `{}${' '.repeat(1024 * 1024 - 2)}`;
    expect((await send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body })).status).toBe(201);
    const answer = await send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body: `${body} ` });
    expect([answer.status, answer.json.code]).toEqual([413, 'content_too_large']);
  });

  test('that grow beyond 1 MiB when they are decompressed are 413', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const create = (body: Buffer) => send({ method: 'POST', path: EDGES, headers, body });
    expect((await create(gzipSync('{}'))).status).toBe(201);
    expect((await create(gzipSync(' '.repeat(5_000_000)))).status).toBe(413);
    expect((await create(Buffer.from('not gzip'))).json.code).toBe('malformed_request');
  });

  test('in an unknown encoding are 415', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'rot13' };
    expect((await send({ method: 'POST', path: EDGES, headers, body: '{}' })).status).toBe(415);
  });

  test('that are nested as deep as they can be are refused like others', async () => {
    const depth = 500_000;
    for (const [open, inner, close] of [
      ['[', '', ']'],
      ['[', '"\\ud800"', ']'],
      ['{"a":', '1', '}'],
    ] as const) {
      const body = open.repeat(depth / open.length) + inner + close.repeat(depth / open.length);
      const answer = await send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body });
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    }
  });

  test('with five faults are told all five', async () => {
    const body = {
      description: 5,
      hostports: ['nowhere', 'a.example:1', 'a.example:1'],
      mutual_tls: { 'a/b~c': 1 },
      tls_termination: { terminate_at: 'upstream', min_version: '1.2' },
    };
    const answer = await send({ method: 'POST', path: EDGES, body });
    expect(answer.json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]).toSorted()).toEqual([
      ['/description', 'type'],
      ['/hostports', 'duplicate'],
      ['/hostports/0', 'format'],
      ['/mutual_tls', 'not_allowed_here'],
      ['/mutual_tls/a~1b~0c', 'unknown'],
      ['/tls_termination/min_version', 'not_allowed_here'],
    ]);
  });

  test('with nameless properties are told where', async () => {
    const body = { '': 1, mutual_tls: { '': 1 }, tls_termination: { '': 1 } };
    const { json } = await send({ method: 'POST', path: EDGES, body });
    const pointers = (json.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/', '/mutual_tls/', '/tls_termination/']);
  });

  test('are not converted (D31)', async () => {
    for (const enabled of ['true', 1, 0, 'false', null, []]) {
      const answer = await send({ method: 'POST', path: EDGES, body: { mutual_tls: { enabled } } });
      expect(answer.json.errors).toEqual([{ pointer: '/mutual_tls/enabled', code: 'type', detail: 'must be boolean' }]);
    }
  });
});
