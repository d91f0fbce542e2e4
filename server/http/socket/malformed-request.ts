/** Refuses a connection: its address has too many, or Node cannot read it as a request. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../domain/api-error.ts';
import { newRequestId } from '../../ids.ts';
import { UNREAD_TIMEOUT_MS } from '../../limits.ts';
import { PROBLEM_TYPE, problemOf } from '../problem.ts';
import { REQUEST_ID } from '../request/context.ts';
import type { Connection } from './connection.ts';

/** Bytes that belong to no request, such as line ends. */
export const STRAY_BYTES = 'STRAY_BYTES';
/** Its address has as many connections as one may have. */
export const TOO_MANY_CONNECTIONS = 'TOO_MANY_CONNECTIONS';

/** The method CONNECT, which asks for a connection to somewhere else. */
export const CONNECT = 'CONNECT';

interface Refusal {
  /** It may say more than the status of the problem's code. */
  status: number;
  error: ApiError;
}

/** By code of Node, or one of those above. */
const REFUSALS: Partial<Record<string, Refusal>> = {
  // RFC 6585, 5.
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new ApiError('malformed_request', 'The request line and the headers are too long.'),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    error: new ApiError('content_too_large', 'The extensions of a chunk are too long.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new ApiError('malformed_request', 'The request was not complete in time.'),
  },
  HPE_INVALID_VERSION: {
    status: 505,
    error: new ApiError('malformed_request', 'Send HTTP/1.1.'),
  },
  [CONNECT]: {
    status: 501,
    error: new ApiError('malformed_request', 'This is no proxy: CONNECT is not supported.'),
  },
  [TOO_MANY_CONNECTIONS]: {
    status: 503,
    error: new ApiError('service_unavailable', 'Your address has too many connections open.'),
  },
};

const NOT_A_REQUEST: Refusal = {
  status: 400,
  error: new ApiError('malformed_request', 'This is not an HTTP/1.1 request.'),
};

/** Undefined for errors of the connection itself: nobody can read a response. */
function refusalFor(code: string): Refusal | undefined {
  const isMalformed = code.startsWith('HPE_') || code === STRAY_BYTES;
  return REFUSALS[code] ?? (isMalformed ? NOT_A_REQUEST : undefined);
}

export interface RefusedConnection {
  request_id: string;
  status: number;
  /** A code of Node, or one of those above. */
  reason: string;
}

export interface RefusalEvents {
  /** Called for each connection that is closed with a response. */
  onRefused?: (refused: RefusedConnection) => void;
}

/** Complete requests before get their responses first. */
export function refuse(
  code: string,
  socket: Socket,
  connection: Connection | undefined,
  events: RefusalEvents,
): void {
  const refusal = refusalFor(code);
  // A second response cannot follow in the middle of one.
  const isResponding = connection?.lastOfIncomplete?.headersSent === true;
  if (refusal === undefined || isResponding || !socket.writable) {
    socket.destroy();
    return;
  }
  const before = connection?.lastOfComplete;
  if (before !== undefined) {
    before.once('close', () => refuse(code, socket, connection, events));
    return;
  }
  const { status, error } = refusal;
  const requestId = newRequestId();
  events.onRefused?.({ request_id: requestId, status, reason: code });
  const problem = problemOf(error, requestId, { status });
  socket.end(responseOf(status, requestId, JSON.stringify(problem)));
  socket.pause();
  // A client that continues to send has the time to read the response.
  setTimeout(() => socket.destroy(), UNREAD_TIMEOUT_MS).unref();
}

function responseOf(status: number, requestId: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    `${REQUEST_ID}: ${requestId}`,
    `Content-Type: ${PROBLEM_TYPE}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
