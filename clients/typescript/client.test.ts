/** Requests and responses of the client, with a `fetch` that is simulated. */
import { describe, expect, it } from 'vitest';
import {
  AlreadyExistsError,
  ConflictError,
  type Connection,
  ConnectionError,
  type EdgeClient,
  ForbiddenError,
  InternalServerError,
  InvalidRequestError,
  NotFoundError,
  ProblemError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  createClient,
} from './index.ts';

const BASE = 'http://edge.test:4010/api';

/** A client that is given these responses in turn, and what it sent. */
const play = (...answers: (Response | Error)[]) => playWith({ retries: 0 }, ...answers);

function playWith(options: Partial<Connection>, ...answers: (Response | Error)[]) {
  const sent: Request[] = [];
  const api = createClient({
    baseUrl: `${BASE}/`,
    token: 's3cret',
    ...options,
    fetch: async (request) => {
      sent.push(request);
      const answer = answers.shift() ?? new Error('no response left');
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    },
  });
  return { api, sent };
}

const written = (status: number, text: string, type: string) =>
  new Response(text, { status, headers: { 'Content-Type': type } });
const json = (status: number, body: unknown, type = 'application/json') =>
  written(status, JSON.stringify(body), type);
const edges = (next_page_uri: string | null) =>
  json(200, { https_edges: [], uri: '', next_page_uri });
const problem = (status: number, more: object) => {
  const body = {
    type: 'about:blank',
    title: 'No',
    status,
    detail: 'not so',
    request_id: 'r1',
    ...more,
  };
  return json(status, body, 'application/problem+json');
};
const source = (type: string) => ({ type, uri: `${BASE}/s/${type}` });

