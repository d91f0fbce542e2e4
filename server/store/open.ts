/** The store that the settings ask for. */
import { resolve } from 'node:path';
import type { Logger } from 'pino';
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
  const { dataDir, databaseUrl, databaseConnections } = settings;
  if (databaseUrl === undefined) {
    return openLowdbStore(dataDir, events);
  }
  // Loaded only if it is used.
  const { openPostgresStore } = await import('./postgres/open.ts');
  return openPostgresStore(databaseUrl, databaseConnections, events);
}

/** The place of the data, for people: without a secret. */
export async function placeOf({ dataDir, databaseUrl }: StoreSettings): Promise<string> {
  if (databaseUrl === undefined) {
    return resolve(dataDir);
  }
  return (await import('./postgres/open.ts')).placeOf(databaseUrl);
}

export function eventsIn(log: Logger, flushed?: StoreEvents['flushed']): StoreEvents {
  return {
    flushed,
    damaged: (error) => log.error({ err: error }, 'a damaged record was omitted from a list'),
    warning: (message) => log.warn(message),
  };
}
