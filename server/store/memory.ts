/** A store that keeps nothing beyond the process: for tests and measurements. */
import type { Collection, Store } from './store.ts';

export function createMemoryStore(): Store {
  return { edges: collection(), subscriptions: collection(), check: async () => undefined, close: async () => undefined };
}

function collection<T>(): Collection<T> {
  const records = new Map<string, T>();
  return {
    get: async (id) => structuredClone(records.get(id)),
    list: async ({ limit, before }) =>
      [...records.keys()]
        .filter((id) => before === undefined || id < before)
        .toSorted()
        .toReversed()
        .slice(0, limit)
        .map((id) => structuredClone(records.get(id)!)),
    count: async () => records.size,
    update: async (id, change) => {
      const current = records.get(id);
      const next = change(structuredClone(current));
      if (next == null) records.delete(id);
      else records.set(id, structuredClone(next));
      return next ?? undefined;
    },
  };
}
