/**
 * Which requests are sent again, and how often that happened. After 429 nothing was done, so every request is sent
 * again. After 503 with `Retry-After`, and after a connection that broke, the request may have been carried out: then
 * only a request that means the same twice is sent again (RFC 9110, section 9.2.2).
 */
import type { RawResponse } from './client.ts';

export interface Retries {
  /** Responses with 429: the request waited and was sent again. */
  rate_limited: number;
  /** Responses with 503 and `Retry-After`. */
  unavailable: number;
  /** Connections that ended before their response. */
  connection_lost: number;
  /** Cases that were tried again from their start, since a request of theirs could not be sent again. */
  cases: number;
}

export function noRetries(): Retries {
  return { rate_limited: 0, unavailable: 0, connection_lost: 0, cases: 0 };
}

/** How often one request is sent again, by what happened to it. */
export const MOST = { rate_limited: 4, unavailable: 3, connection_lost: 2 } as const;

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

export function isIdempotent(method: string): boolean {
  return IDEMPOTENT.has(method);
}

/** The longest that the suite waits when it is told to. */
const MAX_WAIT_MS = 5_000;
/** For a 429 that does not say how long. */
const DEFAULT_WAIT_MS = 1_000;

/** Milliseconds. */
export function retryAfter({ headers }: RawResponse): number {
  const value = headers['retry-after'] ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_WAIT_MS : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}
