/**
 * One request, byte for byte, on a socket of its own. HTTP clients do not send a header twice, an empty one, or a path as
 * it is written: what a proxy or another client may send is written here by hand.
 */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Client, RawResponse } from './client.ts';
import { NoResponse, noResponseFor } from './no-response.ts';

export interface RawRequest {
  method: string;
  /** Path and query, behind the base URL, as they are written into the request line. */
  target: string;
  /** In this order; a name may come several times, and a value may be empty. `Host` and `Connection` are added. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
}

const MAX_BYTES = 8 * 2 ** 20;

/** The response to it. @throws NoResponse */
export function sendRaw(client: Client, request: RawRequest): Promise<RawResponse> {
  return sendBytes(client, bytesOf(client.base, request), request.method);
}

/** The response to anything. @throws NoResponse */
export async function sendBytes({ base, timeoutMs }: Client, sent: Buffer, method = 'GET'): Promise<RawResponse> {
  const secure = base.protocol === 'https:';
  const host = base.hostname.replace(/^\[|\]$/g, '');
  const port = Number(base.port) || (secure ? 443 : 80);
  return new Promise((resolve, reject) => {
    const socket = secure ? connectTls({ host, port, servername: host }) : connect({ host, port });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (error?: NoResponse) => {
      socket.destroy();
      // A service may respond and close before it has read everything.
      const response = bytes > 0 ? parseResponse(Buffer.concat(chunks), method) : undefined;
      if (response) resolve(response);
      else reject(error ?? new NoResponse(bytes > 0 ? 'garbled' : 'closed', 'the connection ended without a response'));
    };
    socket.setTimeout(timeoutMs, () => end(new NoResponse('late', `no response within ${timeoutMs} ms`)));
    socket.on('error', (error) => end(noResponseFor(error)));
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_BYTES) end(new NoResponse('endless', `the response does not end after ${MAX_BYTES} bytes`));
    });
    socket.on('end', () => end());
    socket.on('close', () => end());
    socket.write(sent);
  });
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

/** Undefined where it is not a whole response of HTTP/1. An interim response, such as 100, is passed over. */
export function parseResponse(bytes: Buffer, method: string): RawResponse | undefined {
  const split = bytes.indexOf('\r\n\r\n');
  if (split < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n');
  const [, code] = /^HTTP\/1\.[01] (\d{3})( |$)/.exec(first) ?? [];
  if (code === undefined) return undefined;
  const status = Number(code);
  const rest = bytes.subarray(split + 4);
  if (status < 200) return parseResponse(rest, method);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) return undefined;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  if (method === 'HEAD' || status === 204 || status === 304) return { status, headers, body: rest };
  if (/\bchunked\b/i.test(headers['transfer-encoding'] ?? '')) {
    const body = unchunked(rest);
    return body && { status, headers, body };
  }
  const length = headers['content-length'];
  if (length === undefined) return { status, headers, body: rest };
  return /^\d+$/.test(length) && rest.length >= Number(length)
    ? { status, headers, body: rest.subarray(0, Number(length)) }
    : undefined;
}

function unchunked(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    const [size] = /^[0-9a-f]+/i.exec(bytes.subarray(at, Math.max(end, at)).toString('latin1')) ?? [];
    if (end < 0 || size === undefined) return undefined;
    const length = Number.parseInt(size, 16);
    if (length === 0) return Buffer.concat(parts);
    if (bytes.length < end + 2 + length) return undefined;
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
