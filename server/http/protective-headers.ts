/** Headers that every answer has, each with its reason: refusals, health and those without a body, too. */
import type { RequestHandler, Response } from 'express';

const HEADERS = {
  // Nobody is to guess another type than the one that is said, such as a script in a text that a user wrote.
  'X-Content-Type-Options': 'nosniff',
  // Answers hold secrets (D27), and no cache is to keep them. What is for everyone says otherwise (`forEveryone`).
  'Cache-Control': 'no-store',
  // Shown by a browser, an answer loads nothing, runs nothing and stands in no frame. The page at /docs has its own.
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The same about frames, for browsers that do not know `frame-ancestors`.
  'X-Frame-Options': 'DENY',
  // Whoever is linked to learns neither the address of this server nor the ids in it.
  'Referrer-Policy': 'no-referrer',
};

const LIST = Object.entries(HEADERS);

// No Strict-Transport-Security: it binds every port of a host name for months. That is for whoever ends TLS to say; sent
// from here with a public URL such as https://localhost:8443, it would take plain http away from all else on that host.

export const protectiveHeaders: RequestHandler = (_req, res, next) => {
  // Past Express, which would look each one up for its charset.
  for (const [name, value] of LIST) res.setHeader(name, value);
  next();
};

/** For what holds no secret: it may be kept, and is asked for again before it is shown. */
export function forEveryone(res: Response): Response {
  return res.set('Cache-Control', 'no-cache');
}
