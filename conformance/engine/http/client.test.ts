/** Requests go out as they are given, share connections, and are sent again if that is safe. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { rawServer } from '../../cli/testing/services.ts';
import { listening } from '../../self-test/service.ts';
import { Client, type ClientOptions } from './client.ts';
import { Rate } from './rate.ts';
import type { NoResponse, RawResponse } from './response.ts';

const clientAt = (base: string, options: Partial<ClientOptions> = {}) =>
  new Client({ base, headers: { accept: 'x/y' }, timeoutMs: 10_000, connections: 1, ...options });

/** The client of a server on a free port. */
async function clientOf(server: Server, path = '', options: Partial<ClientOptions> = {}) {
  const opened = new Set<unknown>();
  server.on('connection', (socket) => opened.add(socket));
  const { url, close } = await listening(server);
  return { client: clientAt(url + path, options), opened, [Symbol.asyncDispose]: close };
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const serving = (respond: Respond, connections = 1) =>
  clientOf(createServer(respond), '', { connections });

const echo: Respond = (request, response) =>
  void text(request).then((body) =>
    response.end(JSON.stringify({ headers: request.headers, body })),
  );

it('a client has so many connections at most, and uses them again', async () => {
  await using service = await serving((_, response) => void setImmediate(() => response.end()), 3);
  const get = () => service.client.send({ method: 'GET', target: '/' });
  await Promise.all(Array.from({ length: 20 }, get));
  await get();
  expect(service.opened.size).toBe(3);
});

/** A service that says how long it keeps connections, and never closes one. */
const keepingFor = async (seconds: number) => {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      connection: 'keep-alive',
      'keep-alive': `timeout=${seconds}, max=5`,
    });
    response.end();
  });
  server.keepAliveTimeout = 0;
  const closed = new Set<unknown>();
  server.on('connection', (socket) => socket.once('close', () => closed.add(socket)));
  return { ...(await clientOf(server)), closed };
};

it('a client closes connections that it does not use again', async () => {
  await using service = await keepingFor(0);
  for (let sent = 0; sent < 3; sent++) {
    await service.client.send({ method: 'GET', target: '/' });
  }
  await vi.waitFor(() => expect(service.closed.size).toBe(3));
});

it('a client uses a connection again that is kept for one second', async () => {
  using clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  await using service = await keepingFor(1);
  for (let sent = 0; sent < 3; sent++) {
    await service.client.send({ method: 'GET', target: '/' });
  }
  expect(clock).toHaveBeenCalled();
  expect(service.opened.size).toBe(1);
});

it('a client takes another connection if the service closes one', async () => {
  await using service = await serving(
    (_, response) => void response.writeHead(200, { connection: 'close' }).end(),
  );
  for (let sent = 0; sent < 3; sent++) {
    expect(await service.client.send({ method: 'POST', target: '/' })).not.toHaveProperty('resent');
  }
  expect(service.opened.size).toBe(3);
});

it.each([
  ['POST', {}, 'é', { body: 'é', headers: { 'content-length': '2', accept: 'x/y' } }],
  ['POST', {}, undefined, { body: '', headers: { 'content-length': '0' } }],
  [
    'POST',
    { 'transfer-encoding': 'chunked' },
    'é',
    { body: 'é', headers: { 'transfer-encoding': 'chunked' } },
  ],
  [
    'POST',
    { 'transfer-encoding': 'chunked' },
    '',
    { body: '', headers: { 'transfer-encoding': 'chunked' } },
  ],
])(
  'a client says how long a body is, or sends it in a chunk: %s %j %j',
  async (method, headers, body, expected) => {
    await using service = await serving(echo);
    const sent = { method, target: '/', headers, ...(body === undefined ? {} : { body }) } as const;
    expect(JSON.parse((await service.client.send(sent)).body.toString())).toMatchObject(expected);
  },
);

it('a client sends nothing beside its host if all else is taken away', async () => {
  await using service = await serving(echo);
  const { body } = await service.client.send({
    method: 'GET',
    target: '/',
    headers: { accept: '' },
  });
  expect(JSON.parse(body.toString())).toEqual({
    body: '',
    headers: { host: service.client.base.host },
  });
});

it('a client adds its cookies and query parameters to those of a request', async () => {
  const own = { headers: { cookie: 'a=1; b=2' }, query: { key: 'k', page: '1' } };
  const server = createServer((request, response) =>
    response.end(`${request.url} ${request.headers.cookie}`),
  );
  await using service = await clientOf(server, '/base', own);
  const headers = { cookie: 'b=3; c=4' };
  const { body } = await service.client.send({ method: 'GET', target: '/x?page=&q', headers });
  expect(body.toString()).toBe('/base/x?q&key=k a=1; b=3; c=4');
});

it.each([
  ['/a\r\nb: c', {}],
  ['/', { a: '1\r\nb: 2' }],
  ['/', { 'a: 1\r\nb': '2' }],
])('a client sends nothing that would end a line: %j %j', async (target, headers) => {
  await using service = await serving(echo);
  await expect(
    service.client.send({ method: 'GET', target, headers: headers as {} }),
  ).rejects.toThrow(TypeError);
});

