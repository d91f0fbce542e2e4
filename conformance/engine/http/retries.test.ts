/** What is sent again, how often, and what is left to the case. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { NoResponse, ResponseLost } from './no-response.ts';

type Reply = (response: ServerResponse) => void;

const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end();
const unavailable = status(503, { 'retry-after': '0' });
const limited = status(429, { 'retry-after': '0' });
const cutOff: Reply = (response) => void response.destroy();

/** What a client gets that sends one request to a service with these replies; the last one is repeated. */
async function send(method: string, ...replies: Reply[]) {
  let requests = 0;
  const server = createServer((_, response) => replies[Math.min(requests++, replies.length - 1)]!(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client({ base, headers: {}, timeoutMs: 10_000, connections: 4 });
  try {
    const result = await client.send({ method, target: '/' }).catch((error: unknown) => error);
    return { result, requests, retries: client.retries };
  } finally {
    client.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}

describe('a request', () => {
  it.each(['GET', 'POST', 'PATCH', 'DELETE'])('%s is sent again after 429', async (method) => {
    const { result, retries } = await send(method, limited, limited, status(200));
    expect(result).toMatchObject({ status: 200 });
    expect(result).not.toHaveProperty('resent');
    expect(retries).toEqual({ rate_limited: 2, unavailable: 0, connection_lost: 0, cases: 0 });
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])(
    '%s is sent again after 503 and a lost connection',
    async (method) => {
      const { result, retries } = await send(method, unavailable, cutOff, status(204));
      expect(result).toMatchObject({ status: 204, resent: true });
      expect(retries).toEqual({ rate_limited: 0, unavailable: 1, connection_lost: 1, cases: 0 });
    },
  );

  it.each(['POST', 'PATCH'])('%s is not: whether it was carried out is unknown', async (method) => {
    for (const [reply, kind] of [
      [unavailable, 'unavailable'],
      [cutOff, 'closed'],
    ] as const) {
      const { result, requests } = await send(method, reply, status(201));
      expect(result).toBeInstanceOf(ResponseLost);
      expect(result).toMatchObject({ kind });
      expect(requests).toBe(1);
    }
  });

  it('is not sent again for ever', async () => {
    const broken = await send('GET', cutOff);
    expect(broken.result).toMatchObject({ kind: 'closed' });
    expect(broken.requests).toBe(3);
    const down = await send('GET', unavailable);
    expect(down.result).toBeInstanceOf(NoResponse);
    expect(down.requests).toBe(4);
    const limits = await send('GET', limited);
    expect(limits.result).toMatchObject({ status: 429 });
    expect(limits.requests).toBe(5);
  });

  it('gets a 503 without Retry-After as it is: the contract documents none', async () => {
    const { result, requests } = await send('GET', status(503));
    expect([(result as { status: number }).status, requests]).toEqual([503, 1]);
  });
});