describe('a call', () => {
  it('sends method, path, token and exactly the body that it is given', async () => {
    const { api, sent } = play(json(200, { id: 'e_1' }));
    await api.updateEdge({ edge_id: 'e_1' }, { description: null, hostports: ['a.test:443'] });
    expect(sent[0]).toMatchObject({ method: 'PATCH', url: `${BASE}/edges/https/e_1` });
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer s3cret');
    expect(sent[0]!.headers.get('content-type')).toBe('application/json');
    expect(await sent[0]!.text()).toBe('{"description":null,"hostports":["a.test:443"]}');
  });

  it('resolves with nothing after a deletion, and sends no token if none is given', async () => {
    const { api, sent } = playWith({ token: undefined }, new Response(null, { status: 204 }));
    expect(await api.deleteRoute({ edge_id: 'e', route_id: 'r' })).toBeUndefined();
    expect(sent[0]!.url).toBe(`${BASE}/edges/https/e/routes/r`);
    expect(sent[0]!.headers.has('authorization')).toBe(false);
  });

  it.each([undefined, null, '', '.', '..', 'a/b', '%2e%2e', 'é', 'e\n', ['e'], 7])(
    'sends nothing when a path parameter is %j',
    async (value) => {
      const { api, sent } = play(new Response(null, { status: 204 }));
      const id = value as string;
      const wrongRoute = api.deleteRoute({ edge_id: 'e', route_id: id });
      await expect(wrongRoute).rejects.toThrow(/^path parameter route_id must .*nothing was sent$/);
      await expect(api.deleteEdge({ edge_id: id })).rejects.toThrow(TypeError);
      await expect(api.getEdge(undefined as never)).rejects.toThrow('edge_id');
      const wrongType = api.getEventSource({ subscription_id: 's', type: id });
      await expect(wrongType).rejects.toThrow('path parameter type ');
      await expect(api.listEventSources({ subscription_id: id }).page()).rejects.toThrow(
        'subscription_id',
      );
      expect(sent).toEqual([]);
    },
  );

  it('sends nothing when an id stands in place of the path parameters', async () => {
    const { api, sent } = play(new Response(null, { status: 204 }));
    const message =
      "path parameters must be an object, { edge_id: '...', route_id: '...' }, not string: " +
      'nothing was sent';
    await expect(api.deleteRoute('e' as never)).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it('sends every other id', async () => {
    const { api, sent } = play(json(200, source('a.v0')), json(200, {}));
    await api.getEventSource({ subscription_id: 's', type: 'a.v0' });
    await api.getEdge({ edge_id: '-_Z9' });
    const paths = sent.map(({ url }) => url.slice(BASE.length));
    expect(paths).toEqual(['/event_subscriptions/s/sources/a.v0', '/edges/https/-_Z9']);
  });

  it('has its own header fields, which replace those of the client', async () => {
    const { api, sent } = play(json(200, {}), json(200, {}), edges(null));
    const headers = { 'X-Trace': 't1', Authorization: 'Bearer other' };
    await api.getEdge({ edge_id: 'e' }, { headers });
    await api.getEdge({ edge_id: 'e' });
    await api.listEdges({ headers }).page();
    const fields = sent.map((request) => [
      request.headers.get('x-trace'),
      request.headers.get('authorization'),
    ]);
    expect(fields).toEqual([
      ['t1', 'Bearer other'],
      [null, 'Bearer s3cret'],
      ['t1', 'Bearer other'],
    ]);
  });

  it('has its own number of retries and timeout, which are checked', async () => {
    const lost = () => new Error('lost');
    const { api, sent } = play(lost(), json(200, { id: 'e' }), lost(), json(200, {}));
    expect(await api.getEdge({ edge_id: 'e' }, { retries: 1 })).toEqual({ id: 'e' });
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toThrow(ConnectionError);
    await expect(api.getEdge({ edge_id: 'e' }, { retries: -1 })).rejects.toThrow(TypeError);
    await expect(api.deleteEdge({ edge_id: 'e' }, { timeout: 0 })).rejects.toThrow(TypeError);
    await expect(api.listEdges({ retries: 0.5 }).page()).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(3);
  });

  it('gives its response on request', async () => {
    const created = json(201, { id: 'e' });
    created.headers.set('X-Request-Id', 'r1');
    const { api } = play(created, new Response(null, { status: 204 }), edges(null));
    const { data, response } = await api.createEdge({}).withResponse();
    expect([data, response.status, response.headers.get('x-request-id')]).toEqual([
      { id: 'e' },
      201,
      'r1',
    ]);
    const deleted = await api.deleteEdge({ edge_id: 'e' }).withResponse();
    expect([deleted.data, deleted.response.status]).toEqual([undefined, 204]);
    const page = await api.listEdges().page().withResponse();
    expect([page.data, page.response.status]).toEqual([{ items: [], next: null }, 200]);
    // A promise that is rejected, and that nobody waits for, would end the process.
    await expect(api.getEdge({ edge_id: '' }).withResponse()).rejects.toThrow('edge_id');
  });

  it('asks a function for the token before each attempt, and checks what it says', async () => {
    const limited = problem(429, { code: 'too_many_requests' });
    limited.headers.set('Retry-After', '0');
    const tokens = ['t1', 't2', 't 3'];
    const token = async () => tokens.shift() ?? '';
    const { api, sent } = playWith({ token }, limited, json(200, {}));
    await api.getEdge({ edge_id: 'e' });
    const sentTokens = sent.map(({ headers }) => headers.get('authorization'));
    expect(sentTokens).toEqual(['Bearer t1', 'Bearer t2']);
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toThrow(/^token must be visible ASCII/);
    expect(sent).toHaveLength(2);
  });

  it('ends early when its signal is aborted', async () => {
    const { api, sent } = play(edges(null));
    const stop = new AbortController();
    await api.listEdges({ signal: stop.signal }).toArray();
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
    const listed = await api.listEventSources({ subscription_id: 's' }, { limit: 1 }).toArray();
    expect(listed.map((each) => each.type)).toEqual(['a.v0', 'b.v0']);
    expect(sent.map((each) => each.url)).toEqual([
      `${BASE}/event_subscriptions/s/sources?limit=1`,
      next,
      `${next}2`,
    ]);
    expect(sent[1]!.headers.get('authorization')).toBe('Bearer s3cret');
  });

  const others = ['https://edge.test:4010/x', 'http://edge.test/x', 'http://edge.test.evil:4010/x'];
  it.each(others)('at another origin (%s) get no token', async (uri) => {
    const { api, sent } = play(edges(uri), edges(null));
    await api.listEdges().toArray();
    expect(sent[1]!.url).toBe(uri);
    expect(sent[1]!.headers.has('authorization')).toBe(false);
  });

  it('pass the middleware, and get no token of a call at another origin', async () => {
    const seen: string[] = [];
    const log = { onRequest: ({ request }: { request: Request }) => void seen.push(request.url) };
    const foreign = 'https://other.test/x?cursor={a}';
    const { api, sent } = playWith({ middleware: [log] }, edges(foreign), edges(null));
    await api.listEdges({ headers: { Authorization: 'Bearer other' } }).toArray();
    expect(seen).toEqual([`${BASE}/edges/https`, 'https://other.test/x?cursor=%7Ba%7D']);
    const tokens = sent.map(({ headers }) => headers.get('authorization'));
    expect(tokens).toEqual(['Bearer other', null]);
  });

  it.each(['/edges/https?cursor=x', ''])(
    'without an absolute uri (%j) are an unexpected response',
    async (uri) => {
      const { api } = play(edges(uri));
      await expect(api.listEdges().toArray()).rejects.toThrow(UnexpectedResponseError);
    },
  );

  it('begin at a cursor or a page URI, one by one or as an array, fetched on demand', async () => {
    const page = (id: string, uri: string | null) =>
      json(200, { https_edges: [{ id }], uri: '', next_page_uri: uri });
    const { api, sent } = play(
      page('a', next),
      page('b', `${next}2`),
      page('c', next),
      page('d', `${next}3`),
    );
    api.listEdges().pages();
    expect(await api.listEdges({ cursor: 'x/1', limit: 1 }).page()).toEqual({
      items: [{ id: 'a' }],
      next,
    });
    expect(await api.listEdges({ from: next }).page()).toEqual({
      items: [{ id: 'b' }],
      next: `${next}2`,
    });
    expect(await api.listEdges().toArray({ limit: 2 })).toEqual([{ id: 'c' }, { id: 'd' }]);
    expect(await api.listEdges().toArray({ limit: 0 })).toEqual([]);
    const first = `${BASE}/edges/https`;
    expect(sent.map((each) => each.url)).toEqual([
      `${first}?limit=1&cursor=x%2F1`,
      next,
      first,
      next,
    ]);
    expect(() => api.listEdges({ from: next, limit: 1 })).toThrow(TypeError);
  });

  it('that lead back to one that was read end with an error', async () => {
    const { api } = play(edges(next), edges(next), edges(next));
    await expect(api.listEdges().toArray()).rejects.toThrow(/circle/);
  });
});

describe('a response that is not a success', () => {
  it('is a ProblemError with status, code and every error with its place', async () => {
    const errors = [{ pointer: '/hostports/0', code: 'format', detail: 'no port' }];
    const { api } = play(problem(400, { code: 'invalid_request', errors }));
    const error: unknown = await api
      .createEdge({ hostports: ['x'] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    const message = '400 invalid_request: not so (/hostports/0 no port)';
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors,
      requestId: 'r1',
      message,
    });
  });

  it('has the address and the first errors in its message', async () => {
    const errors = ['/a', '/b', '/c', '/d', '/e', '/f'].map((pointer) => {
      return { pointer, code: 'unknown', detail: 'is unknown' };
    });
    const ofBody = { pointer: '', code: 'type', detail: 'must be an object' };
    const ofQuery = { parameter: 'limit', code: 'type', detail: 'must be an integer' };
    const answer = problem(400, { code: 'invalid_request', errors: [ofBody, ofQuery, ...errors] });
    Object.defineProperty(answer, 'url', { value: `${BASE}/edges/https` });
    const { api } = play(answer);
    const shown =
      'must be an object; limit must be an integer; /a is unknown; /b is unknown; /c is unknown';
    const message = `400 invalid_request from ${BASE}/edges/https: not so (${shown}; 3 more)`;
    await expect(api.createEdge({})).rejects.toMatchObject({ message });
  });

  it.each([
    ['7', 7, 7],
    [new Date(Date.now() + 60_000).toUTCString(), 1, 60],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0, 0],
  ])('carries its header fields, and Retry-After %s in seconds', async (text, least, most) => {
    const answer = problem(429, { code: 'too_many_requests' });
    answer.headers.set('Retry-After', text);
    const call = play(answer).api.createEdge({});
    const { status, errors, response, retryAfter } = (await call.catch(
      (error: unknown) => error,
    )) as ProblemError;
    // The problem names no errors.
    expect([status, errors]).toEqual([429, []]);
    expect(response.headers.get('retry-after')).toBe(text);
    expect(retryAfter).toBeGreaterThanOrEqual(least);
    expect(retryAfter).toBeLessThanOrEqual(most);
  });

  it.each([
    ['a page of a proxy', written(502, '<h1>Bad Gateway</h1>', 'text/html')],
    ['an invalid problem', json(500, ['?'], 'application/problem+json')],
    ['a problem with an invalid error', problem(400, { code: 'invalid_request', errors: [null] })],
    ['a problem cut short', written(500, '{"code"', 'application/problem+json')],
    ['a success that is not JSON', written(200, 'hello', 'text/plain')],
    ['a success without a body', new Response(null, { status: 204 })],
  ])('or that the contract does not know is an UnexpectedResponseError: %s', async (_, answer) => {
    const { api } = play(answer);
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toThrow(UnexpectedResponseError);
  });
});

describe('an error', () => {
  it.each([
    ['invalid_request', InvalidRequestError],
    ['unauthorized', UnauthorizedError],
    ['forbidden', ForbiddenError],
    ['not_found', NotFoundError],
    ['already_exists', AlreadyExistsError],
    ['conflict', ConflictError],
    ['too_many_requests', RateLimitError],
    ['internal_error', InternalServerError],
    ['service_unavailable', ServiceUnavailableError],
    ['malformed_request', ProblemError],
    ['constructor', ProblemError],
  ] as const)('with the code %s is a %o', async (code, Kind) => {
    const { api } = play(problem(418, { code }));
    const error: unknown = await api.createEdge({}).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Kind);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ name: Kind.name, code, constructor: Kind });
  });

  it('without a response names the operation, the address and the cause', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const { api } = play(cause);
    const error: unknown = await api.getEdge({ edge_id: 'e' }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    const url = `${BASE}/edges/https/e`;
    expect(error).toMatchObject({ name: 'ConnectionError', operation: 'getEdge', url, cause });
    expect((error as Error).message).toBe(
      `getEdge: no response to GET ${url}: fetch failed: connect ECONNREFUSED`,
    );
  });

  it('of a response that ends early is a ConnectionError, too', async () => {
    const cut = new ReadableStream({ start: (stream) => stream.error(new Error('terminated')) });
    const headers = { 'Content-Type': 'application/json' };
    const { api } = play(new Response(cut, { headers }));
    await expect(api.getEdge({ edge_id: 'e' })).rejects.toThrow(ConnectionError);
  });
});

