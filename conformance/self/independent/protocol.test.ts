/** Requests that the suite does not send, or whose cause it cannot see. */
import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, type Received, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

const SOURCES = '/event_subscriptions/sub/sources';
const SOURCE = `${SOURCES}/first.v0`;

let send: Send;
beforeEach(async () => {
  send = client(createIndependentService());
  await send('POST', SOURCES, { body: { type: 'first.v0' } });
});

function expectProblem(response: Received, status: number, code: string) {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(response.json).toMatchObject({ status, code });
}

it('a token is asked for before anything else of a request is looked at', async () => {
  const guarded = client(createIndependentService({ token: 's3cret' }));
  for (const [method, target] of [
    ['GET', '/nowhere'],
    ['PUT', '/edges/https'],
    ['GET', '/edges/https/%zz'],
    ['GET', '/edges/https/unknown?colour=red'],
  ] as const) {
    expectProblem(
      await guarded(method, target, { headers: { accept: 'text/html', host: 'a b' } }),
      401,
      'unauthorized',
    );
  }
  expect((await guarded('POST', '/edges/https', { body: Buffer.alloc(2 ** 21) })).status).toBe(401);
});

describe('targets', () => {
  it('OPTIONS * is about the service as a whole', async () => {
    expect((await send('OPTIONS', '*')).status).toBe(204);
    expect((await send('GET', '*')).status).toBe(400);
  });

  it('the absolute form has a host of its own', async () => {
    const { json } = await send('GET', `http://127.0.0.2:81${SOURCE}`);
    expect(json.uri).toMatch(/^http:\/\/127\.0\.0\.2:81\/event_/);
  });

  it.each(['a b', 'a/b', 'a?b', '', 'u@h', 'h:port', 'a'.repeat(300)])('"%s" is no host', async (host) => {
    expectProblem(await send('GET', SOURCE, { headers: { host } }), 400, 'malformed_request');
  });

  it('hosts that are not known are refused where no token is asked for', async () => {
    const foreign = { headers: { host: 'other.test' } };
    expectProblem(await send('GET', SOURCE, foreign), 400, 'malformed_request');
    const known = client(createIndependentService({ publicUrl: 'https://other.test/api' }));
    expect((await known('GET', '/event_subscriptions/a/sources', foreign)).status).toBe(200);
    const guarded = client(createIndependentService({ token: 's3cret' }));
    const authorization = 'Bearer s3cret';
    const headers = { ...foreign.headers, authorization };
    expect((await guarded('GET', '/event_subscriptions/a/sources', { headers })).status).toBe(200);
  });

  it.each(['/edges/https/', '/edges//https', '/Edges/https', '/service_providers/unknown/unknown/metadata'])(
    'nothing is under %s',
    async (target) => expectProblem(await send('GET', target), 404, 'not_found'),
  );

  it('a cursor is good for its own list alone', async () => {
    await send('POST', SOURCES, { body: { type: 'second.v0' } });
    const { searchParams } = new URL((await send('GET', `${SOURCES}?limit=1`)).json.uri);
    const cursor = searchParams.get('cursor');
    expect((await send('GET', `${SOURCES}?cursor=${cursor}`)).json.sources).toHaveLength(1);
    for (const list of ['/event_subscriptions/other/sources', '/edges/https'])
      expect(faults(await send('GET', `${list}?cursor=${cursor}`))).toEqual(['?cursor value']);
  });
});

describe('Accept', () => {
  it.each([
    'application/problem+json',
    'application/json; Q=0.000, */*',
    'application/*;q=0, */*;q=1',
    '*/*;q=0',
    'text/html;note="a, application/json"',
  ])('%s excludes JSON', async (accept) => {
    expectProblem(await send('GET', SOURCE, { headers: { accept } }), 406, 'not_acceptable');
  });

  it.each([
    'APPLICATION/JSON',
    'application/json, */*;q=0',
    'application/*;q=0, application/json;q=0.1',
    'application/json;charset=utf-8',
    'application/json;v=2;q=0, application/json',
    'text/html, image/gif, *; q=.2, */*; q=.2',
    '',
    'unreadable',
  ])('"%s" leaves room for JSON', async (accept) => {
    expect((await send('GET', SOURCE, { headers: { accept } })).status).toBe(200);
  });
});

describe('bodies', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) => send('POST', '/edges/https', { body, headers });

  it('no content coding is read', async () => {
    expect((await post({}, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post({}, { 'content-encoding': 'identity' })).status).toBe(201);
  });

  it('nesting has no limit', async () => {
    const depth = 250_000;
    const response = await post(`{"description":${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}}`);
    expectProblem(response, 400, 'invalid_request');
    for (const { pointer } of response.json.errors) expect(pointer.length).toBeLessThanOrEqual(4096);
  });

  it('names are no inherited properties', async () => {
    const body = '{"__proto__":{"description":5},"constructor":1,"a/b~c":3,"":4}';
    const unknown = ['/', '/__proto__', '/a~1b~0c', '/constructor'].map((pointer) => `${pointer} unknown`);
    expect(faults(await post(body))).toEqual(unknown);
  });

  it('a response names a hundred errors at most', async () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, 1]));
    expect((await post(body)).json.errors).toHaveLength(100);
  });

  it('errors of query and body are found together', async () => {
    const response = await send('POST', '/edges/https?dry_run=true', { body: { colour: 'red' } });
    expect(faults(response)).toEqual(['/colour unknown', '?dry_run unknown']);
  });

  it('those of GET and DELETE are ignored', async () => {
    const sent = { body: '{', headers: { 'content-type': 'text/plain' } };
    expect((await send('GET', SOURCE, sent)).status).toBe(200);
    expect((await send('DELETE', SOURCE, sent)).status).toBe(204);
  });
});

it('an edge has a thousand routes at most', async () => {
  const { json: edge } = await send('POST', '/edges/https', { body: {} });
  const add = (match: string) => send('POST', `${edge.uri}/routes`, { body: { match_type: 'exact_path', match } });
  for (let index = 0; index < 1000; index += 1) expect((await add(`/${index}`)).status).toBe(201);
  expectProblem(await add('/more'), 409, 'conflict');
  const { routes } = (await send('GET', edge.uri)).json;
  await send('DELETE', routes[500].uri);
  expect((await add('/more')).status).toBe(201);
});

it('a failure of its own is a problem without the text of the error', async () => {
  const service = createIndependentService();
  const response = await service({ method: 'POST', target: '/edges/https', headers: {}, body: undefined as never });
  expect(response.status).toBe(500);
  expect(JSON.parse(response.body.toString())).toMatchObject({ code: 'internal_error', status: 500 });
  expect(response.body.toString()).not.toContain('undefined');
});
