/** The server within an Express application of others. */
import type { Express } from 'express';
import { type Logger, pino } from 'pino';
import { createApp as createAppOf } from './app.ts';
import { checked, ConfigError } from './config.ts';
import { readContract } from './contract.ts';
import { createTokens } from './http/security/tokens.ts';
import { createIds, newestId } from './ids.ts';
import { createMemoryStore } from './store/memory.ts';
import { eventsIn, openStore } from './store/open.ts';

/** All are optional. */
export interface AppOptions {
  /** The folder that keeps the data, made if it is missing. Without it and `databaseUrl`, they are in memory. */
  dataDir?: string;
  /** A PostgreSQL database that keeps the data, in place of a folder. */
  databaseUrl?: string;
  /**
   * Bearer tokens, one of which each request needs. If omitted, the API is open, for requests to a loopback host alone.
   */
  tokens?: readonly { text: string; readOnly?: boolean }[];
  /**
   * Where clients reach the API, without a slash at the end: URIs begin with it. If omitted: the host of each request.
   */
  publicUrl?: string;
  /** Origins whose pages may call the API, such as `https://app.example.com`, or `*` alone; if omitted: none. */
  corsOrigins?: readonly string[];
  /** Requests a minute that one client may send: a valid token, or else an address; if omitted: any number. */
  rateLimit?: number;
  /**
   * Proxies in front that are trusted to report the address of the client; 0 if omitted. The setting `trust proxy` of
   * the application that mounts this one has no effect here.
   */
  trustProxy?: number;
  /** Responds with errors, late or not at all where a `Prefer` header asks for it; false if omitted. */
  faults?: boolean;
  /** Validates each response, too, for development; false if omitted. */
  validateResponses?: boolean;
  /** Gets a line for each request; if omitted, there is no log. */
  log?: Logger;
  /** Adds routes and error handlers, behind those of the API and before its 404. They need a token, too. */
  extend?: (app: Express) => void;
}

/** An Express application, to be mounted or listened to. */
export interface EdgeApp extends Express, AsyncDisposable {
  /** Ends the use of the store, after the last request. */
  close(): Promise<void>;
}

/**
 * @throws ConfigError for an option with an invalid value
 * @throws CannotOpenStore when the folder or database cannot be used
 */
export async function createApp(options: AppOptions = {}): Promise<EdgeApp> {
  const { tokens, log = pino({ level: 'silent' }), validateResponses = false } = options;
  const dataDir = checked('dataDir', 'dataDir', options.dataDir) ?? '';
  const databaseUrl = checked('databaseUrl', 'databaseUrl', options.databaseUrl);
  if (dataDir && databaseUrl) throw new ConfigError('dataDir and databaseUrl cannot be set together');
  const known = tokens?.map(({ text, readOnly = false }) => ({ text: checked('token', 'tokens', text)!, readOnly }));
  const inMemory = dataDir === '' && databaseUrl === undefined;
  const settings = { dataDir, databaseUrl, databaseConnections: 10 };
  const store = inMemory ? createMemoryStore() : await openStore(settings, eventsIn(log));
  const app = await createAppOf({
    ...options,
    ...{ contract: readContract(), store, log },
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
