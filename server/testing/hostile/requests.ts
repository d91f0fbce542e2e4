/** Requests that are right but for one thing. */
import { TOKEN } from './server.ts';

export const EDGES = '/edges/https';
export const SOURCES = '/event_subscriptions/hostile/sources';

/** Headers that each request to the API needs. */
export const HEADERS = `Host: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
export const JSON_HEADERS = `${HEADERS}Content-Type: application/json\r\n`;

export const GET = `GET ${EDGES} HTTP/1.1\r\n${HEADERS}\r\n`;

/** A body with the length that it has. */
export function post(body: string | Buffer, path = EDGES, method = 'POST'): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${JSON_HEADERS}Content-Length: ${bytes.length}\r\n\r\n`),
    bytes,
  ]);
}

/** A body with the framing that is given. */
export function framed(framing: string, body: string): string {
  return `POST ${EDGES} HTTP/1.1\r\n${JSON_HEADERS}${framing}\r\n${body}`;
}
