/**
 * Brings the request target into the form that everything behind this expects, or refuses it; and refuses headers that must
 * come once, and come several times. Node's own check of Host is off, since its response is no problem.
 */
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';

/** RFC 9112, 3.2.2: what clients send to proxies, and a server must accept. */
const ABSOLUTE_FORM = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

export const readTarget: RequestHandler = (req, _res, next) => {
  // Node's parser knows the head of other versions, but what follows is none of theirs.
  if (req.httpVersionMajor !== 1) throw new ApiError('malformed_request', 'Send HTTP/1.1.');
  checkSingleHeaders(req.rawHeaders, req.httpVersion);
  if (!req.url.startsWith('/')) {
    const [origin, scheme, authority] = ABSOLUTE_FORM.exec(req.url) ?? [];
    if (origin !== undefined) {
      if (!/^https?$/i.test(scheme!))
        throw new ApiError('malformed_request', 'The request target is not http or https.');
      const path = req.url.slice(origin.length);
      req.url = path.startsWith('/') ? path : `/${path}`;
      req.originalUrl = req.url;
      // It counts, and Host does not.
      req.headers.host = authority!;
    }
  }
  next();
};

/** @throws ApiError unless the path and the query can be decoded */
export const checkEncoding: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%') && !isDecodable(req.url)) {
    throw new ApiError('malformed_request', 'The path or the query is not valid percent-encoding.');
  }
  next();
};

/** @param headers names and values in turn, as Node gives them; it keeps the first of several */
function checkSingleHeaders(headers: readonly string[], version: string): void {
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  // RFC 9112, 3.2: exactly one, from HTTP/1.1 on.
  if (hosts > 1 || (hosts === 0 && version !== '1.0')) throw new ApiError('malformed_request', 'Send one Host header.');
  // A proxy in front may have looked at another one than the one that counts here.
  if (authorizations > 1) throw new ApiError('malformed_request', 'Send one Authorization header.');
}

function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}
