/**
 * Answers what Node's parser cannot read as a request: a line, header or chunk that is none, a head that is too long, one
 * that does not come to its end in time. There is no request and no response then, only a connection, which is closed.
 */
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { Refusal } from '../domain/refusal.ts';
import { headProblem } from './problem.ts';

export interface Unreadable {
  status: number;
  refusal: Refusal;
}

const CANNOT_READ = new Refusal('malformed_request', 'This is not a request of HTTP/1.1.');

const BY_CODE: Record<string, Unreadable> = {
  // RFC 6585, 5.
  HPE_HEADER_OVERFLOW: {
    status: 431,
    refusal: new Refusal('malformed_request', 'The request line and the headers are too long.'),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    refusal: new Refusal('content_too_large', 'The extensions of a chunk are too long.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    refusal: new Refusal('malformed_request', 'The request did not come to its end in time.'),
  },
  HPE_INVALID_VERSION: { status: 505, refusal: new Refusal('malformed_request', 'Send HTTP/1.1.') },
};

/** Undefined where nobody is there to be told, as the connection broke. */
export function unreadable({ code = '' }: NodeJS.ErrnoException): Unreadable | undefined {
  if (BY_CODE[code]) return BY_CODE[code];
  return code.startsWith('HPE_') ? { status: 400, refusal: CANNOT_READ } : undefined;
}

/** Says so and ends the connection. */
export function answerUnreadable(socket: Duplex, { status, refusal }: Unreadable, requestId: string): void {
  const body = JSON.stringify(headProblem(refusal, requestId, status));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date().toUTCString()}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
