/** The server within an Express application of others. */
import { join } from 'node:path';
import type { Express } from 'express';
import { type Logger, pino } from 'pino';
import { createApp as createAppOf } from './app.ts';
import { packageFolder, readContract } from './contract.ts';
import { createTokens } from './http/security/tokens.ts';
import { createIds, newestId } from './ids.ts';
import { signingKeys } from './saml.ts';
import { createMemoryStore } from './store/memory.ts';
import { openStore } from './store/open.ts';
import { eventsIn } from './store-events.ts';

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

/** @throws CannotOpenStore when the folder or database cannot be used */
export async function createApp(options: AppOptions = {}): Promise<EdgeApp> {
  const { dataDir = '', databaseUrl, tokens, publicUrl, log = pino({ level: 'silent' }) } = options;
  const clock = () => new Date();
  const inMemory = dataDir === '' && databaseUrl === undefined;
  const settings = { dataDir, databaseUrl, databaseConnections: 10 };
  const store = inMemory ? createMemoryStore() : await openStore(settings, eventsIn(log));
  const app = await createAppOf({
    ...{ contract: readContract(), store, log, clock, publicUrl, createSigningKey: signingKeys(clock) },
    newId: createIds(await newestId(store.edges)),
    tokens: tokens && createTokens(tokens.map(({ text, readOnly = false }) => ({ text, readOnly }))),
    docsFile: join(packageFolder(), 'docs', 'index.html'),
    validateResponses: options.validateResponses ?? false,
    ...(options.extend && { extend: options.extend }),
  });
  const close = () => store.close();
  return Object.assign(app, { close, [Symbol.asyncDispose]: close });
}
