/** Faults that a request asks for: each is in the contract, and none of them touches the data. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import type { Operation } from '../contract.ts';
import type { Sending } from '../testing/send.ts';
import { contract, failingStore, serveApp, serveForFile } from '../testing/serve.ts';
import { documentedResponses } from './documented-responses.ts';
import { readPreferences } from './preferences.ts';

const EDGES = '/edges/https';
const create: Sending = { method: 'POST', path: EDGES, body: {} };
const { send } = serveForFile({ faults: true });

const preferring = (sending: Sending, prefer: string) => ({
  ...sending,
  headers: { ...sending.headers, prefer },
});

/** A valid call of each operation. */
function callOf({ id, method, path, requestBody }: Operation): Sending {
  const bodies: Record<string, object> = {
    createEventSource: { type: 'a.v0' },
    createRoute: { match_type: 'path_prefix', match: '/' },
  };
  const body = requestBody && { body: bodies[id] ?? {} };
  return {
    method: method.toUpperCase(),
    path: path.replace('{type}', 'a.v0').replaceAll(/\{\w+\}/g, 'x'),
    ...body,
  };
}

const forbidden = () => failingStore(new Error('the store was touched'));

test('each error of the contract comes as documented, and the data are not touched', async () => {
  const service = await serveApp({ faults: true, store: forbidden() });
  for (const operation of contract.operations) {
    for (const { status, codes, headers } of documentedResponses(contract, operation).errors) {
      for (const code of codes) {
        const prefer = `status=${status}, code=${code}`;
        // The server validates each problem against the contract.
        const answer = await service.send(preferring(callOf(operation), prefer));
        expect([operation.id, answer.status, answer.json.code]).toEqual([
          operation.id,
          status,
          code,
        ]);
        expect(answer.headers['preference-applied']).toBe(prefer);
        for (const name of Object.keys(headers)) {
          expect(answer.headers).toHaveProperty(name.toLowerCase());
        }
        const line = { level: 40, request_id: answer.json.request_id, injected: prefer };
        expect(service.logged.at(-1)).toMatchObject(line);
      }
    }
  }
  // An injected error is not an error of the service.
  expect(service.logged.filter(({ level }) => level === 50)).toEqual([]);
});

test.for([
  ['status=400', 400, 'malformed_request', {}],
  ['code=invalid_request', 400, 'invalid_request', {}],
  ['Status="503"', 503, 'service_unavailable', { 'retry-after': '1' }],
  [
    'respond-async, status=401; why=test',
    401,
    'unauthorized',
    { 'www-authenticate': expect.anything() },
  ],
  [
    'delay=1, status=503',
    503,
    'service_unavailable',
    { 'preference-applied': 'delay=1, status=503' },
  ],
  ['respond-async, wait=10', 201, undefined, {}],
] as const)('Prefer: %s: %i %s', async ([prefer, status, code, headers]) => {
  const answer = await send(preferring(create, prefer));
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(answer.headers).toMatchObject(headers);
});

test.for([
  [
    'getEdge',
    'status=409',
    /^the contract has these errors for getEdge, with their codes: 400 \(malformed/,
  ],
  ['getEdge', 'status=404, code=conflict', /these errors/],
  ['getEdge', 'delay=30001', /from 0 to 30000/],
  ['getEdge', 'drop=later', /drop=midway/],
  ['deleteEdge', 'drop=midway', /succeeds without one/],
] as const)(
  '%s cannot have %s, and the response says what is possible',
  async ([id, prefer, message]) => {
    const operation = contract.operations.find((one) => one.id === id)!;
    const { status, json, headers } = await send(preferring(callOf(operation), prefer));
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.errors).toEqual([
      { parameter: 'Prefer', code: 'value', detail: expect.stringMatching(message) },
    ]);
    expect(headers).not.toHaveProperty('preference-applied');
  },
);

