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
