/** The event sources that a case sent, and which of them it may have to remove. */
import type { ForeignSources } from './foreign-sources.ts';

interface Source {
  subscription_id: string;
  type: string;
  /** The service said that it is there, or nothing to the contrary. */
  made: boolean;
}

export class SentSources {
  readonly #sources = new Map<string, Source>();

  /** @param status of the response; undefined: none came */
  sent(subscription_id: string, type: unknown, status: number | undefined): void {
    if (typeof type !== 'string') return;
    const key = `${subscription_id} ${type}`;
    const refused = status !== undefined && status >= 400 && status < 500;
    this.#sources.set(key, { subscription_id, type, made: !refused || this.#sources.get(key)?.made === true });
  }

  removed(subscription_id: string, type: string): void {
    this.#sources.delete(`${subscription_id} ${type}`);
  }

  /** Never what was there before, whatever the service says. */
  removable(foreign: ForeignSources, which: 'made' | 'all that was sent' = 'made'): Source[] {
    return [...this.#sources.values()].filter(
      ({ subscription_id, type, made }) =>
        (made || which !== 'made') && !foreign.of(subscription_id).has(type) && isName(type),
    );
  }
}

/** What may stand in a path without meaning another place. */
function isName(type: string): boolean {
  return /^\w[\w.-]{0,127}$/.test(type);
}