describe('a delay', () => {
  test('comes before the response, which is otherwise the same', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const { status, headers, json } = await send(preferring(create, 'delay=7'));
    expect([status, headers['preference-applied']]).toEqual([201, 'delay=7']);
    expect(timer.mock.calls.map(([, ms]) => ms)).toContain(7);
    timer.mockRestore();
    expect((await send({ path: `${EDGES}/${json.id}` })).status).toBe(200);
  });

  test('ends without any effect when the client closes the connection', async () => {
    const { url, logged } = await serveApp({ faults: true, store: forbidden() });
    const outgoing = request(`${url}${EDGES}`, { headers: { prefer: 'delay=30000' } }).on(
      'error',
      () => undefined,
    );
    outgoing.end();
    await vi.waitFor(() => expect(logged).toHaveLength(1), { timeout: 60_000 });
    outgoing.destroy();
    await vi.waitFor(() => expect(logged).toHaveLength(2), { timeout: 60_000 });
    expect(logged.map(({ level }) => level)).toEqual([40, 40]);
  });
});

describe('a connection', () => {
  test('is closed without a response, and without any effect', async () => {
    const { send: sendTo, logged } = await serveApp({ faults: true, store: forbidden() });
    await expect(sendTo(preferring(create, 'drop'))).rejects.toThrow(/socket hang up/);
    const line = {
      injected: 'drop',
      operation: 'createEdge',
      msg: 'request with an injected error',
    };
    await vi.waitFor(() => expect(logged.at(-1)).toMatchObject(line));
  });

  test.for([
    ['drop=midway', 201, '{"id":"edghts_'],
    ['drop=midway, status=503', 503, '{"type":"urn:problem-type:edge-api:service-unavailable"'],
  ] as const)('is closed midway: %s', async ([prefer, status, start]) => {
    const { url } = await serveApp({ faults: true, store: forbidden() });
    const headers = { prefer, 'content-type': 'application/json' };
    const outgoing = request(`${url}${EDGES}`, { method: 'POST', headers }).end('{}');
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    let text = '';
    const reading = async () => {
      for await (const chunk of incoming) {
        text += String(chunk);
      }
    };
    await expect(reading).rejects.toThrow(/aborted/);
    expect([incoming.statusCode, text]).toEqual([status, expect.stringMatching(`^${start}`)]);
    expect(text.length).toBe(Math.floor(Number(incoming.headers['content-length']) / 2));
  });
});

test('a fault comes after authentication and validation', async () => {
  const service = await serveApp({ faults: true, token: 'sesame' });
  const prefer = 'status=503';
  const headers = { prefer, authorization: 'Bearer sesame' };
  for (const [sending, status] of [
    [{ path: EDGES, headers: { prefer } }, 401],
    [{ method: 'POST', path: EDGES, headers, body: { colour: 1 } }, 400],
    [{ path: EDGES, headers: { ...headers, accept: 'text/html' } }, 406],
    [{ path: '/nowhere', headers }, 404],
    [{ path: EDGES, headers }, 503],
    [{ method: 'HEAD', path: EDGES, headers }, 503],
    [{ path: '/livez', headers }, 200],
  ] as const) {
    expect([sending, (await service.send(sending)).status]).toEqual([sending, status]);
  }
});

test('faults are off by default', async () => {
  const service = await serveApp();
  for (const prefer of ['status=503', 'drop', 'drop=midway', 'delay=30000', 'status=nonsense']) {
    const { status, headers } = await service.send(preferring(create, prefer));
    expect([status, headers['preference-applied']]).toEqual([201, undefined]);
  }
});

test.for([
  [undefined, {}],
  ['Status = 503', { status: '503' }],
  [' ,, a=1 ,,b=2,', { a: '1', b: '2' }],
  ['a="x, \\"y\\";z", b', { a: 'x, "y";z', b: '' }],
  ['a=1; p=2; q; ; r="x,y", b=3', { a: '1', b: '3' }],
  // The first one counts (RFC 7240, section 2).
  ['a=1, A=2', { a: '1' }],
  ['a=1, =2, b=3', { a: '1' }],
  [['a=1', 'b=2'], { a: '1', b: '2' }],
] as [string | string[] | undefined, object][])(
  'the preferences of %j are %j',
  ([header, expected]) => {
    expect(Object.fromEntries(readPreferences(header))).toEqual(expected);
  },
);

test('a long malformed header is read once', () => {
  // To try every combination would not end.
  for (const gap of [' ; ', '; a = ', ' = ; ', ' , ']) {
    expect(
      readPreferences(`a${gap.replaceAll(' ', ' '.repeat(40)).repeat(150)}!"`).size,
    ).toBeLessThanOrEqual(1);
  }
});
