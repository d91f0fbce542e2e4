/** The times at which requests may go out. */

/**
 * Spaces requests out, so that no second has more than the rate, and holds them back when the
 * service asks for it.
 */
export class Rate {
  readonly #interval: number;
  /** The earliest begin of the next turn, in milliseconds of `performance.now()`. */
  #next = 0;

  /** @param perSecond default: no limit */
  constructor(perSecond = Infinity) {
    this.#interval = 1000 / perSecond;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    if (this.#interval > 0) {
      this.#next = at + this.#interval;
    }
    if (at > now) {
      await sleep(at - now);
    }
  }

  /** No turn begins within the next so many milliseconds. */
  pause(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }
}

/** The longest time that the suite waits if a service asks for it. */
export const MAX_WAIT_MS = 5_000;
/** The waiting time after a response that does not say how long. */
const DEFAULT_WAIT_MS = 1_000;

const SECONDS = /^\d+$/;

/** How long the suite waits, in milliseconds, if `Retry-After` asks for it. */
export function retryAfter(headers: Readonly<Record<string, string>>): number {
  return Math.min(askedWait(headers) ?? DEFAULT_WAIT_MS, MAX_WAIT_MS);
}

/** How long `Retry-After` asks to wait, in milliseconds; undefined if it is not there. */
export function askedWait(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after'] ?? '';
  const ms = SECONDS.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  if (Number.isNaN(ms)) {
    return undefined;
  }
  return Math.max(ms, 0);
}

export async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
