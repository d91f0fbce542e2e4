/** Requests and responses of the client, with a `fetch` that is simulated. */
import { describe, expect, it } from 'vitest';
import { createClient, ProblemError, UnexpectedResponseError } from './index.ts';

const BASE = 'http://edge.test:4010/api';

/** A client that is given these responses in turn, and what it sent. */
function play(...answers: (Response | Error)[]) {
  const sent: Request[] = [];
  const api = createClient({
    baseUrl: `${BASE}/`,
    token: 's3cret',
    fetch: async (request) => {
      sent.push(request);
      const answer = answers.shift() ?? new Error('no response left');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { api, sent };
}

const written = (status: number, text: string, type: string) =>
  new Response(text, { status, headers: { 'Content-Type': type } });
const json = (status: number, body: unknown, type = 'application/json') => written(status, JSON.stringify(body), type);
const edges = (next_page_uri: string | null) => json(200, { https_edges: [], uri: '', next_page_uri });
const problem = (status: number, more: object) =>
  json(
    status,
    { type: 'about:blank', title: 'No', status, detail: 'not so', request_id: 'r1', ...more },
    'application/problem+json',
  );
const source = (type: string) => ({ type, uri: `${BASE}/s/${type}` });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a call', () => {
  it('sends method, path, token and exactly the body that it is given', async () => {
    const { api, sent } = play(json(200, { id: 'e 1' }));
    await api.updateEdge({ edge_id: 'e 1' }, { description: null, hostports: ['a.test:443'] });
    expect(sent[0]!.method).toBe('PATCH');
    expect(sent[0]!.url).toBe(`${BASE}/edges/https/e%201`);
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer s3cret');
    expect(sent[0]!.headers.get('content-type')).toBe('application/json');
    expect(await sent[0]!.text()).toBe('{"description":null,"hostports":["a.test:443"]}');
  });

  it('ends with nothing after a deletion', async () => {
    const { api, sent } = play(new Response(null, { status: 204 }));
    expect(await api.deleteRoute({ edge_id: 'e', route_id: 'r' })).toBeUndefined();
    expect(sent[0]!.url).toBe(`${BASE}/edges/https/e/routes/r`);
  });

  it('ends early when its signal says so', async () => {
    const { api, sent } = play(edges(null));
    const stop = new AbortController();
    await collect(api.listEdges({ signal: stop.signal }));
    stop.abort();
    expect(sent[0]!.signal.aborted).toBe(true);
  });
});

describe('pages', () => {
  const next = 'http://edge.test:4010/other/path?cursor=a%2Fb!&x=%20';

  it('are followed by their uri, as it is, until it is null', async () => {
    const { api, sent } = play(
      json(200, { sources: [source('a.v0')], uri: next }),
      json(200, { sources: [], uri: `${next}2` }),
      json(200, { sources: [source('b.v0')], uri: null }),
    );
    const types = (await collect(api.listEventSources({ subscription_id: 's' }, { limit: 1 }))).map(
      (each) => each.type,
    );
    expect(types).toEqual(['a.v0', 'b.v0']);
    expect(sent.map((each) => each.url)).toEqual([`${BASE}/event_subscriptions/s/sources?limit=1`, next, `${next}2`]);
    expect(sent[1]!.headers.get('authorization')).toBe('Bearer s3cret');
  });

  it.each(['https://edge.test:4010/x', 'http://edge.test/x', 'http://edge.test.evil:4010/x'])(
    'at another origin (%s) get no token',
    async (uri) => {
      const { api, sent } = play(edges(uri), edges(null));
      await collect(api.listEdges());
      expect(sent[1]!.url).toBe(uri);
      expect(sent[1]!.headers.has('authorization')).toBe(false);
    },
  );

  it('are fetched when they are asked for, and no sooner', async () => {
    const { api, sent } = play(json(200, { https_edges: [{ id: 'e' }], uri: '', next_page_uri: next }));
    const list = api.listEdges();
    expect(sent).toHaveLength(0);
    for await (const page of list.pages()) {
      expect(page.items).toHaveLength(1);
      break;
    }
    expect(sent).toHaveLength(1);
  });

  it.each(['/edges/https?cursor=x', ''])('without an absolute uri (%j) are an unexpected answer', async (uri) => {
    const { api } = play(edges(uri));
    await expect(collect(api.listEdges())).rejects.toThrow(UnexpectedResponseError);
  });

  it('that go in a circle end with an error', async () => {
    const { api } = play(edges(next), edges(next), edges(next));
    await expect(collect(api.listEdges())).rejects.toThrow(/circle/);
  });
});

describe('a response that is no success', () => {
  it('is a ProblemError with status, code and every fault with its place', async () => {
    const errors = [{ pointer: '/hostports/0', code: 'format', detail: 'no port' }];
    const { api } = play(problem(400, { code: 'invalid_request', errors }));
    const error: unknown = await api.createEdge({ hostports: ['x'] }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors,
      requestId: 'r1',
      message: '400 invalid_request: not so',
    });
  });

  it('has no faults where the problem names none', async () => {
    const { api } = play(problem(404, { code: 'not_found' }));
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toMatchObject({ code: 'not_found', errors: [] });
  });

  it.each([
    ['a page of a proxy', written(502, '<h1>Bad Gateway</h1>', 'text/html')],
    ['an invalid problem', json(500, ['?'], 'application/problem+json')],
    ['a problem cut short', written(500, '{"code"', 'application/problem+json')],
    ['a success that is not JSON', written(200, 'hello', 'text/plain')],
    ['a success without a body', new Response(null, { status: 204 })],
  ])('or that the contract does not know is an UnexpectedResponseError: %s', async (_, answer) => {
    const { api } = play(answer);
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toThrow(UnexpectedResponseError);
  });

  it('never comes is what fetch throws', async () => {
    const { api } = play(new TypeError('fetch failed'));
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toThrow(TypeError);
  });
});

describe('createClient', () => {
  it.each(['edge.test', '/api', 'ftp://edge.test', 'http://user@edge.test', 'http://edge.test?x=1'])(
    'refuses the base URL %s',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(TypeError);
    },
  );

  it('refuses a token that no header can carry, without showing it', () => {
    expect(() => createClient({ baseUrl: BASE, token: 'hidden\n' })).toThrow(/^((?!hidden)[^])*$/);
  });

  it('sends no token where it has none', async () => {
    const sent: Request[] = [];
    const fetch = async (request: Request) => (sent.push(request), new Response(null, { status: 204 }));
    await createClient({ baseUrl: BASE, fetch }).deleteEdge({ edge_id: 'e' });
    expect(sent.map(({ headers }) => headers.has('authorization'))).toEqual([false]);
  });
});
