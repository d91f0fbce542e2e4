/** Bearer authentication (D28, RFC 6750), before anything else of the request is looked at: its body stays unread. */
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../response/problem.ts';
import { type Tokens, TOKEN } from './tokens.ts';

const REALM = 'Bearer realm="edge-api"';

/** RFC 6750, section 2.1. */
const BEARER = new RegExp(`^Bearer +(${TOKEN}) *$`, 'i');

/** What a token that may only read can be used for; HEAD is GET without a body, OPTIONS asks what there is. */
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** @param tokens undefined: the service runs open and the header is ignored */
export function requireBearer(tokens: Tokens | undefined): RequestHandler {
  if (tokens === undefined) return (_req, _res, next) => next();
  return (req, _res, next) => {
    // It shows the methods of a path, which this contract does, too (D29).
    if (req.method === 'OPTIONS') return next();
    if (req.headers.authorization === undefined) {
      throw new HttpError('unauthorized', 'Send a bearer token in the Authorization header.', {
        'WWW-Authenticate': REALM,
      });
    }
    const sent = tokenOf(req);
    const principal = sent === undefined ? undefined : tokens.principalOf(sent);
    if (principal === undefined) {
      throw new HttpError('unauthorized', 'The bearer token is not valid.', {
        'WWW-Authenticate': `${REALM}, error="invalid_token"`,
      });
    }
    if (principal.readOnly && !READING.includes(req.method)) {
      throw new HttpError('forbidden', 'This token is read-only.', {
        'WWW-Authenticate': `${REALM}, error="insufficient_scope"`,
      });
    }
    next();
  };
}

/** The token that was sent, valid or not; undefined where the header has another form. */
export function tokenOf(req: Request): string | undefined {
  return BEARER.exec(req.headers.authorization ?? '')?.[1];
}
