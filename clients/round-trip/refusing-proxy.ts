/**
 * A proxy that refuses the first request of each method to each path: with 429 what must not be
 * sent again after 503, and with 503 all else. Both have `Retry-After`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RefusingProxy {
  url: string;
  /** How many requests were refused with each status. */
  refused: { 429: number; 503: number };
  close(): void;
}

const EVENT_SOURCE = /^\/event_subscriptions\/[^/]+\/sources\/[^/]+$/;

export async function startRefusingProxy(target: string): Promise<RefusingProxy> {
  const refused = { 429: 0, 503: 0 };
  const seen = new Set<string>();
  const server = createServer((incoming, response) => {
    const { method = '', url = '' } = incoming;
    const line = `${method} ${url}`;
    if (seen.has(line)) {
      pass(target, incoming, response);
      return;
    }
    seen.add(line);
    const isRepeatable = method !== 'POST' && !(method === 'PATCH' && EVENT_SOURCE.test(url));
    const status = isRepeatable ? 503 : 429;
    refused[status] += 1;
    incoming.resume();
    refuse(response, status);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, refused, close };
}

function refuse(response: ServerResponse, status: 429 | 503): void {
  const code = status === 429 ? 'too_many_requests' : 'service_unavailable';
  const problem = { type: 'about:blank', title: 'Later', status, detail: 'come back', code };
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '0' };
  response.writeHead(status, headers).end(JSON.stringify(problem));
}

/** The `Host` is kept, so that the URIs of pages lead to this proxy. */
function pass(target: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const outgoing = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}
