/** Puts a seed into a store. */
import { addType, emptySubscription } from '../domain/subscription.ts';
import { DamagedRecord, type Store } from '../store/store.ts';
import type { Seed } from './seed-file.ts';

/**
 * Adds what is missing and changes nothing that is there: an edge with the same id is left as it is, whatever it has
 * become. So each start may load it, and several servers at once. What was removed since comes back at the next start.
 * @returns how many edges and sources were added, and how many records are damaged and were left as they are
 * @throws StoreUnavailable
 */
export async function loadSeed(store: Store, seed: Seed): Promise<{ edges: number; sources: number; damaged: number }> {
  const added = { edges: 0, sources: 0, damaged: 0 };
  /** A damaged record concerns whoever asks for it: it must not stop the start. */
  const unlessDamaged = async (load: () => Promise<void>) => {
    try {
      await load();
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      added.damaged += 1;
    }
  };
  for (const edge of seed.edges) {
    await unlessDamaged(async () => {
      let missing = false;
      await store.edges.update(edge.id, (current) => {
        missing = current === undefined;
        return current ?? edge;
      });
      if (missing) added.edges += 1;
    });
  }
  for (const [id, types] of seed.types) {
    await unlessDamaged(async () => {
      let missing: string[] = [];
      await store.subscriptions.update(id, (current) => {
        missing = [...new Set(types)].filter((type) => !current?.types.includes(type));
        return missing.length === 0 ? current : missing.reduce(addType, current ?? emptySubscription(id));
      });
      added.sources += missing.length;
    });
  }
  return added;
}
