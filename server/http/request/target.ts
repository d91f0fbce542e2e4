/** The target of a request, in the form that Express expects. */
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import { HttpError } from '../problem.ts';

export const readTarget: RequestHandler = (req, _res, next) => {
  // Node's parser accepts the head of HTTP/2.0, although what follows cannot be HTTP/2.
  if (req.httpVersionMajor !== 1) {
    throw new ApiError('malformed_request', 'Send HTTP/1.1.');
  }
  requireSingleHeaders(req);
  requireChunked(req.headers['transfer-encoding'] ?? '');
  if (!req.url.startsWith('/')) {
    readAbsoluteForm(req);
  }
  next();
};

/** Node's `headers` keep the first of several. @throws ApiError */
function requireSingleHeaders(req: Request): void {
  const hosts = timesOf('host', req.rawHeaders);
  // RFC 9112, 3.2: exactly one, from HTTP/1.1 on.
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new ApiError('malformed_request', 'Send one Host header.');
  }
  // A proxy in front may have checked a different one from the one that is used here.
  if (timesOf('authorization', req.rawHeaders) > 1) {
    throw new ApiError('malformed_request', 'Send one Authorization header.');
  }
}

/** @param headers names and values in turn, as Node gives them */
function timesOf(name: string, headers: readonly string[]): number {
  let times = 0;
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) {
      times += 1;
    }
  }
  return times;
}

/** RFC 9112, 6.1. Node decodes `chunked` alone, and passes on the rest. @throws HttpError */
function requireChunked(transferEncoding: string): void {
  if (!['chunked', ''].includes(transferEncoding.toLowerCase())) {
    const detail = 'Only the transfer coding chunked is supported.';
    throw new HttpError('malformed_request', detail, {}, { status: 501 });
  }
}

/** RFC 9112, 3.2.2: the form that clients send to proxies, and that a server must accept. */
const ABSOLUTE_FORM = /^(?<origin>(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?#]*))/i;

function readAbsoluteForm(req: Request): void {
  const { origin, scheme = '', authority } = ABSOLUTE_FORM.exec(req.url)?.groups ?? {};
  if (origin === undefined || authority === undefined) {
    return;
  }
  if (!/^https?$/i.test(scheme)) {
    throw new ApiError('malformed_request', 'The request target is not http or https.');
  }
  const path = req.url.slice(origin.length);
  req.url = path.startsWith('/') ? path : `/${path}`;
  req.originalUrl = req.url;
  // It replaces the Host header (RFC 9112, 3.2.2).
  req.headers.host = authority;
}

/** @throws ApiError unless the path and the query can be decoded */
export const checkEncoding: RequestHandler = (req, _res, next) => {
  try {
    decodeURIComponent(req.url);
  } catch {
    throw new ApiError('malformed_request', 'The path or the query is not valid percent-encoding.');
  }
  next();
};
