/**
 * The request target, before anything else of a request is used: brings it into the form that Express expects, and
 * refuses what is ambiguous or invalid.
 */
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import { HttpError } from '../problem.ts';

/** RFC 9112, 3.2.2: the form that clients send to proxies, and that a server must accept. */
const ABSOLUTE_FORM = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

export const readTarget: RequestHandler = (req, _res, next) => {
  // Node's parser accepts the head of HTTP/2.0, although what follows cannot be HTTP/2.
  if (req.httpVersionMajor !== 1) throw new ApiError('malformed_request', 'Send HTTP/1.1.');
  checkSingleHeaders(req.rawHeaders, req.httpVersion);
  // RFC 9112, 6.1. Node decodes `chunked` alone, and passes on the rest.
  if (!['chunked', ''].includes((req.headers['transfer-encoding'] ?? '').toLowerCase()))
    throw new HttpError('malformed_request', 'Only the transfer coding chunked is supported.', {}, { status: 501 });
  const [origin, scheme, authority] = req.url.startsWith('/') ? [] : (ABSOLUTE_FORM.exec(req.url) ?? []);
  if (origin !== undefined) {
    if (!/^https?$/i.test(scheme!)) throw new ApiError('malformed_request', 'The request target is not http or https.');
    const path = req.url.slice(origin.length);
    req.url = path.startsWith('/') ? path : `/${path}`;
    req.originalUrl = req.url;
    // It replaces the Host header (RFC 9112, 3.2.2).
    req.headers.host = authority!;
  }
  next();
};

/** @param headers names and values in turn, as Node gives them; Node's `headers` keep the first of several */
function checkSingleHeaders(headers: readonly string[], version: string): void {
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (name === 'host') hosts++;
    else if (name === 'authorization') authorizations++;
  }
  // RFC 9112, 3.2: exactly one, from HTTP/1.1 on.
  if (hosts > 1 || (hosts === 0 && version !== '1.0')) throw new ApiError('malformed_request', 'Send one Host header.');
  // A proxy in front may have checked another one than the one that is used here.
  if (authorizations > 1) throw new ApiError('malformed_request', 'Send one Authorization header.');
}

/** @throws ApiError unless the path and the query can be decoded */
export const checkEncoding: RequestHandler = (req, _res, next) => {
  try {
    if (req.url.includes('%')) decodeURIComponent(req.url);
  } catch {
    throw new ApiError('malformed_request', 'The path or the query is not valid percent-encoding.');
  }
  next();
};
