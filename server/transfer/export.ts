/** Reads all records of a store, as lines. */
import type { CollectionName, Page, Store } from '../store/store.ts';
import { COLLECTIONS, type Counts, endLine, headLine, recordLine } from './lines.ts';

const PAGE = 500;

/** Where an export that was cut off goes on. */
export interface Progress {
  counts: Counts;
  /** The last record that was written; undefined before the first. */
  last: { collection: CollectionName; id: string } | undefined;
}

export function noProgress(): Progress {
  return { counts: { edges: 0, subscriptions: 0 }, last: undefined };
}

/**
 * Not a snapshot: what is made or changed meanwhile may be in it or not. Records that are damaged are omitted and
 * reported to the store's `StoreEvents`.
 * @param from undefined: from the beginning. Its counts are kept up to date
 * @throws StoreUnavailable
 */
export async function* exportLines(store: Store, from: Progress | undefined): AsyncGenerator<string> {
  const progress = from ?? noProgress();
  if (from === undefined) yield headLine();
  const start = progress.last === undefined ? 0 : COLLECTIONS.indexOf(progress.last.collection);
  for (const collection of COLLECTIONS.slice(start)) {
    let before = progress.last?.collection === collection ? progress.last.id : undefined;
    for (;;) {
      const { records, next }: Page<{ id: string }> = await store[collection].list({ limit: PAGE, before });
      for (const record of records) {
        progress.counts[collection] += 1;
        progress.last = { collection, id: record.id };
        yield recordLine(collection, record);
      }
      if (next === undefined) break;
      before = next;
    }
  }
  yield endLine(progress.counts);
}
