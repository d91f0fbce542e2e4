/** Bearer authentication (D28, RFC 6750), before anything else of the request is looked at. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { HttpRefusal } from './problem.ts';

const REALM = 'Bearer realm="edge-api"';

/** @param token undefined: the service runs open and the header is ignored */
export function requireBearer(token: string | undefined): RequestHandler {
  if (token === undefined) return (_req, _res, next) => next();
  const expected = digest(token);
  return (req, _res, next) => {
    const header = req.headers.authorization;
    if (header === undefined) {
      throw new HttpRefusal('unauthorized', 'Send a bearer token in the Authorization header.', {
        'WWW-Authenticate': REALM,
      });
    }
    const sent = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
    // Digests have one length, so that the comparison takes the same time for every token.
    if (sent === undefined || !timingSafeEqual(digest(sent), expected)) {
      throw new HttpRefusal('unauthorized', 'The bearer token is not valid.', {
        'WWW-Authenticate': `${REALM}, error="invalid_token"`,
      });
    }
    next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
