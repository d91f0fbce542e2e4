/**
 * What one client may take of the server, so that there is enough for the others. Node's defaults are meant for a server
 * behind a proxy that has limits of its own; this one may stand alone. Times are in milliseconds.
 */
import type { ServerOptions } from 'node:http';

export const HTTP_LIMITS: ServerOptions = {
  // Request line and headers. Ids, cursors and tokens are far shorter; a few kilobytes of cookies and traces still fit.
  maxHeaderSize: 16 * 1024,
  // A head fits into one or two packets. Whoever sends it byte by byte has this long, and not Node's minute.
  headersTimeout: 10_000,
  // The whole request: 1 MiB at 35 KB a second. Node's five minutes would let a slow sender hold a connection as long.
  requestTimeout: 30_000,
  // Node looks at the two above in this interval only; at its own of 30 s they would mean little.
  connectionsCheckingInterval: 1_000,
  // An idle connection; common clients keep theirs for 4 to 5 s.
  keepAliveTimeout: 5_000,
  // Checked with the other headers, where a refusal is a problem.
  requireHostHeader: false,
};

/** A connection on which nothing moves, such as that of a client who reads no response. Longer than any request may take. */
export const SOCKET_TIMEOUT_MS = 60_000;

/** Headers beyond a number would be dropped in silence: their size is what bounds them. */
export const MAX_HEADERS_COUNT = 0;

/** Requests beyond a number on one connection would get a 503 that is no problem; one connection costs no more by them. */
export const MAX_REQUESTS_PER_SOCKET = 0;

/**
 * What is still read of a body after the response went out, so that a client who writes first can read it; then the connection is
 * cut. Twice what a body may have: one that is somewhat too large costs no connection, which the client may use again.
 */
export const MOST_UNREAD_BYTES = 2 * 1024 * 1024;
export const UNREAD_TIMEOUT_MS = 2_000;

/**
 * Bytes of bodies that are held at once, of all requests together; beyond, a request is refused with 503. Bodies that come in
 * one chunk are read at once, and count for nothing.
 */
export const MOST_BODY_BYTES_HELD = 64 * 1024 * 1024;

/** Requests on one connection that wait for a response; with more, no more are read from it until some are answered. */
export const MOST_WAITING_REQUESTS = 100;

/**
 * Bytes that come on a connection without making a request, such as line ends, which a server may skip before a request; and
 * how long they may come: longer than a head, for which Node has a response of its own. Then it is closed.
 */
export const MOST_STRAY_BYTES = 16 * 1024;
export const STRAY_BYTES_TIMEOUT_MS = 15_000;
/** How often connections are looked at for them: a fast client sends some MiB in this time. */
export const STRAY_BYTES_CHECK_MS = 100;

const MOST_CONNECTIONS = 10_000;

/** Files that the store, the log and the process itself may open at once. */
const FILES_FOR_OTHERS = 512;

/** Connections beyond are closed at once. They share the limit of open files with the store, which must not run out of them. */
export function maxConnections(): number {
  return Math.max(16, Math.min(MOST_CONNECTIONS, openFileLimit() - FILES_FOR_OTHERS));
}

/** How many files this process may have open, Infinity where there is no limit; Node raises it to what the system allows. */
export function openFileLimit(): number {
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const files = Number(userLimits?.open_files?.soft);
  return Number.isFinite(files) ? files : Infinity;
}
