/**
 * Subscriptions to try things on. By default each case gets a new one of its own, named so that a person can tell where
 * it came from. Where the user names existing ones, each is lent to one case at a time.
 */
export class SubscriptionPool {
  readonly #namespace: string;
  readonly #idle: string[];
  readonly #shared: boolean;
  readonly #waiting: ((id: string) => void)[] = [];
  #made = 0;

  constructor(namespace: string, existing: readonly string[]) {
    this.#namespace = namespace;
    this.#idle = [...existing];
    this.#shared = existing.length > 0;
  }

  /** True when subscriptions may hold sources that the suite did not make. */
  get shared(): boolean {
    return this.#shared;
  }

  /** How many a case can have at once. */
  get size(): number {
    return this.#shared ? this.#idle.length : Number.POSITIVE_INFINITY;
  }

  async take(): Promise<string> {
    if (!this.#shared) return `${this.#namespace}-${++this.#made}`;
    return this.#idle.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(id: string): void {
    if (!this.#shared) return;
    const next = this.#waiting.shift();
    if (next) next(id);
    else this.#idle.push(id);
  }
}
