import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from './client.ts';
import { sendRaw } from './raw.ts';

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
