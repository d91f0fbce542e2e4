/** The server within an Express application of others. */
import type { Express } from 'express';
import { pino } from 'pino';
import { type AppOptions as InnerOptions, createApp as createAppOf } from './app.ts';
import { checked, ConfigError } from './config.ts';
import { readContract } from './contract.ts';
import { createTokens, type Token, type Tokens } from './http/security/tokens.ts';
import { createIds, newestId } from './ids.ts';
import { createMemoryStore } from './store/memory.ts';
import { eventsIn, openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

/** Options of the application itself, which are passed on. */
type PassedOn =
  | 'publicUrl'
  | 'corsOrigins'
  | 'rateLimit'
  | 'trustProxy'
  | 'faults'
  | 'validateResponses'
  | 'log'
  | 'extend';

/** All are optional. If `log` is omitted, there is no log. */
export interface AppOptions extends Partial<Pick<InnerOptions, PassedOn>> {
  /**
   * The folder that keeps the data, made if it is missing. Without it and `databaseUrl`, they are
   * in memory.
   */
  dataDir?: string;
  /** A PostgreSQL database that keeps the data, in place of a folder. */
  databaseUrl?: string;
  /**
   * Bearer tokens, one of which each request needs. If omitted, the API is open, for requests to a
   * loopback host.
   */
  tokens?: readonly TokenOption[];
}

export interface TokenOption {
  text: string;
  /** It permits no changes; false if omitted. */
  readOnly?: boolean;
}

/** An Express application, to be mounted or listened to. */
export interface EdgeApp extends Express, AsyncDisposable {
  /** Ends the use of the store, after the last request. */
  close(): Promise<void>;
}

/**
 * @throws ConfigError for an invalid option, CannotOpenStore if the folder or database cannot be
 * used, and whatever `extend` throws; nothing stays open then
 */
export async function createApp(options: AppOptions = {}): Promise<EdgeApp> {
  const { log = pino({ level: 'silent' }), validateResponses = false } = options;
  const settings = checkedSettings(options);
  const contract = readContract();
  const store = await storeOf(options, log);
  try {
    const newId = createIds(await newestId(store.edges));
    const services = { contract, store, log, newId, validateResponses };
    const app = await createAppOf({ ...options, ...settings, ...services });
    const close = () => store.close();
    return Object.assign(app, { close, [Symbol.asyncDispose]: close });
  } catch (error) {
    // The error of `close` would hide the cause.
    await store.close().catch(() => undefined);
    throw error;
  }
}

function checkedSettings(options: AppOptions) {
  return {
    tokens: tokensOf(options.tokens),
    publicUrl: checked('publicUrl', 'publicUrl', options.publicUrl),
    corsOrigins: checked('corsOrigin', 'corsOrigins', options.corsOrigins) ?? [],
    rateLimit: checked('rateLimit', 'rateLimit', options.rateLimit),
    trustProxy: checked('trustProxy', 'trustProxy', options.trustProxy) ?? 0,
  };
}

function tokensOf(options: AppOptions['tokens']): Tokens | undefined {
  if (options === undefined) {
    return undefined;
  }
  const tokens: Token[] = [];
  for (const { text, readOnly = false } of options) {
    const valid = checked('token', 'tokens', text);
    if (valid === undefined) {
      throw new ConfigError('tokens must have a text each');
    }
    tokens.push({ text: valid, readOnly });
  }
  return createTokens(tokens);
}

async function storeOf(options: AppOptions, log: InnerOptions['log']): Promise<Store> {
  const dataDir = checked('dataDir', 'dataDir', options.dataDir);
  const databaseUrl = checked('databaseUrl', 'databaseUrl', options.databaseUrl);
  if (dataDir !== undefined && databaseUrl !== undefined) {
    throw new ConfigError('dataDir and databaseUrl cannot be set together');
  }
  if (dataDir === undefined && databaseUrl === undefined) {
    return createMemoryStore();
  }
  const settings = { dataDir: dataDir ?? '', databaseUrl, databaseConnections: 10 };
  return await openStore(settings, eventsIn(log));
}
