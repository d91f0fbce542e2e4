/** Headers that every response has, each with its reason: problems, health and those without a body, too. */
import { ServerResponse } from 'node:http';
import type { Express, Response } from 'express';

const HEADERS = {
  // Nobody is to guess another type than the one that is said, such as a script in a text that a user wrote.
  'X-Content-Type-Options': 'nosniff',
  // Responses hold secrets (D27), and no cache is to keep them. What is for everyone says otherwise (`forEveryone`).
  'Cache-Control': 'no-store',
  // Shown by a browser, a response loads nothing, runs nothing and stands in no frame. The page at /docs has its own.
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The same about frames, for browsers that do not know `frame-ancestors`.
  'X-Frame-Options': 'DENY',
  // Whoever is linked to learns neither the address of this server nor the ids in it.
  'Referrer-Policy': 'no-referrer',
};

// No Strict-Transport-Security: it binds every port of a host name for months. That is for whoever ends TLS to say; sent
// from here with a public URL such as https://localhost:8443, it would take plain http away from all else on that host.

/** As `writeHead` takes them: name and value in turn. */
const LIST = Object.entries(HEADERS).flat();

/**
 * Gives them to every response of an application in the moment in which its head is written, whoever writes it. What a
 * response says of its own stands.
 */
export function protectResponses(app: Express): void {
  const { writeHead } = ServerResponse.prototype;
  app.response.writeHead = function (this: ServerResponse, status: number, first?: unknown, second?: unknown) {
    // Nothing was set one by one: a list as a whole is written much faster.
    if (Array.isArray(first) && this.getHeaderNames().length === 0)
      return writeHead.call(this, status, [...LIST, ...(first as string[])]);
    for (let at = 0; at < LIST.length; at += 2)
      if (!this.hasHeader(LIST[at]!)) this.setHeader(LIST[at]!, LIST[at + 1]!);
    return Reflect.apply(writeHead, this, second === undefined ? [status, first] : [status, first, second]);
  } as Response['writeHead'];
}

/** For what holds no secret: it may be kept, and is asked for again before it is shown. */
export function forEveryone(res: Response): Response {
  return res.set('Cache-Control', 'no-cache');
}
