/** How long an operation is not called if its response does not say when its limit is over. */
const DEFAULT_MS = 60_000;

/** In milliseconds, the same in each thread. */
const now = (): number => performance.timeOrigin + performance.now();

/**
 * Operations that get 429 while the service serves others, such as a login that may be tried ten
 * times a minute. Each is called again when its time is over. What one thread of a run finds, the
 * others know, too: they have the same memory.
 */
export class LimitedOperations {
  /** The place of an operation in the memory. */
  readonly #places = new Map<string, number>();
  /** For each operation, the time from which on it is called; 0 if it is not limited. */
  readonly #until: Float64Array;

  /**
   * @param operationIds in the order of the contract
   * @param memory that of another thread; default: a new one
   */
  constructor(operationIds: Iterable<string>, memory?: SharedArrayBuffer) {
    for (const operationId of operationIds) {
      this.#places.set(operationId, this.#places.size);
    }
    const bytes = this.#places.size * Float64Array.BYTES_PER_ELEMENT;
    this.#until = new Float64Array(memory ?? new SharedArrayBuffer(bytes));
  }

  /** For the other threads. */
  get memory(): SharedArrayBuffer {
    return this.#until.buffer as SharedArrayBuffer;
  }

  get areThere(): boolean {
    const time = now();
    return this.#until.some((until) => until > time);
  }

  /** @param ms the time that the service asks for */
  add(operationId: string, ms = DEFAULT_MS): void {
    const place = this.#places.get(operationId);
    if (place !== undefined) {
      this.#until[place] = now() + ms;
    }
  }

  has(operationId: string): boolean {
    const place = this.#places.get(operationId);
    if (place === undefined) {
      return false;
    }
    return now() < (this.#until[place] ?? 0);
  }
}
