/**
 * The server from its settings to its end: store -> application -> port, until a signal stops it.
 */
import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { readContract } from './contract.ts';
import { renderDocs, type Rendering } from './docs-command.ts';
import { expressClasses } from './http/express-classes.ts';
import { hostName, isLoopback } from './http/request/host.ts';
import { EVERY_ORIGIN } from './http/security/browsers.ts';
import type { Tokens } from './http/security/tokens.ts';
import { createIds, newestId } from './ids.ts';
import { listen } from './listen.ts';
import { type LogStream, openLog } from './log.ts';
import type { Metrics } from './metrics.ts';
import { eventsIn, openStore, placeOf } from './store/open.ts';
import type { Store } from './store/store.ts';
import { loadSeed, readSeed } from './test-endpoints/seed.ts';
import { openTokens } from './token-file.ts';

/** The parts of its process that the server uses. */
export interface ServerIo {
  /** Carries the log. */
  stdout: LogStream;
  stderr: Writable;
  /**
   * Emits SIGTERM and SIGINT. The server listens for them while it serves; without a listener, a
   * process ends at once.
   */
  signals: EventEmitter;
}

/** How long requests in flight may take to finish after a signal. */
const GRACE_MS = 10_000;

/**
 * @param open a test replaces it, to have a store with other settings or with an error
 * @throws ConfigError, ContractError, SeedError, CannotOpenStore, and errors of `listen`; all is
 * closed then
 */
export async function runServer(config: Config, io: ServerIo, open = openStore): Promise<void> {
  const log = openLog(config.logLevel, io.stdout);
  warn(config, log);
  const { tokens, stop } = openTokens(config, log);
  try {
    await new Server(config, io, { log, tokens, open }).run();
  } finally {
    stop();
  }
  log.info('stopped');
}

interface ServerParts {
  log: Logger;
  tokens: Tokens | undefined;
  open: typeof openStore;
}

class Server {
  readonly #config: Config;
  readonly #io: ServerIo;
  readonly #log: Logger;
  readonly #tokens: Tokens | undefined;
  readonly #open: typeof openStore;
  readonly #contract = readContract();
  #rendering: Rendering | undefined;

  constructor(config: Config, io: ServerIo, { log, tokens, open }: ServerParts) {
    this.#config = config;
    this.#io = io;
    this.#log = log;
    this.#tokens = tokens;
    this.#open = open;
  }

  async run(): Promise<void> {
    const seed = await this.#readSeed();
    const metrics = await this.#createMetrics();
    const store = await this.#open(this.#config, eventsIn(this.#log, metrics?.flushed));
    try {
      const loadMissing = async () => {
        if (seed !== undefined) {
          const added = await loadSeed(store, seed);
          this.#log.info(added, 'loaded the records of the seed file that were missing');
        }
      };
      await loadMissing();
      await this.#serve(store, metrics, loadMissing);
    } finally {
      await store.close();
    }
  }

  /** Loaded only if they are used. */
  async #createMetrics(): Promise<Metrics | undefined> {
    const { metrics, databaseUrl, dataDir } = this.#config;
    if (!metrics) {
      return undefined;
    }
    const { createMetrics } = await import('./metrics.ts');
    return createMetrics(databaseUrl === undefined ? dataDir : undefined);
  }

  async #readSeed() {
    const { seedFile } = this.#config;
    if (seedFile === undefined) {
      return undefined;
    }
    return await readSeed(seedFile, this.#contract);
  }

  /** Until a signal. */
  async #serve(
    store: Store,
    metrics: Metrics | undefined,
    loadMissing: () => Promise<void>,
  ): Promise<void> {
    const { docsCommand, port, host } = this.#config;
    const app = await createApp({
      ...this.#config,
      contract: this.#contract,
      store: metrics?.ofStore(store) ?? store,
      metrics,
      tokens: this.#tokens,
      log: this.#log,
      loadSeed: loadMissing,
      corsOrigins: this.#config.corsOrigin ?? [],
      newId: createIds(await newestId(store.edges)),
      docsReady: async () => this.#rendering?.done,
    });
    const listening = await listen(app, port, host, {
      classes: expressClasses(app),
      connectionsPerAddress: connectionsPerAddress(this.#config),
      onRefused: (refused) => this.#log.warn(refused, 'refused a connection'),
    });
    const stopped = nextSignal(this.#io.signals);
    // Only now: rendering takes seconds, and clients of the API need not wait for it.
    if (docsCommand !== undefined) {
      this.#rendering = renderDocs(docsCommand, this.#log);
    }
    await announce(this.#config, listening.url, this.#io.stderr);
    this.#log.info({ signal: await stopped }, 'stopping');
    this.#rendering?.stop();
    await listening.close(GRACE_MS);
  }
}

/** Connections from proxies are those of many clients. */
function connectionsPerAddress({ trustProxy, connectionsPerAddress: most }: Config) {
  return trustProxy > 0 ? undefined : most;
}

/** The first signal. A second one of the same kind ends a process at once. */
function nextSignal(signals: EventEmitter): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      signals.once(signal, () => resolve(signal));
    }
  });
}

function isOpen({ token, tokenFile }: Config): boolean {
  return token === undefined && tokenFile === undefined;
}

/** Warns of what is allowed, but can harm. */
function warn(config: Config, log: Logger): void {
  const { visibleSecrets, corsOrigin, publicUrl, faults } = config;
  if (visibleSecrets.length > 0) {
    const advice =
      'process listings show secrets in flags: use the environment variables or --token-file';
    log.warn({ flags: visibleSecrets }, advice);
  }
  if (isOpen(config) && corsOrigin?.includes(EVERY_ORIGIN)) {
    log.warn(
      '--cors-origin is * and no token is required: any page that somebody on this machine ' +
        'opens can read and change all data',
    );
  }
  if (isOpen(config) && publicUrl !== undefined && !isOfThisMachine(publicUrl)) {
    log.warn(
      { publicUrl },
      'no token is required: whoever reaches the address of --public-url can read and change all ' +
        'data; set --token-file',
    );
  }
  if (faults) {
    log.warn(
      'faults are on: requests can ask for errors, delays and closed connections with a ' +
        'Prefer header',
    );
  }
}

function isOfThisMachine(publicUrl: string): boolean {
  const name = hostName(new URL(publicUrl).host);
  return name !== undefined && isLoopback(name);
}

/** For people, on stderr: stdout carries the log. */
async function announce(config: Config, url: string, stderr: Writable): Promise<void> {
  const tokens = isOpen(config) ? 'open, no token needed' : 'bearer token needed';
  const lines = [
    `API   ${config.publicUrl ?? url} (${tokens})`,
    `Docs  ${url}/docs`,
    `Data  ${await placeOf(config)}`,
  ];
  if (config.metrics) {
    lines.push(`Metrics at ${url}/metrics`);
  }
  if (config.testToken !== undefined) {
    lines.push(`Tests ${url}/testing/ can remove all data, with the test token`);
  }
  stderr.write(`${lines.join('\n')}\n`);
}
