/** That an attack can be found to have done harm. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { classify } from './outcome.ts';
import { readResponses } from './responses.ts';
import { exchange } from './wire.ts';

describe('a response', () => {
  async function meet(response: (socket: Socket) => void, mayBeServed = false): Promise<string[]> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => response(socket));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const reply = await exchange((server.address() as AddressInfo).port, ['GET / HTTP/1.1\r\n\r\n']);
    return classify({ name: 'a case', send: '', mayBeServed }, [reply]).problems;
  }
  const problem = (status: number) => {
    const body = JSON.stringify({ status, code: 'malformed_request', request_id: 'req_1' });
    return `HTTP/1.1 ${status} X\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test('takes a refusal, and a connection that is closed', async () => {
    expect(await meet((socket) => socket.end(problem(400)))).toEqual([]);
    expect(await meet((socket) => socket.destroy())).toEqual([]);
  });

  test('finds what should not be', async () => {
    expect(await meet((socket) => socket.end(problem(500)))).toEqual(['response 500']);
    expect(await meet((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno'))).toEqual([
      '400 without a problem',
    ]);
    expect(await meet((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))).toEqual([
      'served with 200',
    ]);
    expect(await meet((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), true)).toEqual([]);
    expect(await meet((socket) => socket.end('SMTP ready\r\n\r\n'))).toEqual([
      expect.stringMatching(/^no HTTP response/),
    ]);
  });

  test('reads several responses on a connection', () => {
    expect(readResponses(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${problem(404)}${problem(400)}`))).toEqual({
      statuses: [404, 400],
      problems: [],
    });
  });
});
