import { createMemoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';

/** A store whose records cannot be read or written: every call fails with the error. */
export function failingStore(error: Error): Store {
  const fail = () => Promise.reject(error);
  const records = { get: fail, list: fail, count: fail, create: fail, update: fail, replace: fail };
  return { ...createMemoryStore(), edges: records, subscriptions: records, check: fail };
}
