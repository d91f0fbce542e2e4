/** The rules for browsers: headers that protect each response, and other origins (CORS). */
import cors from 'cors';
import type { RequestHandler, Response } from 'express';
import { REQUEST_ID } from '../request/context.ts';

/**
 * No Strict-Transport-Security: it applies to every port of a host name for months. A proxy that
 * terminates TLS may send it; sent from here with a public URL such as https://localhost:8443, it
 * would block plain http to all else on that host.
 */
const PROTECTIVE = Object.entries({
  // No browser may guess a type that differs from the declared one, such as a script in a text that
  // a user wrote.
  'X-Content-Type-Options': 'nosniff',
  // Responses hold secrets (D27), and no cache may store them. `forEveryone` allows it.
  'Cache-Control': 'no-store',
  // A response that a browser shows loads nothing, runs nothing and is in no frame. The pages at
  // /docs and /try have their own.
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The same about frames, for browsers that do not know `frame-ancestors`.
  'X-Frame-Options': 'DENY',
  // The target of a link gets neither the address of this server nor the ids in it.
  'Referrer-Policy': 'no-referrer',
});

/** Sets them on every response; a handler may replace them. */
export const protectResponses: RequestHandler = (_req, res, next) => {
  for (const [name, value] of PROTECTIVE) {
    res.setHeader(name, value);
  }
  next();
};

/** For content without secrets: caches may store it, and must revalidate it before they show it. */
export function forEveryone(res: Response): Response {
  return res.set('Cache-Control', 'no-cache');
}

export const EVERY_ORIGIN = '*';

/** How long a browser may remember the response to a preflight. */
const REMEMBER_S = 600;

const ALLOWED = {
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
    REQUEST_ID,
  ],
  maxAge: REMEMBER_S,
};

/**
 * Lets pages of these origins, or all (`*`), call the service. The response to a preflight needs no
 * token. Pages get no credentials: they have to know a token to send one.
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const origin = origins.includes(EVERY_ORIGIN) ? EVERY_ORIGIN : [...origins];
  return cors((req, done) => {
    const isPreflight = req.headers['access-control-request-method'] !== undefined;
    // Any other OPTIONS gets `Allow` as usual.
    done(null, { ...ALLOWED, origin, preflightContinue: !isPreflight });
  });
}
