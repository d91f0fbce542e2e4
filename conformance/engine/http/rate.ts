/**
 * Spaces requests out, so that no second sees more than the rate, and holds them all back when the service asks for it.
 */
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