it('a raw request goes out as it is written', async () => {
  let received = '';
  await using target = await rawServer((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const client = clientAt(`${target.url}/base`);
  const headers = Object.entries({ Accept: '', X: '1', x: '2' });
  const { status } = await client.sendRaw({
    method: 'POST',
    target: '/a//%2f?',
    headers,
    body: '{}',
  });
  const { host } = client.base;
  const fields = `Host: ${host}\r\nConnection: close\r\nAccept: \r\nX: 1\r\nx: 2`;
  const head = `POST /base/a//%2f? HTTP/1.1\r\n${fields}\r\n\r\n`;
  expect([status, received]).toEqual([200, `${head}{}`]);
});

const CUT = { status: 0 };
const DOWN = { status: 503, 'retry-after': '0' };
const BUSY = { status: 503 };
const LIMITED = { status: 429, 'retry-after': '0' };
const OK = { status: 200 };

// The last reply is repeated. The retries: after 429, after 503, after a connection that was lost.
it.each<
  [methods: string, replies: (typeof OK)[], outcome: object, requests: number, retries: number[]]
>([
  ['GET POST PATCH DELETE', [LIMITED, LIMITED, OK], { status: 200 }, 3, [2, 0, 0]],
  ['GET HEAD OPTIONS PUT DELETE', [DOWN, CUT, OK], { status: 200, resent: true }, 3, [0, 1, 1]],
  // It may have been carried out.
  ['POST PATCH', [DOWN, OK], { name: 'ResponseLost', kind: 'unavailable' }, 1, [0, 1, 0]],
  ['POST PATCH', [CUT, OK], { name: 'ResponseLost', kind: 'closed' }, 1, [0, 0, 1]],
  ['GET', [CUT], { name: 'NoResponse', kind: 'closed' }, 3, [0, 0, 3]],
  ['GET', [DOWN], { name: 'NoResponse', kind: 'unavailable' }, 4, [0, 4, 0]],
  ['GET', [LIMITED], { status: 429 }, 5, [5, 0, 0]],
  // Without `Retry-After`: it may pass, but not if it comes again and again.
  ['GET', [BUSY, BUSY, OK], { status: 200, resent: true }, 3, [0, 2, 0]],
  ['POST', [BUSY, OK], { name: 'ResponseLost', kind: 'unavailable' }, 1, [0, 1, 0]],
  ['GET', [BUSY], { status: 503, resent: true }, 3, [0, 2, 0]],
])('%s is sent again after the replies %j as often as it may be', async (...row) => {
  const [methods, replies, outcome, most, retried] = row;
  for (const method of methods.split(' ')) {
    let requests = 0;
    await using service = await serving((request, response) => {
      const { status, ...headers } = replies[Math.min(requests++, replies.length - 1)]!;
      if (status === 0) {
        request.socket.destroy();
      } else {
        response.writeHead(status, headers).end();
      }
    });
    const result: object = await service.client
      .send({ method, target: '/' })
      .catch((error: unknown) => error as Error);
    const { name, kind, status, resent } = result as Partial<NoResponse & RawResponse>;
    const { cases: _, ...retries } = service.client.retries;
    expect({ name, kind, status, resent }).toEqual(outcome);
    expect([requests, Object.values(retries)]).toEqual([most, retried]);
  }
});

it('a POST that gets 503 is lost after the wait that the service asks for', async () => {
  await using service = await serving(
    (_, response) => void response.writeHead(503, { 'retry-after': '1' }).end(),
  );
  using timeouts = vi.spyOn(globalThis, 'setTimeout');
  const lost = service.client.send({ method: 'POST', target: '/' });
  await expect(lost).rejects.toMatchObject({ name: 'ResponseLost', kind: 'unavailable' });
  expect(timeouts.mock.calls.map(([, ms]) => ms)).toContain(1000);
});

afterEach(() => void vi.useRealTimers());

it.each([
  ['has no turns closer to each other than it allows', 10, 0, [0, 100, 200]],
  ['has no limit by default', undefined, 0, [0, 0, 0]],
  ['lets nobody begin in a pause', 10, 500, [500, 600, 700]],
  ['pauses without a limit', undefined, 500, [500, 500, 500]],
])('a rate %s', async (_, perSecond, pause, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const rate = new Rate(perSecond);
  if (pause > 0) {
    for (const ms of [pause, 200]) {
      rate.pause(ms);
    }
  }
  // The second time, turns that nobody took are not added to later ones.
  for (const due of [expected, expected.map((at) => at - pause)]) {
    const start = performance.now();
    const begun: number[] = [];
    const turn = () => rate.turn().then(() => begun.push(Math.round(performance.now() - start)));
    const all = Promise.all([turn(), turn(), turn()]);
    await vi.advanceTimersByTimeAsync(60_000);
    await all;
    expect(begun).toEqual(due);
  }
});
