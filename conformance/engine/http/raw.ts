/**
 * One request, byte for byte, on a socket of its own. HTTP clients do not send a header twice, an empty one, or a path as
 * it is written: what a proxy or another client may send is written here by hand.
 */
import type { Client, RawResponse } from './client.ts';
import { Connection } from './connection.ts';

export interface RawRequest {
  method: string;
  /** Path and query, behind the base URL, as they are written into the request line. */
  target: string;
  /** In this order; a name may come several times, and a value may be empty. `Host` and `Connection` are added. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
}

/** The response to it. @throws NoResponse */
export function sendRaw(client: Client, request: RawRequest): Promise<RawResponse> {
  return sendBytes(client, bytesOf(client.base, request), request.method);
}

/** The response to anything. @throws NoResponse */
export async function sendBytes({ base, timeoutMs }: Client, sent: Buffer, method = 'GET'): Promise<RawResponse> {
  const connection = new Connection(base);
  try {
    return await connection.exchange(sent, method, timeoutMs);
  } finally {
    connection.close();
  }
}

function bytesOf(base: URL, { method, target, headers, body }: RawRequest): Buffer {
  const lines = [
    `${method} ${base.pathname.replace(/\/$/, '')}${target} HTTP/1.1`,
    `Host: ${base.host}`,
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')]);
}
