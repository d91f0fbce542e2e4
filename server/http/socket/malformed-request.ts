/**
 * Responses to what Node's parser cannot read as a request: a line, header or chunk that is none, a head that is too long, one
 * that does not come to its end in time. There is no request and no response then, only a connection, which is closed.
 */
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { ApiError } from '../../domain/api-error.ts';
import { headProblem } from '../response/problem.ts';

export interface MalformedRequest {
  status: number;
  error: ApiError;
}

const NO_REQUEST = new ApiError('malformed_request', 'This is not an HTTP/1.1 request.');

const BY_CODE: Record<string, MalformedRequest> = {
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
  HPE_INVALID_VERSION: { status: 505, error: new ApiError('malformed_request', 'Send HTTP/1.1.') },
};

/** Bytes that make no request, such as line ends. */
export const STRAY_BYTES = 'STRAY_BYTES';

/** Undefined where nobody is there to be told, as the connection broke. */
export function malformedRequest(code: string): MalformedRequest | undefined {
  if (BY_CODE[code]) return BY_CODE[code];
  return code.startsWith('HPE_') || code === STRAY_BYTES ? { status: 400, error: NO_REQUEST } : undefined;
}

/** Says so and ends the connection. */
export function respondToMalformed(socket: Duplex, { status, error }: MalformedRequest, requestId: string): void {
  const body = JSON.stringify(headProblem(error, requestId, status));
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
