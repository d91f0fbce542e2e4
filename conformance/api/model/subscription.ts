/** The event sources of a subscription as a set of types: the simplest believable service. */
export class SubscriptionModel {
  readonly #types: Set<string>;

  constructor(types: Iterable<string>) {
    this.#types = new Set(types);
  }

  /** Ascending in the order of ASCII (D16). */
  get types(): string[] {
    return [...this.#types].toSorted();
  }

  has(type: string): boolean {
    return this.#types.has(type);
  }

  /** @returns the status that is due */
  add(type: string): 201 | 409 {
    if (this.has(type)) return 409;
    this.#types.add(type);
    return 201;
  }

  remove(type: string): 204 | 404 {
    return this.#types.delete(type) ? 204 : 404;
  }

  /** @param to undefined: no new type is sent (D12) */
  replace(from: string, to: string | undefined): 200 | 404 | 409 {
    if (!this.has(from)) return 404;
    if (to === undefined || to === from) return 200;
    if (this.has(to)) return 409;
    this.#types.delete(from);
    this.#types.add(to);
    return 200;
  }
}
