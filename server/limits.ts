/**
 * The part of the process that one client may use, so that others have enough. Node expects a proxy
 * with limits in front. Times are in ms.
 */
import type { ServerOptions } from 'node:http';

export const HTTP_LIMITS: ServerOptions = {
  // Request line and headers. Ids, cursors and tokens are far shorter; a few kilobytes of cookies
  // and traces still fit.
  maxHeaderSize: 16 * 1024,
  // A head fits into one or two packets. A client that sends it byte by byte has this long, and not
  // Node's minute.
  headersTimeout: 10_000,
  // The whole request: 1 MiB at 35 KB a second. Node's five minutes would let a slow sender hold a
  // connection as long.
  requestTimeout: 30_000,
  // Node checks the two above in this interval only; with its own of 30 s they would have little
  // effect.
  connectionsCheckingInterval: 1_000,
  // An idle connection; common clients keep theirs for 4 to 5 s.
  keepAliveTimeout: 5_000,
  // Checked with the other headers, so that a refusal is a problem document.
  requireHostHeader: false,
};

/**
 * A connection without any traffic, such as that of a client that reads no response. Longer than
 * any request may take.
 */
export const SOCKET_TIMEOUT_MS = 60_000;

/**
 * Read of a body after the response went out, so that a client that writes first can read that:
 * twice its limit.
 */
export const MOST_UNREAD_BYTES = 2 * 1024 * 1024;
export const UNREAD_TIMEOUT_MS = 2_000;

/** One body, before and after decoding (D32). */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Bytes of all bodies held at once; beyond, 503. A body in one chunk is read at once, and does not
 * count.
 */
export const MOST_BODY_BYTES_HELD = 64 * 1024 * 1024;

/**
 * Requests on one connection that wait for a response; with more, no more are read from it until
 * some have one.
 */
export const MOST_WAITING_REQUESTS = 100;

/**
 * Bytes on a connection that belong to no request, such as line ends, which a server may skip
 * before a request.
 */
export const MOST_STRAY_BYTES = 16 * 1024;
/**
 * The interval in which connections are checked for them: a fast client sends some MiB in this
 * time.
 */
export const STRAY_BYTES_CHECK_MS = 100;

const MOST_CONNECTIONS = 10_000;

/** Files that the store, the log and the process itself may open at once. */
const FILES_FOR_OTHERS = 512;

/** As many are open at once even if the limit of open files leaves less. */
const LEAST_CONNECTIONS = 16;

/**
 * Further connections are closed at once. They share the limit of open files with the store, which
 * needs some.
 */
export function maxConnections(): number {
  const filesLeft = openFileLimit() - FILES_FOR_OTHERS;
  return Math.max(LEAST_CONNECTIONS, Math.min(MOST_CONNECTIONS, filesLeft));
}

/** The part of the report of the process that is read here. */
interface ProcessReport {
  userLimits?: { open_files?: { soft: unknown } };
}

/**
 * How many files this process may have open, Infinity if there is no limit; Node raises it to what
 * the system allows.
 */
export function openFileLimit(): number {
  const report = process.report.getReport() as unknown as ProcessReport;
  const files = Number(report.userLimits?.open_files?.soft);
  return Number.isFinite(files) ? files : Infinity;
}
