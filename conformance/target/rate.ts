/** Spaces requests out, so that no second sees more than the rate. */
export class Rate {
  readonly #interval: number;
  #next = 0;

  /** @param perSecond undefined: no limit */
  constructor(perSecond: number | undefined) {
    this.#interval = perSecond === undefined ? 0 : 1000 / perSecond;
  }

  async turn(): Promise<void> {
    if (this.#interval === 0) return;
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#interval;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}
