import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, type Received, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

let send: Send;
let edge: any;
let list: string;

beforeEach(async () => {
  send = client(createIndependentService());
  edge = (await send('POST', '/edges/https', { body: {} })).json;
  list = `${edge.uri}/routes`;
});

const BASIC = { match_type: 'path_prefix', match: '/' };

const add = (body: object = {}) => send('POST', list, { body: { ...BASIC, ...body } });

async function added(body: object = {}): Promise<any> {
  const { status, json } = await add(body);
  expect([status, json.errors]).toEqual([201, undefined]);
  return json;
}

async function expectUnchanged(route: any, answer: Received, status: number, code: string) {
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect((await send('GET', route.uri)).json).toEqual(route);
}

const NO_MODULES = {
  backend: null,
  ip_restriction: null,
  circuit_breaker: null,
  compression: null,
  request_headers: null,
  response_headers: null,
  webhook_verification: null,
  oauth: null,
  saml: null,
  oidc: null,
  websocket_tcp_converter: null,
  user_agent_filter: null,
  traffic_policy: null,
};

const OAUTH = { provider: { github: {} } };
const SAML = { idp_metadata: '<EntityDescriptor/>' };
const OIDC = { issuer: 'https://login.example.com', client_id: 'edge' };

describe('a route', () => {
  it('is whole when little was said', async () => {
    const { status, json, headers } = await add();
    expect(status).toBe(201);
    const said = { ...BASIC, description: '', metadata: '', edge_id: edge.id, uri: `${list}/${json.id}` };
    expect(json).toMatchObject({ ...said, ...NO_MODULES });
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(headers).not.toHaveProperty('location');
    expect((await send('GET', json.uri)).json).toEqual(json);
  });

  it('is on its edge at once, in creation order, and on no other', async () => {
    const routes = [];
    for (const match of ['/c', '/a', '/b']) routes.push(await added({ match }));
    expect((await send('GET', edge.uri)).json.routes).toEqual(routes);
    const changed = (await send('PATCH', routes[0].uri, { body: { description: 'new' } })).json;
    expect((await send('GET', edge.uri)).json.routes).toEqual([changed, ...routes.slice(1)]);
    await send('DELETE', routes[1].uri);
    expect((await send('GET', edge.uri)).json.routes).toEqual([changed, routes[2]]);

    const { json: other } = await send('POST', '/edges/https', { body: {} });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await send(method, `${other.uri}/routes/${routes[0].id}`, { body: {} });
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    }
    expect((await send('POST', `${other.uri}/routes`, { body: { ...BASIC, match: '/a' } })).status).toBe(201);
  });

  it('is gone after its deletion', async () => {
    const route = await added();
    expect((await send('DELETE', route.uri)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await send(method, route.uri, { body: {} })).status).toBe(404);
    }
    expect((await add()).status).toBe(201);
  });

  it('needs a match and its type, and no edge of its own', async () => {
    expect(faults(await send('POST', list, { body: {} }))).toEqual(['/match required', '/match_type required']);
    expect(faults(await send('POST', list))).toEqual([' required']);
    expect(faults(await add({ edge_id: edge.id, id: 'mine' }))).toEqual(['/edge_id unknown', '/id unknown']);
    expect((await send('POST', '/edges/https/unknown/routes', { body: '{' })).status).toBe(404);
  });
});

const label = 'a'.repeat(63);

