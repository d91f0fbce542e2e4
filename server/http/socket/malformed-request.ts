/** Refuses a connection: because its address has too many, or because of what Node cannot read as a request. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../domain/api-error.ts';
import { newRequestId } from '../../ids.ts';
import { UNREAD_TIMEOUT_MS } from '../../limits.ts';
import { problemOf } from '../problem.ts';
import type { Connection } from './connections.ts';

/** Bytes that belong to no request, such as line ends. */
export const STRAY_BYTES = 'STRAY_BYTES';
/** Its address has as many connections as one may have. */
export const TOO_MANY_CONNECTIONS = 'TOO_MANY_CONNECTIONS';

/** By code of Node: a status, which may say more than that of the problem, and the problem. */
const ERRORS: Record<string, [status: number, error: ApiError]> = {
  // RFC 6585, 5.
  HPE_HEADER_OVERFLOW: [
    431,
    new ApiError('malformed_request', 'The request line and the headers are too long.'),
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    new ApiError('content_too_large', 'The extensions of a chunk are too long.'),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    new ApiError('malformed_request', 'The request was not complete in time.'),
  ],
  [TOO_MANY_CONNECTIONS]: [
    503,
    new ApiError('service_unavailable', 'Your address has too many connections open.'),
  ],
  HPE_INVALID_VERSION: [505, new ApiError('malformed_request', 'Send HTTP/1.1.')],
};
const NO_REQUEST: [number, ApiError] = [
  400,
  new ApiError('malformed_request', 'This is not an HTTP/1.1 request.'),
];

export interface RefusalEvents {
  /** Called for each connection that is closed as refused. `reason` is a code of Node, or one of the two above. */
  onRefused?: (line: { request_id: string; status: number; reason: string }) => void;
}

/** Complete requests before it get their responses first. Another `code` than a `reason` closes without a response. */
export function refuse(
  code: string,
  socket: Socket,
  connection: Connection | undefined,
  events: RefusalEvents,
): void {
  const isMalformed = code.startsWith('HPE_') || code === STRAY_BYTES;
  const refusal = ERRORS[code] ?? (isMalformed ? NO_REQUEST : undefined);
  const before = connection?.lastWhole;
  const unfinished = connection?.last?.req.complete === false ? connection.last : undefined;
  if (!refusal || !socket.writable || unfinished?.headersSent) {
    socket.destroy();
  } else if (before) {
    before.once('close', () => refuse(code, socket, connection, events));
  } else {
    const [status, error] = refusal;
    const requestId = newRequestId();
    events.onRefused?.({ request_id: requestId, status, reason: code });
    socket.end(responseOf(status, JSON.stringify(problemOf(error, requestId, { status }))));
    socket.pause();
    // A client that continues to send has the time to read the response.
    setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS).unref();
  }
}

function responseOf(status: number, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
