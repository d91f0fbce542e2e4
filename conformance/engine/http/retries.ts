/**
 * When a request goes out, and whether it is sent again. After 429 nothing was done, so every request is sent again.
 * After 503 with `Retry-After`, and after a connection that broke, the request may have been carried out: then only an
 * idempotent request is sent again (RFC 9110, section 9.2.2).
 */

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

/** How often one request is sent again, by what happened to it. */
export const MOST = { rate_limited: 4, unavailable: 3, connection_lost: 2 } as const;

export const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** The longest that the suite waits when it is told to. */
const MAX_WAIT_MS = 5_000;
/** For a 429 that does not say how long. */
const DEFAULT_WAIT_MS = 1_000;

/** How long `Retry-After` asks to wait, in milliseconds. */
export function retryAfter(headers: Readonly<Record<string, string>>): number {
  const value = headers['retry-after'] ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_WAIT_MS : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}

/** Spaces requests out, so that no second has more than the rate, and holds them back when the service asks for it. */
export class Rate {
  readonly #interval: number;
  #next = 0;

  /** @param perSecond undefined: no limit */
  constructor(perSecond: number | undefined) {
    this.#interval = perSecond === undefined ? 0 : 1000 / perSecond;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    if (this.#interval > 0) this.#next = at + this.#interval;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }

  /** No turn begins within the next so many milliseconds. */
  pause(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }
}
