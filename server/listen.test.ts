/** The connection itself: limits, and responses to what is no request. */
import { EventEmitter, once } from 'node:events';
import { IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Connection } from './http/socket/connections.ts';
import { listen } from './listen.ts';
import { HTTP_LIMITS, maxConnections, MOST_STRAY_BYTES, MOST_WAITING_REQUESTS } from './limits.ts';
import { serveApp } from './testing/serve.ts';

/** Sends the bytes and gives what came until the server closed; `wait` in milliseconds closes from here. */
function raw(url: string, bytes: string, wait = 20_000): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    const late = setTimeout(() => socket.destroy(), wait);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(late);
      resolve(text);
    });
  });
}

const CLOSE = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

describe('what is no request', () => {
  test.for([
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'malformed_request'],
    ['another version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 505, 'malformed_request'],
    [
      'a header that is too long',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'an extension without an end',
      `POST /edges/https HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}`,
      413,
      'content_too_large',
    ],
  ] as const)('%s', async ([, bytes, status, code]) => {
    const { url } = await serveApp();
    const answer = await raw(url, bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    expect(head).toMatch(/connection: close/i);
    expect(JSON.parse(body)).toMatchObject({ status, code, request_id: expect.any(String) });
  });

  test.for([
    'GET /livez HTTP/1.1\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
    'GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
  ])('%j: 400', async (bytes) => {
    const { url } = await serveApp();
    expect(await raw(url, bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toMatch(
      /^HTTP\/1.1 400 [^]*"code":"malformed_request"/,
    );
  });

  test('behind requests, is refused when those are answered', async () => {
    const { url } = await serveApp();
    const get = 'GET /edges/https HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answer = await raw(url, `${get}${get}GARBAGE\r\n\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test('is told to whoever asks, without what was sent', async () => {
    const lines: object[] = [];
    const { url, close } = await listen(() => undefined, 0, '127.0.0.1', {
      newRequestId: () => 'req_1',
      onUnreadable: (line) => lines.push(line),
    });
    onTestFinished(() => close(0));
    await raw(url, 'SECRET / HTTP/1.1\r\n\r\n');
    expect(lines).toEqual([{ request_id: 'req_1', status: 400, reason: 'HPE_INVALID_METHOD' }]);
  });
});

describe('a body that is too large', () => {
  test('is refused by what is announced, before any of it comes, and the connection does not wait for it', async () => {
    const { url } = await serveApp();
    const answer = await raw(
      url,
      `POST /edges/https HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${64 * 1024 * 1024}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 [^]*"code":"content_too_large"/);
  });

  test('is refused with the first byte too many, while it goes on', async () => {
    const { url } = await serveApp();
    const { hostname, port } = new URL(url);
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(
        { hostname, port, method: 'POST', path: '/edges/https', headers: { 'content-type': 'application/json' } },
        (response) => {
          resolve(response.statusCode);
          outgoing.destroy();
        },
      );
      outgoing.on('error', reject);
      // Never ended: a response comes only from a server that does not wait.
      outgoing.write(' '.repeat(1024 * 1024 + 1));
    });
    expect(status).toBe(413);
  });
});

test('requests on one connection are begun one after the other', async () => {
  let open = 0;
  let most = 0;
  const { url, close } = await listen(
    (_req, res) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        res.end('ok');
      }, 1);
    },
    0,
    '127.0.0.1',
  );
  onTestFinished(() => close(0));
  const answer = await raw(
    url,
    `${'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50)}GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
  expect([answer.match(/200 OK/g)?.length, most]).toEqual([51, 1]);
});

test('a connection with many unanswered requests is not read from, and goes on when they are answered', async () => {
  let read = 0;
  class Counted extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      read++;
    }
  }
  const held: ServerResponse[] = [];
  let hold = true;
  const { url, close } = await listen(
    (req, res) => {
      if (hold && req.url === '/held') held.push(res);
      else res.end('ok');
    },
    0,
    '127.0.0.1',
    { classes: { IncomingMessage: Counted as never } },
  );
  onTestFinished(() => close(0));
  const get = 'GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const requests = 20_000;
  const answer = raw(url, `${get.repeat(requests)}${get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
  await vi.waitFor(() => expect(read).toBeGreaterThan(MOST_WAITING_REQUESTS));
  // Others are served meanwhile, and the server has turns enough to read on.
  for (let n = 0; n < 20; n++) expect(await raw(url, `${CLOSE('/other')}`)).toMatch(/ok$/);
  // What came in one piece is read to its end: 64 KiB, and what others sent.
  expect(read).toBeLessThan(MOST_WAITING_REQUESTS + 20 + (2 * 65_536) / get.length);
  expect(held).toHaveLength(1);
  hold = false;
  held[0]!.end('ok');
  expect((await answer).match(/200 OK/g)?.length).toBe(requests + 1);
});

describe('bytes that make no request', () => {
  test('close a connection, and are reported', async () => {
    const lines: { reason: string }[] = [];
    const { url, close } = await listen((_req, res) => void res.end('ok'), 0, '127.0.0.1', {
      onUnreadable: (line) => lines.push(line),
    });
    onTestFinished(() => close(0));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.write('\r\n'.repeat(MOST_STRAY_BYTES));
    const [problem] = (await once(socket, 'data')) as [Buffer];
    expect(problem.toString()).toMatch(/^HTTP\/1.1 400 [^]*"code":"malformed_request"/);
    await once(socket, 'close');
    expect(lines).toMatchObject([{ status: 400, reason: 'STRAY_BYTES' }]);
  });

  test('are those between requests alone', () => {
    const socket = Object.assign(new EventEmitter(), { bytesRead: 0, isPaused: () => false }) as unknown as Socket;
    const set = (bytesRead: number) => Object.assign(socket, { bytesRead });
    const connection = new Connection(socket);
    const response = new EventEmitter() as ServerResponse;
    const incoming = { complete: false } as IncomingMessage;
    expect(connection.strayBytes(0)).toEqual({ bytes: 0, forMs: 0 });
    set(2);
    expect(connection.strayBytes(1000)).toEqual({ bytes: 2, forMs: 0 });
    set(4);
    expect(connection.strayBytes(5000)).toEqual({ bytes: 4, forMs: 4000 });
    connection.serve(incoming, response, () => undefined);
    set(100);
    expect(connection.strayBytes(6000)).toEqual({ bytes: 0, forMs: 0 });
    response.emit('close');
    // The body of a request that is answered already.
    set(9000);
    expect(connection.strayBytes(7000)).toEqual({ bytes: 0, forMs: 0 });
    // Its end, which nobody has seen.
    Object.assign(incoming, { complete: true });
    set(60_000);
    expect(connection.strayBytes(8000)).toEqual({ bytes: 0, forMs: 0 });
    set(60_002);
    expect(connection.strayBytes(9000)).toEqual({ bytes: 2, forMs: 0 });
  });
});

describe('the end', () => {
  const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

  test('answers what is sent on an open connection just then, and closes it', async () => {
    const { url, close } = await listen((_req, res) => void res.end('ok'), 0, '127.0.0.1');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(get);
    while (!text.endsWith('ok')) await new Promise((resolve) => setTimeout(resolve, 1));
    text = '';
    const closed = close(10_000);
    socket.write(get);
    await closed;
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*ok$/);
  });

  test('answers who has connected, and was not seen yet', async () => {
    const { url, close } = await listen((_req, res) => void res.end('ok'), 0, '127.0.0.1');
    const answer = raw(url, get);
    await close(10_000);
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK/);
  });

  test('closes a connection with the response that is under way', async () => {
    const begun = new EventEmitter();
    const { url, close } = await listen((_req, res) => begun.emit('request', res), 0, '127.0.0.1');
    const answer = raw(url, get);
    const [response] = (await once(begun, 'request')) as [ServerResponse];
    const closed = close(10_000);
    response.end('ok');
    expect(await answer).toMatch(/Connection: close\r\n[^]*ok$/);
    await closed;
  });
});

test('limits of time are looked at more often than they last', () => {
  const { connectionsCheckingInterval, headersTimeout, requestTimeout } = HTTP_LIMITS as Record<string, number>;
  expect(connectionsCheckingInterval! < headersTimeout! && headersTimeout! < requestTimeout!).toBe(true);
  expect(maxConnections()).toBeGreaterThanOrEqual(16);
});
