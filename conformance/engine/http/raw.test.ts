import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from './client.ts';
import { parseResponse, sendRaw } from './raw.ts';

const parse = (text: string, method = 'GET') => {
  const response = parseResponse(Buffer.from(text), method);
  return response && { ...response, body: response.body.toString() };
};

describe('a response', () => {
  test('ends by its length, by its chunks, or with the connection', () => {
    expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc')).toEqual({
      status: 200,
      headers: { 'content-length': '2' },
      body: 'ab',
    });
    expect(parse('HTTP/1.1 400\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\n\r\n')?.body).toBe(
      'abc',
    );
    expect(parse('HTTP/1.0 200 OK\r\nX: 1\r\nx: 2\r\n\r\nall')).toEqual({
      status: 200,
      headers: { x: '1, 2' },
      body: 'all',
    });
  });

  test('comes after an interim one, and has no body after HEAD', () => {
    expect(parse('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')?.status).toBe(204);
    expect(parse('HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n', 'HEAD')?.body).toBe('');
  });

  test.each([
    'HTTP/1.1 200 OK\r\n',
    'hello\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\n: x\r\n\r\n',
  ])('that is not whole is none: %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });
});

describe('a request', () => {
  let response: string | undefined = '';
  let received = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (response === undefined) socket.destroy();
      else socket.end(response);
    });
  });
  let client: Client;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new Client({ base: `http://127.0.0.1:${port}/base`, headers: {}, timeoutMs: 5_000, connections: 1 });
  });
  afterAll(() => {
    client.close();
    server.close();
  });

  test('goes out as it is written', async () => {
    response = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    const headers = [
      ['Accept', ''],
      ['X', '1'],
      ['x', '2'],
    ] as const;
    const got = await sendRaw(client, { method: 'POST', target: '/a//%2f?', headers, body: '{}' });
    expect(got.status).toBe(200);
    expect(received).toBe(
      `POST /base/a//%2f? HTTP/1.1\r\nHost: ${client.base.host}\r\nConnection: close\r\nAccept: \r\nX: 1\r\nx: 2\r\n\r\n{}`,
    );
  });

  test.each([
    ['closes the connection', undefined, 'closed'],
    ['sends something else', 'what?', 'garbled'],
  ] as const)('has no response from a service that %s', async (_, text, kind) => {
    response = text;
    await expect(sendRaw(client, { method: 'GET', target: '/', headers: [] })).rejects.toMatchObject({ kind });
  });
});
