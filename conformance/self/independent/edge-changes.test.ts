import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, HOST, type Received, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

const LIST = '/edges/https';

let send: Send;
beforeEach(() => {
  send = client(createIndependentService());
});

async function create(body: unknown = {}): Promise<any> {
  const { status, json } = await send('POST', LIST, { body });
  expect(status).toBe(201);
  return json;
}

async function expectUnchanged(edge: any, answer: Received, status: number, code: string) {
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect((await send('GET', edge.uri)).json).toEqual(edge);
}

/** Follows every page, but not for ever. */
async function ids(target = LIST): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | null = target; next !== null && found.length < 200;) {
    const { status, json } = await send('GET', next);
    expect(status).toBe(200);
    found.push(...json.edges.map((edge: any) => edge.id));
    next = json.uri;
  }
  return found;
}

const page = async (query: string) => (await send('GET', `${LIST}${query}`)).json;

async function createMany(count: number): Promise<string[]> {
  const created: string[] = [];
  for (let index = 0; index < count; index += 1) created.unshift((await create()).id);
  return created;
}

describe('the list of edges', () => {
  it('is empty at first', async () => {
    expect((await send('GET', LIST)).json).toMatchObject({ edges: [], uri: null });
  });

  it.each([1, 2, 6, 7, 8, 15, 16, 100, undefined])('is complete and newest first with limit %s', async (limit) => {
    const newestFirst = await createMany(16);
    expect(await ids(limit === undefined ? LIST : `${LIST}?limit=${limit}`)).toEqual(newestFirst);
  });

  it('shows edges as they are, with their routes', async () => {
    const edge = await create({ description: 'é', mutual_tls: {} });
    await addRoute(edge);
    const { json } = await send('GET', LIST);
    expect(json.edges).toEqual([(await send('GET', edge.uri)).json]);
    expect(json.edges[0].routes).toHaveLength(1);
  });

  it('keeps to the limit, and has pages of seven at most', async () => {
    await createMany(9);
    expect((await page('?limit=3')).edges).toHaveLength(3);
    expect((await page('?limit=3')).uri).toMatch(new RegExp(`^http://${HOST}/edges/https\\?cursor=[\\w-]+&limit=3$`));
    for (const query of ['', '?limit=8', '?limit=100']) expect((await page(query)).edges).toHaveLength(7);
  });

  it('stays in step while edges come, change and go', async () => {
    const [f, e, d, c, b, a] = await createMany(6);
    const first = (await send('GET', `${LIST}?limit=2`)).json;
    expect(first.edges.map((edge: any) => edge.id)).toEqual([f, e]);
    await create();
    await send('DELETE', `${LIST}/${e}`);
    await send('DELETE', `${LIST}/${c}`);
    await send('PATCH', `${LIST}/${b}`, { body: { description: 'changed' } });
    expect(await ids(first.uri)).toEqual([d, b, a]);
  });

  it.each([
    ['limit=0', ['?limit too_small']],
    ['limit=101', ['?limit too_large']],
    ['limit=ten', ['?limit type']],
    ['limit=1&limit=2', ['?limit repeated']],
    ['cursor=', ['?cursor too_short']],
    ['cursor=foreign', ['?cursor value']],
    ['order=asc', ['?order unknown']],
  ])('refuses ?%s', async (query, expected) => {
    const answer = await send('GET', `${LIST}?${query}`);
    expect([answer.status, faults(answer)]).toEqual([400, expected]);
  });

  it('does not take the cursor of another list', async () => {
    for (const type of ['a.v0', 'b.v0']) await send('POST', '/event_subscriptions/s/sources', { body: { type } });
    const { uri } = (await send('GET', '/event_subscriptions/s/sources?limit=1')).json;
    expect(faults(await send('GET', `${LIST}?cursor=${new URL(uri).searchParams.get('cursor')}`))).toEqual([
      '?cursor value',
    ]);
  });
});

const FULL = {
  description: 'old',
  metadata: 'old',
  hostports: ['a:1', 'b:2'],
  mutual_tls: { certificate_authority_ids: ['ca'] },
  tls_termination: { enabled: false, min_version: '1.3' },
};

