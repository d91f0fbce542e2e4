/** The server within an Express application of others. */
import type { Express } from 'express';
import { pino } from 'pino';
import { type AppOptions as InnerOptions, createApp as createAppOf } from './app.ts';
import { checked, ConfigError } from './config.ts';
import { readContract } from './contract.ts';
import { createTokens } from './http/security/tokens.ts';
import { createIds, newestId } from './ids.ts';
import { createMemoryStore } from './store/memory.ts';
import { eventsIn, openStore } from './store/open.ts';

type Shared =
  | 'publicUrl'
  | 'corsOrigins'
  | 'rateLimit'
  | 'trustProxy'
  | 'faults'
  | 'validateResponses';

/** All are optional. If `log` is omitted, there is no log; `tokens`, and the API is open, for requests to a loopback host. */
export interface AppOptions extends Partial<Pick<InnerOptions, Shared | 'log' | 'extend'>> {
  /** The folder that keeps the data, made if it is missing. Without it and `databaseUrl`, they are in memory. */
  dataDir?: string;
  /** A PostgreSQL database that keeps the data, in place of a folder. */
  databaseUrl?: string;
  /** Bearer tokens, one of which each request needs. */
  tokens?: readonly { text: string; readOnly?: boolean }[];
}

/** An Express application, to be mounted or listened to. */
export interface EdgeApp extends Express, AsyncDisposable {
  /** Ends the use of the store, after the last request. */
  close(): Promise<void>;
}

/** @throws ConfigError for an invalid option, CannotOpenStore when the folder or database cannot be used */
export async function createApp(options: AppOptions = {}): Promise<EdgeApp> {
  const { tokens, log = pino({ level: 'silent' }), validateResponses = false } = options;
  const dataDir = checked('dataDir', 'dataDir', options.dataDir) ?? '';
  const databaseUrl = checked('databaseUrl', 'databaseUrl', options.databaseUrl);
  if (dataDir && databaseUrl) {
    throw new ConfigError('dataDir and databaseUrl cannot be set together');
  }
  const known = tokens?.map(({ text, readOnly = false }) => ({
    text: checked('token', 'tokens', text)!,
    readOnly,
  }));
  const inMemory = dataDir === '' && databaseUrl === undefined;
  const settings = { dataDir, databaseUrl, databaseConnections: 10 };
  const store = inMemory ? createMemoryStore() : await openStore(settings, eventsIn(log));
  const app = await createAppOf({
    ...options,
    contract: readContract(),
    store,
    log,
    newId: createIds(await newestId(store.edges)),
    tokens: known && createTokens(known),
    validateResponses,
    publicUrl: checked('publicUrl', 'publicUrl', options.publicUrl),
    corsOrigins: checked('corsOrigin', 'corsOrigins', options.corsOrigins) ?? [],
    rateLimit: checked('rateLimit', 'rateLimit', options.rateLimit),
    trustProxy: checked('trustProxy', 'trustProxy', options.trustProxy) ?? 0,
  });
  const close = () => store.close();
  return Object.assign(app, { close, [Symbol.asyncDispose]: close });
}
