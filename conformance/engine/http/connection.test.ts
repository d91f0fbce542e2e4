import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Connection } from './connection.ts';

test('no service is late while the suite itself is busy', async () => {
  const server = createServer((_, response) => response.end('ab')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = new Connection(
    new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    500,
  );
  const response = connection.exchange(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 'GET');
  for (const end = performance.now() + 700; performance.now() < end;) {}
  expect((await response.finally(() => server.close())).status).toBe(200);
  connection.close();
});