describe('a match', () => {
  it.each([
    '/',
    '//',
    '/a\u00a0b',
    '/é%zz"<>\\{}|*:@;=&,',
    '/漢😀\u2028',
    'a',
    'shop.example.com',
    '*.example.com',
    '*.a/',
    'shop.example.com/api//x/',
    '1.2.3.4',
    `${label}.${label}/x`,
    `/${'a'.repeat(1023)}`,
    `/${'😀'.repeat(1023)}`,
  ])('can be %j', async (match) => {
    expect((await added({ match })).match).toBe(match);
  });

  it.each([
    ['', 'too_short'],
    ['/a b', 'format'],
    ['/a\tb', 'format'],
    ['/a\u0000', 'format'],
    ['/a\u007f', 'format'],
    ['/a\n', 'format'],
    ['/a?b', 'format'],
    ['/a#b', 'format'],
    ['*', 'format'],
    ['*.', 'format'],
    ['*a.b', 'format'],
    ['*./a', 'format'],
    ['a.*', 'format'],
    ['a..b', 'format'],
    ['.a', 'format'],
    ['a.', 'format'],
    ['a_b', 'format'],
    ['-a', 'format'],
    ['a:80', 'format'],
    ['a:80/b', 'format'],
    ['https://a/b', 'format'],
    ['bücher/a', 'format'],
    [' /a', 'format'],
    [`${label}a/b`, 'format'],
    [`/${'a'.repeat(1024)}`, 'too_long'],
    [null, 'type'],
    [['/'], 'type'],
  ])('cannot be %j', async (match, code) => {
    expect(faults(await add({ match }))).toEqual([`/match ${code}`]);
    const route = await added();
    expect(faults(await send('PATCH', route.uri, { body: { match } }))).toEqual([`/match ${code}`]);
  });

  it.each([['suffix'], ['Exact_path'], ['']])('has no type %j', async (match_type) => {
    expect(faults(await add({ match_type }))).toEqual(['/match_type value']);
  });

  it('is there once with its type', async () => {
    const [a, b] = [await added({ match: '/a' }), await added({ match: '/b' })];
    expect((await add({ match: '/a' })).json.code).toBe('already_exists');
    expect((await add({ match: '/a', match_type: 'exact_path' })).status).toBe(201);
    expect((await add({ match: '/A' })).status).toBe(201);
    const body = { match: '/a', description: 'new' };
    await expectUnchanged(b, await send('PATCH', b.uri, { body }), 409, 'already_exists');
    const itself = await send('PATCH', a.uri, { body: { match: '/a', match_type: 'path_prefix' } });
    expect([itself.status, itself.json]).toEqual([200, a]);
    expect((await send('PATCH', b.uri, { body: { match_type: 'exact_path' } })).status).toBe(200);
  });

  it('is won by one of several racing requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => add()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

it('is one of a thousand at most', async () => {
  for (let index = 0; index < 1000; index += 1) await added({ match: `/${index}` });
  const answer = await add({ match: '/more' });
  expect([answer.status, answer.json.code]).toEqual([409, 'conflict']);
  const { routes } = (await send('GET', edge.uri)).json;
  expect(routes).toHaveLength(1000);
  await send('DELETE', routes[500].uri);
  expect((await add({ match: '/more' })).status).toBe(201);
});

describe('a change', () => {
  const old = { description: 'old', metadata: 'old', compression: {}, backend: { backend_id: 'b', enabled: false } };

  it('leaves alone what it does not name, and replaces modules whole', async () => {
    const route = await added(old);
    const { json } = await send('PATCH', route.uri, { body: { backend: { backend_id: 'c' }, metadata: '' } });
    expect(json).toMatchObject({ metadata: '', description: 'old', compression: { enabled: true } });
    expect(json.backend).toMatchObject({ enabled: true, backend: { id: 'c' } });
    expect((await send('GET', route.uri)).json).toEqual(json);
  });

  it('of nothing changes nothing, but needs a body', async () => {
    const route = await added(old);
    const { status, json } = await send('PATCH', route.uri, { body: {} });
    expect([status, json]).toEqual([200, route]);
    expect(faults(await send('PATCH', route.uri))).toEqual([' required']);
  });

  it('resets and removes by null', async () => {
    const route = await added(old);
    const { json } = await send('PATCH', route.uri, { body: { description: null, metadata: null, ...NO_MODULES } });
    expect(json).toEqual({ ...route, ...NO_MODULES, description: '', metadata: '' });
  });

  it('is refused whole', async () => {
    const route = await added(old);
    const body = { compression: null, description: 'new', match_type: null };
    const answer = await send('PATCH', route.uri, { body });
    expect(faults(answer)).toEqual(['/match_type type']);
    await expectUnchanged(route, answer, 400, 'invalid_request');
  });
});

describe('of the modules that sign users in', () => {
  it.each([
    [{ oauth: OAUTH, saml: SAML }, ['/saml not_allowed_here']],
    [{ oauth: { ...OAUTH, enabled: true }, oidc: { ...OIDC, enabled: true } }, ['/oidc not_allowed_here']],
    [{ saml: SAML, oidc: OIDC }, ['/oidc not_allowed_here']],
    [{ oauth: OAUTH, saml: SAML, oidc: OIDC }, ['/oidc not_allowed_here', '/saml not_allowed_here']],
    [{ oauth: 'x', saml: SAML, oidc: { ...OIDC, enabled: 1 } }, ['/oauth type', '/oidc/enabled type']],
  ])('one request may not enable two: %j', async (body, expected) => {
    expect(faults(await add(body))).toEqual(expected);
    const route = await added();
    expect(faults(await send('PATCH', route.uri, { body }))).toEqual(expected);
  });

  it('all may be there while one is enabled', async () => {
    const off = { enabled: false };
    await added({ oauth: OAUTH, saml: { ...SAML, ...off }, oidc: { ...OIDC, ...off } });
    await added({ match: '/b', oauth: { ...OAUTH, ...off }, saml: { ...SAML, ...off }, oidc: OIDC });
    await added({ match: '/c', oauth: null, saml: SAML, oidc: null });
  });

  it('a change may not enable a second one, but may swap them', async () => {
    const route = await added({ oauth: OAUTH });
    await expectUnchanged(route, await send('PATCH', route.uri, { body: { oidc: OIDC } }), 409, 'conflict');
    expect((await send('PATCH', route.uri, { body: { saml: { ...SAML, enabled: false } } })).status).toBe(200);
    const both = await send('PATCH', route.uri, { body: { saml: SAML, oauth: OAUTH } });
    expect(both.status).toBe(400);
    const swapped = await send('PATCH', route.uri, { body: { oauth: null, oidc: OIDC } });
    expect([swapped.status, swapped.json.oauth]).toEqual([200, null]);
    const off = { ...OIDC, enabled: false };
    expect((await send('PATCH', route.uri, { body: { saml: SAML, oidc: off } })).status).toBe(200);
  });
});

it('refuses lone surrogates wherever they are', async () => {
  const body = String.raw`{"match_type":"exact_path","match":"/\ud800","request_headers":{"add":{"\ud800":"\udc00"}},
    "oauth":{"provider":{"github":{"teams":["\ud800/a"]}}},"saml":{"idp_metadata":"\udfff"}}`;
  const answer = await send('POST', list, { body });
  expect(faults(answer)).toEqual([
    '/match unicode',
    '/oauth/provider/github/teams/0 unicode',
    '/request_headers/add unicode',
    '/request_headers/add unicode',
    '/saml not_allowed_here',
    '/saml/idp_metadata unicode',
  ]);
});
