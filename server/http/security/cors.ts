/**
 * Lets pages of other origins call the service (CORS). Off unless origins are listed: then a browser keeps answers from
 * them, and sends none of their requests that could change something.
 *
 * A preflight carries no token and is answered before one is asked for. Credentials are not allowed, as there is nothing
 * that a browser would add by itself: a page has to know a token to send one.
 */
import cors from 'cors';
import type { RequestHandler } from 'express';

/** Any page at all. */
export const EVERY_ORIGIN = '*';

/** How long a browser may remember the response to a preflight. */
const REMEMBER_S = 600;

/** @param origins as browsers send them, such as `https://app.example.com`, or `*` alone; none: nothing is allowed */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  if (origins.length === 0) return (_req, _res, next) => next();
  const options = {
    origin: origins.includes(EVERY_ORIGIN) ? EVERY_ORIGIN : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Accept', 'Authorization', 'Content-Type', 'Prefer'],
    exposedHeaders: [
      'Allow',
      'Location',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
    ],
    maxAge: REMEMBER_S,
  };
  const answering = cors(options);
  const passing = cors({ ...options, preflightContinue: true });
  return (req, res, next) => {
    // OPTIONS gets `Allow` as ever, unless a browser asks by it for leave.
    const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    (isPreflight ? answering : passing)(req, res, next);
  };
}
