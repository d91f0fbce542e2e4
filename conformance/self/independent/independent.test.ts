import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve, type Served } from '../service.ts';
import { client, faults, HOST, type Received, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

const SOURCES = '/event_subscriptions/sub/sources';
const SOURCE = `${SOURCES}/first.v0`;

let send: Send;

beforeEach(async () => {
  send = client(createIndependentService());
  await send('POST', SOURCES, { body: { type: 'first.v0' } });
});

function expectProblem(answer: Received, status: number, code: string) {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.json).toMatchObject({ status, code, type: 'about:blank' });
  for (const name of ['title', 'detail', 'request_id']) expect(answer.json[name]).toMatch(/./);
  expect(answer.json).not.toHaveProperty('instance');
}

const guarded = () => client(createIndependentService({ token: 's3cret' }));

describe('authentication', () => {
  it.each([
    ['none', {}],
    ['a wrong token', { authorization: 'Bearer other' }],
    ['a longer token', { authorization: 'Bearer s3crets' }],
    ['another scheme', { authorization: 'Basic s3cret' }],
    ['no scheme', { authorization: 's3cret' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['two tokens', { authorization: 'Bearer s3cret s3cret' }],
  ])('refuses %s', async (_name, headers: Record<string, string>) => {
    const answer = await guarded()('POST', '/edges/https', { body: {}, headers });
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="/);
    expect(answer.text).not.toContain('s3cret');
  });

  it.each(['Bearer s3cret', 'bearer s3cret', 'BEARER  s3cret'])('lets %s pass', async (authorization) => {
    expect((await guarded()('POST', '/edges/https', { body: {}, headers: { authorization } })).status).toBe(201);
  });

  it('comes before anything else of a request', async () => {
    for (const [method, target] of [
      ['GET', '/nowhere'],
      ['PUT', '/edges/https'],
      ['GET', '/edges/https/%zz'],
      ['OPTIONS', '/edges/https'],
      ['GET', '/edges/https/unknown?colour=red'],
    ] as const) {
      expect((await guarded()(method, target, { headers: { accept: 'text/html', host: 'a b' } })).status).toBe(401);
    }
    const body = Buffer.alloc(2 ** 21);
    expect((await guarded()('POST', '/edges/https', { body })).status).toBe(401);
  });

  it('lets a token that may only read look, and change nothing', async () => {
    const both = client(createIndependentService({ token: 's3cret', readOnlyToken: 'l00k' }));
    const [all, reading] = [{ authorization: 'Bearer s3cret' }, { authorization: 'Bearer l00k' }];
    const { json: edge } = await both('POST', '/edges/https', { body: {}, headers: all });
    const target = new URL(edge.uri).pathname;
    for (const [method, at] of [
      ['POST', '/edges/https'],
      ['PATCH', target],
      ['DELETE', target],
      ['POST', `${target}/routes`],
      ['POST', SOURCES],
      ['DELETE', SOURCE],
    ] as const) {
      const answer = await both(method, at, { headers: reading });
      expectProblem(answer, 403, 'forbidden');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="[^"]+", error="insufficient_scope"$/);
    }
    expect((await both('GET', target, { headers: reading })).json).toEqual(edge);
    expect((await both('GET', '/edges/https', { headers: reading })).json.edges).toEqual([edge]);
    expect((await both('HEAD', target, { headers: reading })).status).toBe(200);
    // Where nothing is to be changed, nothing is forbidden.
    expect((await both('OPTIONS', target, { headers: reading })).status).toBe(204);
    expectProblem(await both('POST', '/nowhere', { headers: reading }), 404, 'not_found');
    expectProblem(await both('PUT', target, { headers: reading }), 405, 'method_not_allowed');
    expectProblem(
      await both('POST', '/edges/https', { headers: { authorization: 'Bearer l00ks' } }),
      401,
      'unauthorized',
    );
  });

  it('has no token that may only read unless it is given one', async () => {
    for (const authorization of ['Bearer undefined', 'Bearer'])
      expectProblem(await guarded()('GET', SOURCE, { headers: { authorization } }), 401, 'unauthorized');
  });

  it('does not look at the header when the service is open', async () => {
    expect((await send('GET', SOURCE, { headers: { authorization: 'Bearer any' } })).status).toBe(200);
  });
});

const methods = (answer: Received) => answer.headers['allow']?.split(',').sort().join(',');

describe('paths and methods', () => {
  it.each([
    '/',
    '/edges',
    '/edges/https/',
    '/edges//https',
    '/Edges/https',
    '/edges/https/unknown',
    '/edges/https/unknown/routes/unknown',
    '/edges/https/unknown/routes/a.b',
    '/edges/https/unknown/routes/',
    '/service_providers/unknown/unknown/metadata',
    '/edges/https/a%2Fb',
    '/edges/https/a.b',
    `/edges/https/${'a'.repeat(65)}`,
    `${SOURCES}/unknown.v0`,
    `${SOURCES}/First.v0`,
    `${SOURCES}/first.v01`,
    `${SOURCES}/first.v0%0A`,
    `${SOURCES}/${'a'.repeat(126)}.v0`,
    '/event_subscriptions/no%20id/sources',
    '/event_subscriptions//sources',
  ])('knows nothing under %s', async (target) => {
    expectProblem(await send('GET', target), 404, 'not_found');
  });

  it.each([
    '/edges/https/%',
    '/edges/https/%zz',
    '/edges/https/%ff',
    '/edges/https/%ED%A0%80',
    '/nowhere/%C3',
    'edges/https',
  ])('cannot read %s', async (target) => {
    expectProblem(await send('GET', target), 400, 'malformed_request');
  });

  it('has no empty identifiers', async () => {
    expect((await send('OPTIONS', '/edges/https/')).status).toBe(404);
    expect((await send('PUT', '/event_subscriptions//sources')).status).toBe(404);
  });

  it('decodes path parameters', async () => {
    expect((await send('GET', '/event_subscriptions/%73ub/sources/%66irst%2Ev0')).json.type).toBe('first.v0');
  });

  it('takes the host of a target in absolute form', async () => {
    const { json } = await send('GET', `http://other.test${SOURCE}`);
    expect(json.uri).toMatch(/^http:\/\/other\.test\/event_/);
  });

  it.each([
    ['/edges/https', 'GET,HEAD,OPTIONS,POST'],
    ['/edges/https/any', 'DELETE,GET,HEAD,OPTIONS,PATCH'],
    ['/edges/https/any/routes', 'OPTIONS,POST'],
    ['/edges/https/any/routes/any', 'DELETE,GET,HEAD,OPTIONS,PATCH'],
    [SOURCES, 'GET,HEAD,OPTIONS,POST'],
    [SOURCE, 'DELETE,GET,HEAD,OPTIONS,PATCH'],
  ])('says what %s allows', async (target, allowed) => {
    const refused = await send('PUT', target, { body: 'no JSON' });
    expectProblem(refused, 405, 'method_not_allowed');
    expect(methods(refused)).toBe(allowed);
    const options = await send('OPTIONS', target);
    expect([options.status, options.text, methods(options)]).toEqual([204, '', allowed]);
    if (!allowed.includes('HEAD')) expect((await send('HEAD', target)).status).toBe(405);
  });

  it('answers OPTIONS * for the service as a whole', async () => {
    expect((await send('OPTIONS', '*')).status).toBe(204);
    expect((await send('GET', '*')).status).toBe(400);
  });

  it.each([SOURCE, SOURCES, `${SOURCE}0`, `${SOURCES}?limit=0`])('answers HEAD %s as GET', async (target) => {
    const [get, head] = [await send('GET', target), await send('HEAD', target)];
    expect(head).toEqual({ status: get.status, headers: get.headers, text: '', json: undefined });
  });
});

describe('query parameters', () => {
  it.each([
    ['GET', SOURCE],
    ['PATCH', SOURCE],
    ['DELETE', SOURCE],
    ['POST', SOURCES],
    ['POST', '/edges/https'],
    ['GET', SOURCES],
  ])('refuses unknown ones on %s %s', async (method, target) => {
    const body = method === 'POST' ? (target === SOURCES ? { type: 'other.v0' } : {}) : undefined;
    const answer = await send(method, `${target}?colo%75r=red&colour=blue&&=`, { body });
    expectProblem(answer, 400, 'invalid_request');
    expect(faults(answer)).toEqual(['? unknown', '?colour unknown']);
    expect((await send('GET', SOURCE)).status).toBe(200);
    expect((await send('GET', SOURCES)).json.sources).toHaveLength(1);
  });

  it('finds faults of query and body together', async () => {
    const answer = await send('POST', '/edges/https?dry_run=true', { body: { colour: 'red' } });
    expect(faults(answer)).toEqual(['/colour unknown', '?dry_run unknown']);
  });

  it('cannot read a bad percent sign', async () => {
    expectProblem(await send('GET', `${SOURCES}?limit=%zz`), 400, 'malformed_request');
  });

  it('shortens the name of a parameter to what the contract allows', async () => {
    const answer = await send('GET', `${SOURCES}?${'p'.repeat(5000)}=1`);
    expect(answer.json.errors[0].parameter).toHaveLength(4096);
  });
});

describe('Accept', () => {
  it.each([
    'text/html',
    'application/problem+json',
    'application/json;q=0',
    'application/json; Q=0.000, */*',
    'application/*;q=0, */*;q=1',
    '*/*;q=0',
    'text/*, image/png;q=0.5',
    'text/html;note="a, application/json"',
  ])('%s excludes JSON', async (accept) => {
    expectProblem(await send('GET', SOURCE, { headers: { accept } }), 406, 'not_acceptable');
    expect((await send('HEAD', SOURCE, { headers: { accept } })).status).toBe(406);
    expect((await send('PATCH', SOURCE, { headers: { accept }, body: { type: 'new.v0' } })).status).toBe(406);
    expect((await send('POST', SOURCES, { headers: { accept }, body: { type: 'new.v0' } })).status).toBe(406);
    expect((await send('GET', SOURCES)).json.sources.map((source: any) => source.type)).toEqual(['first.v0']);
    expect((await send('DELETE', SOURCE, { headers: { accept } })).status).toBe(204);
  });

  it.each([
    '*/*',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.001',
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

const post = (sent: Parameters<Send>[2]) => send('POST', '/edges/https', sent);

describe('bodies', () => {
  it.each([
    'application/json',
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json;',
  ])('reads %s', async (type) => {
    expect((await post({ body: {}, headers: { 'content-type': type } })).status).toBe(201);
  });

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/json; charset',
    'application/json, text/plain',
    'json',
  ])('does not read "%s"', async (type) => {
    const headers = { 'content-type': type };
    expectProblem(await post({ body: {}, headers }), 415, 'unsupported_media_type');
    expectProblem(await send('PATCH', SOURCE, { body: {}, headers }), 415, 'unsupported_media_type');
  });

  it('reads no content coding', async () => {
    expect((await post({ body: {}, headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect((await post({ body: {}, headers: { 'content-encoding': 'identity' } })).status).toBe(201);
  });

  it('may have 1,048,576 bytes', async () => {
    expect((await post({ body: '{}'.padEnd(1_048_576) })).status).toBe(201);
    const body = '{}'.padEnd(1_048_577);
    expectProblem(await post({ body }), 413, 'content_too_large');
    expect((await send('PATCH', SOURCE, { body })).status).toBe(413);
  });

  it('must be there for POST', async () => {
    for (const target of ['/edges/https', SOURCES]) {
      const answer = await send('POST', target);
      expectProblem(answer, 400, 'invalid_request');
      expect(faults(answer)).toEqual([' required']);
    }
  });

  it.each(['{', '{"description":"a",}', "{'a':1}", ' ', 'undefined', 'NaN', '{}{}'])('%j is no JSON', async (body) => {
    expectProblem(await post({ body }), 400, 'malformed_request');
    expectProblem(await send('PATCH', SOURCE, { body }), 400, 'malformed_request');
  });

  it.each([
    ['a byte of no character', [0xff]],
    ['a character cut off', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ])('with %s is no UTF-8', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"description":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expectProblem(await post({ body }), 400, 'malformed_request');
  });

  it.each(['null', '[]', '"text"', '5', 'true'])('%s is no object', async (body) => {
    expect(faults(await post({ body }))).toEqual([' type']);
    expect(faults(await send('PATCH', SOURCE, { body }))).toEqual([' type']);
  });

  it.each([
    ['{"description":"a\\ud800"}', ['/description unicode']],
    ['{"hostports":["\\udc00\\ud800:443"]}', ['/hostports/0 unicode']],
    ['{"tls_termination":{"terminate_at":"\\ud800"}}', ['/tls_termination/terminate_at unicode']],
    ['{"colour":{"a/b~":["\\udfff"]}}', ['/colour unknown', '/colour/a~1b~0/0 unicode']],
    ['{"\\ud800":1}', [' unicode']],
    ['{"mutual_tls":{"\\ud800":{"x":"\\ud800"}}}', ['/mutual_tls unicode', '/mutual_tls unicode']],
    ['"\\ud800"', [' type', ' unicode']],
  ])('may not hold a lone surrogate: %s', async (body, expected) => {
    const answer = await post({ body });
    expectProblem(answer, 400, 'invalid_request');
    expect(faults(answer)).toEqual(expected);
    expect(answer.text).not.toMatch(/\\ud[89a-f]/i);
  });

  it('may hold surrogates in pairs', async () => {
    expect((await post({ body: '{"description":"\\ud83d\\ude00"}' })).json.description).toBe('😀');
  });

  it('may nest as deep as it likes', async () => {
    const depth = 250_000;
    const answer = await post({ body: `{"description":${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}}` });
    expectProblem(answer, 400, 'invalid_request');
    for (const { pointer } of answer.json.errors) expect(pointer.length).toBeLessThanOrEqual(4096);
  });

  it('has names that are no inherited properties', async () => {
    const body = '{"__proto__":{"description":5},"constructor":1,"toString":2,"a/b~c":3,"":4}';
    expect(faults(await post({ body }))).toEqual([
      '/ unknown',
      '/__proto__ unknown',
      '/a~1b~0c unknown',
      '/constructor unknown',
      '/toString unknown',
    ]);
    const source = await send('POST', SOURCES, { body: '{"__proto__":{"type":"second.v0"}}' });
    expect(faults(source)).toEqual(['/__proto__ unknown', '/type required']);
  });

  it('may have more faults than an answer lists', async () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, 1]));
    expect((await post({ body })).json.errors).toHaveLength(100);
    const long = await post({ body: { ['n'.repeat(5000)]: 1 } });
    expect(faults(long)).toEqual([' unknown']);
  });

  it('of GET and DELETE is ignored', async () => {
    const sent = { body: '{', headers: { 'content-type': 'text/plain' } };
    expect((await send('GET', SOURCE, sent)).status).toBe(200);
    expect((await send('DELETE', SOURCE, sent)).status).toBe(204);
  });
});

describe('URIs', () => {
  it('begin with the public URL', async () => {
    const away = client(createIndependentService({ publicUrl: 'https://api.example.com/v1/' }));
    const { json } = await away('POST', '/edges/https', { body: {} });
    expect(json.uri).toBe(`https://api.example.com/v1/edges/https/${json.id}`);
  });

  it('begin with the host of the request', async () => {
    const { json } = await send('POST', '/edges/https', { body: {}, headers: { host: '[::1]:99' } });
    expect(json.uri).toBe(`http://[::1]:99/edges/https/${json.id}`);
  });

  it.each(['a b', 'a/b', 'a?b', '', 'u@h', 'h:port', 'a'.repeat(300)])('need a host: "%s"', async (host) => {
    expectProblem(await send('GET', SOURCE, { headers: { host } }), 400, 'malformed_request');
  });
});

describe('choices that the contract leaves open', () => {
  it('are other ones than most servers make', async () => {
    const mutual_tls = { certificate_authority_ids: ['ca'] };
    const created = await post({ body: { description: 'é😀\u007f', mutual_tls } });
    expect(created.text).toMatch(/^\{\n "routes": .*"\\u00e9\\ud83d\\ude00\\u007f".*\n\}\n$/s);
    expect(created.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(created.headers).not.toHaveProperty('location');
    expect(created.json).toHaveProperty('kind');
    expect(created.json.mutual_tls.certificate_authorities[0].uri).not.toContain(HOST);
  });

  it('put fewer sources on a page than limit allows', async () => {
    for (let index = 0; index < 10; index += 1) await send('POST', SOURCES, { body: { type: `t.v${index}` } });
    for (const query of ['', '?limit=8', '?limit=100']) {
      expect((await send('GET', `${SOURCES}${query}`)).json.sources).toHaveLength(7);
    }
  });

  it('give references of a route URIs of other services, and more than the contract asks for', async () => {
    const edge = (await post({ body: {} })).json;
    const body = { match_type: 'exact_path', match: '/', backend: { backend_id: 'b' }, compression: {} };
    const route = await send('POST', `${edge.uri}/routes`, { body });
    expect(route.json.backend.backend.uri).not.toContain(HOST);
    expect(route.json).toHaveProperty('kind');
    expect(route.text).toMatch(/^\{\n "\w+": .*"kind": "https_edge_route"\n\}\n$/s);
    expect(route.headers).not.toHaveProperty('location');
  });

  it('look for the resource before they judge the rest', async () => {
    const missing = `${SOURCES}/unknown.v0?colour=red`;
    expect((await send('PATCH', missing, { body: '{', headers: { accept: 'text/html' } })).status).toBe(404);
    expect((await send('POST', '/event_subscriptions/no%20id/sources', { body: '{' })).status).toBe(404);
  });
});

it('answers its own failures as a problem without their text', async () => {
  const service = createIndependentService();
  const answer = await service({ method: 'POST', target: '/edges/https', headers: {}, body: undefined as never });
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'internal_error', status: 500 });
  expect(answer.body.toString()).not.toContain('undefined');
});

describe('over HTTP', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve(createIndependentService({ token: 't' }));
  });
  afterEach(() => served.close());

  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };

  it('creates, reads and lists under the URIs that it gives', async () => {
    const created = await fetch(`${served.url}/edges/https`, { method: 'POST', headers, body: '{"description":"é"}' });
    expect(created.status).toBe(201);
    const edge: any = await created.json();
    expect(await (await fetch(edge.uri, { headers })).json()).toEqual(edge);

    const list = `${served.url}${SOURCES}`;
    const source: any = await (await fetch(list, { method: 'POST', headers, body: '{"type":"a_b.v1"}' })).json();
    expect(await (await fetch(source.uri, { headers })).json()).toEqual(source);
    expect(await (await fetch(list, { headers })).json()).toMatchObject({ sources: [source], uri: null });
    expect((await fetch(source.uri, { method: 'DELETE', headers })).status).toBe(204);
    expect((await fetch(source.uri, { headers })).status).toBe(404);
  });

  it('answers HEAD and OPTIONS without content, and refusals as problems', async () => {
    const head = await fetch(`${served.url}${SOURCES}`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await fetch(`${served.url}${SOURCES}`, { method: 'OPTIONS', headers });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'OPTIONS,POST,GET,HEAD']);
    const refused = await fetch(`${served.url}${SOURCES}`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('takes PATCH without a body, and refuses a body over the limit', async () => {
    const list = `${served.url}${SOURCES}`;
    const source: any = await (await fetch(list, { method: 'POST', headers, body: '{"type":"a_b.v1"}' })).json();
    expect((await fetch(source.uri, { method: 'PATCH', headers })).status).toBe(200);
    expect((await fetch(list, { method: 'POST', headers, body: Buffer.alloc(1_048_577) })).status).toBe(413);
  });

  it('reads a target that a URL parser would have mended', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(served.url);
      const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/edges/https/%zz', headers }, (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      outgoing.on('error', reject).end();
    });
    expect(status).toBe(400);
  });
});
