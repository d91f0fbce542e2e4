/** How long an operation is not called if its response does not say when its limit is over. */
const DEFAULT_MS = 60_000;

/**
 * Operations that get 429 while the service serves others, such as a login that may be tried ten
 * times a minute. Each is called again when its time is over.
 */
export class LimitedOperations {
  /** By `operationId`: the time of `performance.now()` from which on it is called. */
  readonly #until = new Map<string, number>();

  get areThere(): boolean {
    return this.#until.size > 0;
  }

  /** @param ms the time that the service asks for */
  add(operationId: string, ms = DEFAULT_MS): void {
    this.#until.set(operationId, performance.now() + ms);
  }

  has(operationId: string): boolean {
    const until = this.#until.get(operationId);
    if (until === undefined) {
      return false;
    }
    if (performance.now() < until) {
      return true;
    }
    this.#until.delete(operationId);
    return false;
  }
}
