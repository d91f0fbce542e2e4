/** The event sources of every subscription, in memory. */
import { now } from './time.ts';

export interface Source {
  readonly type: string;
  readonly addedAt: string;
}

export class SourceStore {
  readonly #subscriptions = new Map<string, Map<string, Source>>();

  all(subscription: string): ReadonlyMap<string, Source> {
    return this.#subscriptions.get(subscription) ?? new Map();
  }

  get(subscription: string, type: string): Source | undefined {
    return this.all(subscription).get(type);
  }

  /** Undefined when the type is there already. */
  add(subscription: string, type: string): Source | undefined {
    return this.#put(subscription, { type, addedAt: now() });
  }

  /** Gives `source` another type; undefined when another source has that one. */
  move(subscription: string, source: Source, type: string): Source | undefined {
    if (source.type === type) return source;
    const moved = this.#put(subscription, { ...source, type });
    if (moved !== undefined) this.remove(subscription, source.type);
    return moved;
  }

  remove(subscription: string, type: string): void {
    const sources = this.#subscriptions.get(subscription);
    sources?.delete(type);
    if (sources?.size === 0) this.#subscriptions.delete(subscription);
  }

  #put(subscription: string, source: Source): Source | undefined {
    if (this.get(subscription, source.type) !== undefined) return undefined;
    const sources = this.#subscriptions.get(subscription) ?? new Map<string, Source>();
    this.#subscriptions.set(subscription, sources.set(source.type, source));
    return source;
  }
}
