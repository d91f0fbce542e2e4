/** The connection itself: limits, responses to what is not a request, and the end. */
import { EventEmitter, once } from 'node:events';
import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Connection } from './http/socket/connection.ts';
import { MOST_STRAY_BYTES, MOST_WAITING_REQUESTS } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
import { serveApp } from './testing/serve.ts';

const MiB = 1024 * 1024;

/** A request; `more` are further lines of its head. */
const get = (path = '/', more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const CLOSE = 'Connection: close\r\n';

const ok: RequestListener = (_req, res) => void res.end('ok');

async function start(app: RequestListener, options: ListenOptions = {}) {
  const listening = await listen(app, 0, '127.0.0.1', options);
  onTestFinished(() => listening.close(0));
  return listening;
}

/** Sends the bytes and returns what came until the server closed the connection. */
function raw(url: string, bytes: string): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => done(text));
  });
}

describe('bytes that are not a request', () => {
  const post = (more: string) =>
    get(undefined, `Content-Type: application/json\r\n${more}`).replace(
      'GET /',
      'POST /edges/https',
    );

  test.for([
    ['GARBAGE\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 505, 'malformed_request'],
    [
      'GET /livez HTTP/2.0\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
    [get('/', `X: ${'a'.repeat(17_000)}\r\n`), 431, 'malformed_request'],
    [post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), 400, 'malformed_request'],
    [`${post('Transfer-Encoding: chunked\r\n')}2;${'a'.repeat(20_000)}`, 413, 'content_too_large'],
    // Refused before any of it comes, and without `100 Continue`.
    [post(`Expect: 100-continue\r\nContent-Length: ${64 * MiB}\r\n`), 413, 'content_too_large'],
    [`${post('Transfer-Encoding: gzip, chunked\r\n')}0\r\n\r\n`, 501, 'malformed_request'],
    [`GET /livez HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
    ['CONNECT shop.example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 501, 'malformed_request'],
    [get('/livez', `Host: localhost\r\n${CLOSE}`), 400, 'malformed_request'],
    [
      get('/livez', `Authorization: Bearer a\r\nauthorization: Bearer b\r\n${CLOSE}`),
      400,
      'malformed_request',
    ],
  ] as const)('get a problem document: %j', async ([bytes, status, code]) => {
    const { url } = await serveApp();
    const [head = '', body = ''] = (await raw(url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [^]*content-type: application/problem\\+json`, 'i'),
    );
    const [, requestId] = /^x-request-id: (.+)\r$/im.exec(head)!;
    expect(JSON.parse(body)).toMatchObject({ status, code, request_id: requestId });
  });

  test('CONNECT gets its response after those of the requests before it', async () => {
    const { url } = await serveApp();
    const answer = await raw(url, `${get('/livez')}CONNECT a.example:1 HTTP/1.1\r\n\r\nmore`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 501']);
  });

  const hidden = post(`${CLOSE}Content-Length: 2\r\n`) + '{}';

  test.for([
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\tchunked\r\nContent-Length: 4',
    'X: a\nTransfer-Encoding: chunked',
    'Transfer-Encoding: \x0bchunked\r\nContent-Length: 5',
    'X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 5',
    ...['xchunked', 'identity', 'chunked, gzip', '"chunked"'].map(
      (coding) => `Transfer-Encoding: ${coding}`,
    ),
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: cow',
    `Content-Length: ${5 + hidden.length}\r\nTransfer-Encoding: chunked`,
    'Content-Length: 5\r\nContent-Length: 7',
  ])('hide no request in a body: %j', async (framing) => {
    const { url } = await serveApp();
    const answer = await raw(url, `${post(`${framing}\r\n`)}0\r\n\r\n${hidden}`);
    expect(answer).toMatch(/^HTTP\/1.1 (400|501) /);
    expect(answer).not.toContain('HTTP/1.1 201 ');
  });

  test('a body in small chunks takes little of the room for bodies', async () => {
    const { url } = await serveApp({ mostBodyBytesHeld: 20_000 });
    const chunks = '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n';
    expect(await raw(url, `${post(`${CLOSE}Transfer-Encoding: chunked\r\n`)}${chunks}`)).toMatch(
      /^HTTP\/1.1 201 /,
    );
  });

  test('a body in many small chunks leaves others their turn', async () => {
    const { url } = await serveApp();
    const pause = vi.spyOn(Socket.prototype, 'pause');
    const chunks = `${'1\r\n \r\n'.repeat(100_000)}2\r\n{}\r\n0\r\n\r\n`;
    expect(await raw(url, `${post(`${CLOSE}Transfer-Encoding: chunked\r\n`)}${chunks}`)).toMatch(
      /^HTTP\/1.1 201 /,
    );
    // Node reads 64 KiB at once, and more while the application has not begun.
    expect(pause.mock.calls.length).toBeGreaterThan(chunks.length / (2 * 65_536));
    pause.mockRestore();
  });

  test('a client that expects it gets `100 Continue` first', async () => {
    const { url } = await serveApp();
    const headers = `${CLOSE}Expect: 100-continue\r\nContent-Length: 2\r\n`;
    expect(await raw(url, `${post(headers)}{}`)).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /,
    );
  });

  test.for([
    ['HPE_INVALID_METHOD', 'SECRET / HTTP/1.1\r\n\r\n'],
    ['STRAY_BYTES', '\r\n'.repeat(MOST_STRAY_BYTES)],
  ] as const)(
    'close a connection, and are reported without what was sent: %s',
    async ([reason, bytes]) => {
      const lines: object[] = [];
      const { url } = await start(ok, { onRefused: (line) => lines.push(line) });
      expect(await raw(url, bytes)).toMatch(/^HTTP\/1.1 400 [^]*"code":"malformed_request"/);
      expect(lines).toEqual([{ request_id: expect.any(String), status: 400, reason }]);
    },
  );

  test('count between requests only', () => {
    const socket = Object.assign(new EventEmitter(), { bytesRead: 0 }) as unknown as Socket;
    const connection = new Connection(socket);
    const strayBytes = (bytesRead: number) => {
      Object.assign(socket, { bytesRead });
      return connection.strayBytes();
    };
    const response = new EventEmitter() as ServerResponse;
    const incoming = { complete: false } as IncomingMessage;
    expect([strayBytes(0), strayBytes(2), strayBytes(4)]).toEqual([0, 2, 4]);
    connection.serve(incoming, response, () => undefined);
    expect(strayBytes(100)).toBe(0);
    response.emit('close');
    // The body of a request whose response is out.
    expect(strayBytes(9000)).toBe(0);
    // Its end, whose place is unknown.
    Object.assign(incoming, { complete: true });
    expect([strayBytes(60_000), strayBytes(60_002)]).toEqual([0, 2]);
  });
});

