/** Faults that a request asks for: each is what the contract has, and none of them touches the data. */
import { request } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import type { Operation } from '../contract.ts';
import { createMemoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import type { Sending } from '../testing/send.ts';
import { contract, serveApp, serveForFile } from '../testing/serve.ts';
import { documentedResponses } from './faults.ts';

const EDGES = '/edges/https';
const { send } = serveForFile({ faults: true });

/** A valid call of each operation. */
function callOf({ id, method, path, requestBody }: Operation): Sending {
  const target = path.replace('{type}', 'a.v0').replace(/\{\w+\}/g, 'x');
  const body: unknown =
    id === 'createEventSource'
      ? { type: 'a.v0' }
      : id === 'createRoute'
        ? { match_type: 'path_prefix', match: '/' }
        : {};
  return { method: method.toUpperCase(), path: target, ...(requestBody === undefined ? {} : { body }) };
}

const preferring = (sending: Sending, prefer: string): Sending => ({
  ...sending,
  headers: { ...sending.headers, prefer },
});

const operationOf = (id: string) => contract.operations.find((one) => one.id === id)!;

/** A store that nobody may touch. */
function forbidden(): Store {
  const touched = () => {
    throw new Error('the store was touched');
  };
  const store = createMemoryStore();
  const records = {
    get: touched,
    list: touched,
    count: touched,
    create: touched,
    update: touched,
    replace: touched,
  };
  return { ...store, edges: records, subscriptions: records };
}

describe('an error', () => {
  test('that the contract documents comes as it is documented, and the data are not touched', async () => {
    const service = await serveApp({ faults: true, store: forbidden() });
    const { logged } = service;
    let tried = 0;
    for (const operation of contract.operations) {
      for (const { status, codes, headers } of documentedResponses(contract, operation).errors) {
        for (const code of codes) {
          const prefer = `status=${status}, code=${code}`;
          // Every problem that `send` receives is held to the contract's schema.
          const answer = await service.send(preferring(callOf(operation), prefer));
          expect([operation.id, answer.status, answer.json.code]).toEqual([operation.id, status, code]);
          expect(answer.headers['preference-applied']).toBe(prefer);
          for (const name of Object.keys(headers))
            expect(answer.headers[name.toLowerCase()]).toEqual(expect.stringMatching(/./));
          expect(logged).toContainEqual(
            expect.objectContaining({
              level: 40,
              request_id: answer.json.request_id,
              injected: prefer,
              msg: expect.stringContaining('injecting'),
            }),
          );
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(100);
    // A fault that was asked for is none of the service.
    expect(logged.filter(({ level }) => level === 50)).toEqual([]);
  });

  test('is the usual one of its status, or that of its code', async () => {
    const create = callOf(operationOf('createEdge'));
    for (const [prefer, status, code] of [
      ['status=400', 400, 'malformed_request'],
      ['code=invalid_request', 400, 'invalid_request'],
      ['Status="503"', 503, 'service_unavailable'],
      ['respond-async, status=429; why=test', 429, 'too_many_requests'],
    ] as const) {
      const answer = await send(preferring(create, prefer));
      expect([answer.status, answer.json.code]).toEqual([status, code]);
    }
    expect((await send(preferring(create, 'status=429'))).headers['retry-after']).toBe('1');
    expect((await send(preferring(create, 'status=401'))).headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test.for([
    [
      'getEdge',
      'status=409',
      /^the contract has these errors for getEdge, with their codes: 400 \(malformed_request, invalid_request\), 401 \(unauthorized\), 404/,
    ],
    ['deleteEdge', 'status=406', /403 \(forbidden\)/],
    ['getEdge', 'status=200', /these errors/],
    ['getEdge', 'status=abc', /these errors/],
    ['getEdge', 'status', /these errors/],
    ['getEdge', 'status=404, code=conflict', /these errors/],
    ['getEdge', 'code=unknown', /these errors/],
    ['getEdge', 'delay=30001', /from 0 to 30000/],
    ['getEdge', 'delay=-1', /from 0 to 30000/],
    ['getEdge', 'delay', /from 0 to 30000/],
    ['getEdge', 'drop=later', /drop=midway/],
    ['deleteEdge', 'drop=midway', /succeeds without one/],
  ] as const)('%s cannot have %s: 400 that says what it can', async ([id, prefer, message]) => {
    const answer = await send(preferring(callOf(operationOf(id)), prefer));
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.errors).toEqual([
      { parameter: 'Prefer', code: 'value', detail: expect.stringMatching(message) },
    ]);
    expect(answer.headers).not.toHaveProperty('preference-applied');
  });
});

describe('a delay', () => {
  test('comes before the response, which is as ever', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const answer = await send(preferring({ method: 'POST', path: EDGES, body: {} }, 'delay=7'));
    expect([answer.status, answer.headers['preference-applied']]).toEqual([201, 'delay=7']);
    expect(timer.mock.calls.map(([, ms]) => ms)).toContain(7);
    timer.mockRestore();
    expect((await send({ path: `${EDGES}/${answer.json.id}` })).status).toBe(200);
  });

  test('goes with an error', async () => {
    const answer = await send(preferring({ path: EDGES }, 'delay=1, status=503'));
    expect([answer.status, answer.headers['preference-applied']]).toEqual([503, 'delay=1, status=503']);
  });

  test('that nobody waits for ends in nothing', async () => {
    const { url, logged } = await serveApp({ faults: true, store: forbidden() });
    const outgoing = request(`${url}${EDGES}`, { headers: { prefer: 'delay=30000' } }).on('error', () => undefined);
    outgoing.end();
    await vi.waitFor(() => expect(logged).toHaveLength(1), { timeout: 60_000 });
    outgoing.destroy();
    await vi.waitFor(() => expect(logged).toHaveLength(2), { timeout: 60_000 });
    // Neither the store nor the client saw a thing: no error was logged.
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'injecting an error because the Prefer header asks for it'],
      [40, 'request with an injected error'],
    ]);
  });
});

describe('a connection', () => {
  test('is closed without a response, and nothing was done', async () => {
    const service = await serveApp({ faults: true, store: forbidden() });
    await expect(service.send(preferring({ method: 'POST', path: EDGES, body: {} }, 'drop'))).rejects.toThrow(
      /socket hang up/,
    );
    await vi.waitFor(() =>
      expect(service.logged.at(-1)).toMatchObject({
        injected: 'drop',
        operation: 'createEdge',
        msg: 'request with an injected error',
      }),
    );
  });

  test.for([
    ['drop=midway', 201, '{"id":"edghts_'],
    ['drop=midway, status=409, code=already_exists', 409, '{"type":"urn:problem-type:edge-api:already-exists"'],
  ] as const)('is closed midway: %s', async ([prefer, status, start]) => {
    const store = forbidden();
    const { url } = await serveApp({ faults: true, store });
    const path = status === 409 ? `${EDGES}/e/routes` : EDGES;
    const body = status === 409 ? '{"match_type":"path_prefix","match":"/"}' : '{}';
    const cut = await new Promise<{ status: number; announced: number; text: string; whole: boolean }>(
      (done, failed) => {
        const outgoing = request(
          `${url}${path}`,
          { method: 'POST', headers: { prefer, 'content-type': 'application/json' } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('error', () => undefined);
            response.on('close', () =>
              done({
                status: response.statusCode!,
                announced: Number(response.headers['content-length']),
                text,
                whole: response.complete,
              }),
            );
          },
        );
        outgoing.on('error', failed);
        outgoing.end(body);
      },
    );
    expect(cut).toMatchObject({ status, whole: false });
    expect(cut.text.length).toBe(Math.floor(cut.announced / 2));
    expect(cut.text.slice(0, start.length)).toBe(start);
  });
});

describe('a fault', () => {
  test('comes behind authentication and validation', async () => {
    const service = await serveApp({ faults: true, token: 'sesame' });
    const headers = { prefer: 'status=503' };
    expect((await service.send({ path: EDGES, headers })).status).toBe(401);
    const authorized = { ...headers, authorization: 'Bearer sesame' };
    for (const [sending, status] of [
      [{ method: 'POST', path: EDGES, headers: authorized, body: { colour: 1 } }, 400],
      [{ path: EDGES, headers: { ...authorized, accept: 'text/html' } }, 406],
      [{ path: '/nowhere', headers: authorized }, 404],
      [{ path: EDGES, headers: authorized }, 503],
      [{ method: 'HEAD', path: EDGES, headers: authorized }, 503],
      [{ path: '/livez', headers: authorized }, 200],
    ] as const) {
      expect((await service.send(sending)).status).toBe(status);
    }
  });

  test('needs to be switched on', async () => {
    const service = await serveApp();
    for (const prefer of ['status=503', 'drop', 'drop=midway', 'delay=30000', 'status=nonsense']) {
      const answer = await service.send(preferring({ method: 'POST', path: EDGES, body: {} }, prefer));
      expect([answer.status, answer.headers['preference-applied']]).toEqual([201, undefined]);
    }
  });

  test('is none where something else is preferred', async () => {
    const answer = await send(preferring({ path: EDGES }, 'respond-async, wait=10'));
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, undefined]);
  });
});