describe('a change', () => {
  it('leaves alone what it does not name', async () => {
    const edge = await create(FULL);
    const { status, json } = await send('PATCH', edge.uri, { body: { description: 'new' } });
    expect([status, json]).toEqual([200, { ...edge, description: 'new' }]);
    expect((await send('GET', edge.uri)).json).toEqual(json);
  });

  it('of nothing changes nothing', async () => {
    const edge = await create(FULL);
    const { status, json } = await send('PATCH', edge.uri, { body: {} });
    expect([status, json]).toEqual([200, edge]);
  });

  it('resets and removes by null', async () => {
    const edge = await create(FULL);
    const body = { description: null, metadata: null, hostports: null, mutual_tls: null, tls_termination: null };
    const { json } = await send('PATCH', edge.uri, { body });
    expect(json).toEqual({ ...edge, ...body, description: '', metadata: '', hostports: [] });
  });

  it('replaces modules and lists whole', async () => {
    const edge = await create(FULL);
    const body = { hostports: ['c:3'], mutual_tls: {}, tls_termination: {} };
    const { json } = await send('PATCH', edge.uri, { body });
    expect(json).toMatchObject({
      hostports: ['c:3'],
      mutual_tls: { enabled: true, certificate_authorities: [] },
      tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' },
      description: 'old',
    });
  });

  it('needs a body', async () => {
    const edge = await create();
    const answer = await send('PATCH', edge.uri);
    expect([answer.status, answer.json.code, faults(answer)]).toEqual([400, 'invalid_request', [' required']]);
  });

  it.each([
    [{ description: 'new', colour: 'red' }, ['/colour unknown']],
    [{ description: 'é'.repeat(128), metadata: 5 }, ['/description too_many_bytes', '/metadata type']],
    [{ description: 'new', hostports: ['a'] }, ['/hostports/0 too_short']],
    [{ routes: [] }, ['/routes unknown']],
    [{ tls_termination: { terminate_at: 'upstream' }, mutual_tls: {} }, ['/mutual_tls not_allowed_here']],
    [
      { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
      ['/tls_termination/min_version not_allowed_here'],
    ],
    [null, [' type']],
  ])('is refused whole: %j', async (body, expected) => {
    const edge = await create(FULL);
    const answer = await send('PATCH', edge.uri, { body: JSON.stringify(body) });
    expect(faults(answer)).toEqual(expected);
    await expectUnchanged(edge, answer, 400, 'invalid_request');
  });

  it('of an unknown edge is refused before its body is read', async () => {
    expect((await send('PATCH', `${LIST}/unknown`, { body: '{' })).status).toBe(404);
  });
});

const addRoute = (edge: any, modules: object = {}) =>
  send('POST', `${edge.uri}/routes`, { body: { match_type: 'exact_path', match: '/', ...modules } });

describe('TLS that ends upstream', () => {
  const upstream = { terminate_at: 'upstream' };

  it('does not go together with the mutual TLS that is there', async () => {
    const edge = await create({ mutual_tls: { enabled: false } });
    const body = { tls_termination: upstream, description: 'new' };
    await expectUnchanged(edge, await send('PATCH', edge.uri, { body }), 409, 'conflict');
    const both = await send('PATCH', edge.uri, { body: { ...body, mutual_tls: null } });
    expect([both.status, both.json.mutual_tls, both.json.description]).toEqual([200, null, 'new']);
  });

  it('takes no mutual TLS later', async () => {
    const edge = await create({ tls_termination: upstream });
    await expectUnchanged(edge, await send('PATCH', edge.uri, { body: { mutual_tls: {} } }), 409, 'conflict');
    for (const tls_termination of [{}, null]) {
      const other = await create({ tls_termination: upstream });
      expect((await send('PATCH', other.uri, { body: { mutual_tls: {}, tls_termination } })).status).toBe(200);
    }
  });

  it('does not go together with routes that see the traffic, be it disabled', async () => {
    const edge = await create();
    await addRoute(edge, { backend: { backend_id: 'b' }, ip_restriction: {} });
    const { json: seeing } = await addRoute(edge, { match: '/b', compression: { enabled: false } });
    const { json: current } = await send('GET', edge.uri);
    const change = () => send('PATCH', edge.uri, { body: { tls_termination: upstream } });
    await expectUnchanged(current, await change(), 409, 'conflict');
    await send('PATCH', seeing.uri, { body: { compression: null } });
    expect((await change()).status).toBe(200);
  });

  it('takes routes that do not see the traffic alone', async () => {
    const edge = await create({ tls_termination: { ...upstream, enabled: false } });
    const refused = await addRoute(edge, { compression: {} });
    await expectUnchanged(edge, refused, 409, 'conflict');
    const blind = { backend: { backend_id: 'b' }, ip_restriction: {}, oauth: null };
    const { json: route } = await addRoute(edge, blind);
    const patched = await send('PATCH', route.uri, { body: { traffic_policy: { value: '', enabled: false } } });
    await expectUnchanged(route, patched, 409, 'conflict');
    expect((await send('PATCH', route.uri, { body: { ip_restriction: null, oidc: null } })).status).toBe(200);
  });
});

describe('a deletion', () => {
  it('takes the routes along', async () => {
    const edge = await create();
    const { json: route } = await addRoute(edge);
    const answer = await send('DELETE', edge.uri, { headers: { accept: 'text/html' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const uri of [edge.uri, route.uri]) expect((await send(method, uri, { body: {} })).status).toBe(404);
    }
    expect((await addRoute(edge)).status).toBe(404);
    expect(await ids()).toEqual([]);
  });

  it('happens once', async () => {
    const [kept, edge] = [await create(), await create()];
    const answers = await Promise.all([1, 2, 3].map(() => send('DELETE', edge.uri)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect(await ids()).toEqual([kept.id]);
  });
});