describe('requests on one connection', () => {
  test('begin one by one, are not read while many wait, and all get their responses', async () => {
    let read = 0;
    class Counted extends IncomingMessage {
      readonly number = ++read;
    }
    const held: ServerResponse[] = [];
    let hold = true;
    const app: RequestListener = (req, res) =>
      void (hold && req.url === '/held' ? held.push(res) : res.end('ok'));
    const { url } = await start(app, { classes: { IncomingMessage: Counted as never } });
    const requests = 20_000;
    const answer = raw(url, `${get('/held').repeat(requests)}${get('/held', CLOSE)}`);
    await vi.waitFor(() => expect(read).toBeGreaterThan(MOST_WAITING_REQUESTS));
    // Others are served meanwhile, and the server has enough turns to continue reading.
    for (let n = 0; n < 20; n++) {
      expect(await raw(url, get('/other', CLOSE))).toMatch(/ok$/);
    }
    // One piece is read to its end: 64 KiB, and the requests of others.
    expect(read).toBeLessThan(MOST_WAITING_REQUESTS + 20 + (2 * 65_536) / get('/held').length);
    expect(held).toHaveLength(1);
    hold = false;
    held[0]!.end('ok');
    expect((await answer).match(/200 OK/g)?.length).toBe(requests + 1);
  });
});

test('a connection beyond those of an address gets 503, until one of them is closed', async () => {
  const { url } = await start(ok, { connectionsPerAddress: 2 });
  const open = () => connect(Number(new URL(url).port), '127.0.0.1');
  const held = [open(), open()];
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  expect(await raw(url, get())).toMatch(/^HTTP\/1.1 503 [^]*"code":"service_unavailable"/);
  held[0]!.destroy();
  await vi.waitFor(async () => expect(await raw(url, get('/', CLOSE))).toMatch(/^HTTP\/1.1 200 /));
  held[1]!.destroy();
});

describe('at the end', () => {
  test('a request that is sent then gets its response, and the connection closes', async () => {
    const { url, close } = await listen(ok, 0, '127.0.0.1');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.write(get());
    await vi.waitFor(() => expect(text).toMatch(/ok$/));
    text = '';
    const closed = close(10_000);
    socket.write(get());
    await closed;
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*ok$/);
  });

  test('a connection closes with the response in flight', async () => {
    const begun = new EventEmitter();
    const { url, close } = await listen((_req, res) => begun.emit('request', res), 0, '127.0.0.1');
    const answer = raw(url, get());
    const [response] = (await once(begun, 'request')) as [ServerResponse];
    const closed = close(10_000);
    response.end('ok');
    expect(await answer).toMatch(/Connection: close\r\n[^]*ok$/);
    await closed;
  });
});