describe('middleware', () => {
  it('changes the request, sees the response before an error, and can replace it', async () => {
    const statuses: number[] = [];
    const { api, sent } = playWith(
      {
        middleware: [
          {
            onRequest({ request, schemaPath, params }) {
              request.headers.set('X-Path', `${schemaPath} ${JSON.stringify(params.path)}`);
            },
            onResponse({ response }) {
              statuses.push(response.status);
              if (response.status === 404) {
                return json(200, { id: 'instead' });
              }
              return undefined;
            },
          },
        ],
      },
      problem(404, { code: 'not_found' }),
      problem(409, { code: 'conflict' }),
    );
    expect(await api.getEdge({ edge_id: 'e' })).toEqual({ id: 'instead' });
    await expect(api.updateEdge({ edge_id: 'e' }, {})).rejects.toThrow(ConflictError);
    expect(sent[0]!.headers.get('x-path')).toBe('/edges/https/{edge_id} {"edge_id":"e"}');
    expect(statuses).toEqual([404, 409]);
  });
});

describe('retries', () => {
  const failed = (status = 503, seconds = '0') => {
    const answer = problem(status, { code: 'unavailable' });
    answer.headers.set('Retry-After', seconds);
    return answer;
  };
  const limited = () => failed(429, 'Wed, 21 Oct 2015 07:28:00 GMT');
  const lost = () => new TypeError('lost');
  const done = () => json(200, { id: 'e', type: 'b.v0' });
  const gone = () => problem(404, { code: 'not_found' });
  const path = { subscription_id: 's', type: 'a.v0' };

  const getEdge = (api: EdgeClient) => api.getEdge({ edge_id: 'e' });
  const deleteEdge = (api: EdgeClient) => api.deleteEdge({ edge_id: 'e' });

  interface Retry {
    of: string;
    call: (api: EdgeClient) => Promise<unknown>;
    answers: (Response | Error)[];
    attempts: number;
    result: number | 'lost' | 'done';
  }
  it.each<Retry>([
    {
      of: 'a POST after 429',
      call: (api) => api.createEdge({}),
      answers: [limited(), limited(), done()],
      attempts: 3,
      result: 'done',
    },
    {
      of: 'a POST after 503',
      call: (api) => api.createEdge({}),
      answers: [failed(), done()],
      attempts: 1,
      result: 503,
    },
    {
      of: 'a POST without a response',
      call: (api) => api.createEdge({}),
      answers: [lost(), done()],
      attempts: 1,
      result: 'lost',
    },
    {
      of: 'a GET',
      call: getEdge,
      answers: [failed(500), lost(), done()],
      attempts: 3,
      result: 'done',
    },
    {
      of: 'a GET through a gateway that fails',
      call: getEdge,
      answers: [written(502, '', 'text/html'), written(504, '', 'text/html'), done()],
      attempts: 3,
      result: 'done',
    },
    {
      of: 'a GET that fails too often',
      call: getEdge,
      answers: [failed(), failed(), failed(), done()],
      attempts: 3,
      result: 503,
    },
    {
      of: 'a GET that must wait too long',
      call: getEdge,
      answers: [failed(503, '61'), done()],
      attempts: 1,
      result: 503,
    },
    {
      of: 'a GET of nothing',
      call: getEdge,
      answers: [gone(), done()],
      attempts: 1,
      result: 404,
    },
    {
      of: 'a PATCH of an edge',
      call: (api) => api.updateEdge({ edge_id: 'e' }, { metadata: 'm' }),
      answers: [lost(), done()],
      attempts: 2,
      result: 'done',
    },
    {
      of: 'a PATCH of a source',
      call: (api) => api.updateEventSource(path, { type: 'b.v0' }),
      answers: [failed(), done()],
      attempts: 1,
      result: 503,
    },
    {
      of: 'a DELETE that was carried out',
      call: deleteEdge,
      answers: [lost(), gone()],
      attempts: 2,
      result: 'done',
    },
    {
      of: 'a DELETE of nothing',
      call: deleteEdge,
      answers: [limited(), gone()],
      attempts: 2,
      result: 404,
    },
  ])('$of', async ({ call, answers, attempts, result }) => {
    const { api, sent } = playWith({}, ...answers);
    const failure = (error: Error) => {
      if (error instanceof ConnectionError) {
        return (error.cause as Error).message;
      }
      return error instanceof ProblemError ? error.status : error.message;
    };
    expect(await call(api).then(() => 'done', failure)).toBe(result);
    expect(sent).toHaveLength(attempts);
    expect(new Set(await Promise.all(sent.map((request) => request.text()))).size).toBe(1);
  });

  it('end with the signal, also while they wait', async () => {
    const { api, sent } = playWith({}, failed(503, '30'), done());
    const call = api.getEdge({ edge_id: 'e' }, { signal: AbortSignal.timeout(20) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(sent).toHaveLength(1);
  });

  it('follow an attempt that takes longer than the timeout', async () => {
    let attempts = 0;
    const fetch = ({ signal }: Request) =>
      new Promise<Response>((resolve, reject) => {
        if (++attempts === 2) {
          resolve(done());
        }
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const api = createClient({ baseUrl: BASE, timeout: 10, fetch });
    expect(await api.getEdge({ edge_id: 'e' })).toMatchObject({ id: 'e' });
    attempts = 2;
    const error: unknown = await api.createEdge({}).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: 'TimeoutError', operation: 'createEdge' });
    expect((error as Error).message).toMatch(/: the timeout is \d+ ms$/);
  });
});

describe('createClient', () => {
  const unusable = [
    'edge.test',
    '/api',
    'ftp://edge.test',
    'http://user@edge.test',
    'http://edge.test?x=1',
  ];
  it.each(unusable)('refuses the base URL %s', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(TypeError);
  });

  it.each([{ timeout: 0 }, { timeout: -1 }, { retries: -1 }, { retries: 1.5 }])(
    'refuses %j',
    (options) => {
      expect(() => createClient({ baseUrl: BASE, ...options })).toThrow(TypeError);
    },
  );

  it('refuses a token that no header can carry, without showing it', () => {
    expect(() => createClient({ baseUrl: BASE, token: 'hidden\n' })).toThrow(/^((?!hidden)[^])*$/);
  });
});
