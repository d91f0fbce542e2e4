/**
 * Subscriptions to try things on. By default each case gets new ones of its own, named so that a person can tell where
 * they came from. Where the user names existing ones, each is lent to one case at a time.
 *
 * A case takes all that it needs in one step and gives all back at its end, and cases are served in their order. So
 * none ever waits while it holds one: no two cases can wait for each other, however few subscriptions there are.
 */
export interface Wanted {
  count: number;
  /** Which will do; all by default. */
  suits?: (id: string) => boolean;
}

export class SubscriptionPool {
  readonly #namespace: string;
  /** Those that the user named. */
  readonly existing: readonly string[];
  readonly #idle: string[];
  readonly #waiting: { wanted: Wanted; serve: (ids: string[] | undefined) => void }[] = [];
  #made = 0;

  constructor(namespace: string, existing: readonly string[]) {
    this.#namespace = namespace;
    this.existing = [...new Set(existing)];
    this.#idle = [...this.existing];
  }

  /** True when subscriptions may hold sources that the suite did not make. */
  get shared(): boolean {
    return this.existing.length > 0;
  }

  /** Whether the pool made this id. */
  made(id: string): boolean {
    return id.startsWith(`${this.#namespace}-`);
  }

  /** Undefined when there are not so many that suit, and never will be. */
  async take(wanted: Wanted): Promise<string[] | undefined> {
    if (!this.shared) return Array.from({ length: wanted.count }, () => `${this.#namespace}-${++this.#made}`);
    if (choose(this.existing, wanted) === undefined) return undefined;
    return new Promise((serve) => {
      this.#waiting.push({ wanted, serve });
      this.#serve();
    });
  }

  giveBack(ids: readonly string[]): void {
    if (!this.shared) return;
    this.#idle.push(...ids);
    this.#serve();
  }

  /**
   * Serves the first in the queue only: else one that wants much would wait for ever. One that waits for a subscription
   * that suits no longer, because somebody else uses it now, gets none.
   */
  #serve(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const ids = choose(this.#idle, first.wanted);
      if (ids === undefined && choose(this.existing, first.wanted) !== undefined) return;
      for (const id of ids ?? []) this.#idle.splice(this.#idle.indexOf(id), 1);
      this.#waiting.shift();
      first.serve(ids);
    }
  }
}

function choose(from: readonly string[], { count, suits = () => true }: Wanted): string[] | undefined {
  const suitable = from.filter(suits);
  return suitable.length < count ? undefined : suitable.slice(0, count);
}

/**
 * The sources that existing subscriptions hold when a run begins: somebody else's, to be left alone. Also what tells
 * which subscription has room for a case.
 */
export class ForeignSources {
  readonly #types = new Map<string, Set<string>>();

  of(subscription_id: string): ReadonlySet<string> {
    return this.#types.get(subscription_id) ?? new Set();
  }

  add(subscription_id: string, types: Iterable<string>): void {
    this.#types.set(subscription_id, new Set([...this.of(subscription_id), ...types]));
  }
}
