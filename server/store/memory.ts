/**
 * A store that keeps nothing beyond the process: for tests and measurements.
 *
 * Records are frozen, so that one object can be kept and given out: copies would cost more than all else that it does.
 */
import { IdWindow } from './id-window.ts';
import type { Collection, Store } from './store.ts';

export function createMemoryStore(): Store {
  return {
    edges: collection(),
    subscriptions: collection(),
    check: async () => undefined,
    close: async () => undefined,
  };
}

function collection<T>(): Collection<T> {
  const records = new Map<string, T>();
  // All ids, in order.
  const ids = new IdWindow([], undefined, undefined);
  return {
    get: async (id) => records.get(id),
    list: async ({ limit, before }) => {
      const found: T[] = [];
      for (let id = ids.findBelow(before); id && found.length < limit; id = ids.findBelow(id))
        found.push(records.get(id)!);
      return found;
    },
    count: async () => records.size,
    update: async (id, change) => {
      const next = change(records.get(id)) ?? undefined;
      if (next === undefined) {
        records.delete(id);
        ids.remove(id);
      } else {
        records.set(id, deepFreeze(next));
        ids.add(id, Infinity);
      }
      return next;
    },
  };
}

/** What is frozen already was frozen whole. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
