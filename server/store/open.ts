/** The store that the settings ask for. */
import { openLowdbStore } from './lowdb/open.ts';
import type { Store, StoreEvents } from './store.ts';

export interface StoreSettings {
  /** Used when there is no database. */
  dataDir: string;
  databaseUrl: string | undefined;
  databaseConnections: number;
}

/** @throws CannotOpenStore */
export async function openStore(settings: StoreSettings, events: StoreEvents): Promise<Store> {
  const { dataDir, databaseUrl: url, databaseConnections: connections } = settings;
  if (url === undefined) return openLowdbStore(dataDir, events);
  // Loaded by those only who use it.
  const { openPostgresStore } = await import('./postgres/open.ts');
  return openPostgresStore({ url, connections }, events);
}
