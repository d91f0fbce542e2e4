/** A store that keeps nothing beyond the process: for tests, and to look at data before they are kept. */
import type { EdgeRecord } from '../domain/edge.ts';
import type { SubscriptionRecord } from '../domain/subscription.ts';
import { type Commit, RecordCollection } from './record-collection.ts';
import { type Data, noData } from './record-map.ts';
import type { DamagedRecord, Store } from './store.ts';

/** @param damaged is told of records that are omitted of a list */
export function createMemoryStore(data = noData(), damaged: (error: DamagedRecord) => void = () => undefined): Store {
  const { edges, subscriptions } = collectionsOf(
    data,
    async ({ collection, id, text }) => data[collection].set(id, text),
    damaged,
  );
  return { edges, subscriptions, check: async () => undefined, close: async () => undefined };
}

export function collectionsOf(data: Data, commit: Commit, damaged: (error: DamagedRecord) => void) {
  return {
    edges: new RecordCollection<EdgeRecord>('edges', data.edges, commit, damaged),
    subscriptions: new RecordCollection<SubscriptionRecord>('subscriptions', data.subscriptions, commit, damaged),
  };
}
