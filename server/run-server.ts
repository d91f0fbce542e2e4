/** The server from its settings to its end: store -> application -> port, until a signal stops it. */
import type { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { destination, type Logger, pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { packageFolder, readContract } from './contract.ts';
import { EVERY_ORIGIN } from './http/security/browsers.ts';
import { createTokens, type Token, type Tokens } from './http/security/tokens.ts';
import { createIds, newestId, newRequestId } from './ids.ts';
import { expressClasses, listen } from './listen.ts';
import { renderDocs, type Rendering } from './render-docs.ts';
import { signingKeys } from './saml.ts';
import { loadSeed, readSeed } from './client-testing/seed.ts';
import { openStore, placeOf } from './store/open.ts';
import { eventsIn } from './store-events.ts';
import { followTokenFile, isTooOpen } from './token-file.ts';

/** The parts of its process that the server uses. */
export interface ServerIo {
  /** Carries the log. A stream of the process has a file descriptor. */
  stdout: Writable & { fd?: number };
  /** For people. */
  stderr: Writable;
  /** Emits SIGTERM and SIGINT. The server listens for them while it serves; without a listener, a process ends at once. */
  signals: EventEmitter;
}

/** How long requests in flight may take to finish after a signal. */
const GRACE_MS = 10_000;

/** A shorter token can be guessed. */
const SHORT_TOKEN = 16;

/** How long a line of the log may wait for others, and how much text of them is written at once. */
const GATHERED_MS = 100;
const GATHERED_LENGTH = 8192;

/**
 * Resolves when the server was stopped and everything is closed.
 * @throws ConfigError, ContractError, SeedError, CannotOpenStore, or an Error of `listen`; everything is closed then, too
 */
export async function runServer(config: Config, io: ServerIo): Promise<void> {
  const log = openLog(config.logLevel, io.stdout);
  warn(config, log);
  const { tokens, stop } = openTokens(config, log);
  try {
    await serve(config, io, { log, tokens });
  } finally {
    stop();
  }
  log.info('stopped');
}

/**
 * The log: lines of JSON. A stream of the process is written to by its file descriptor, several lines at once, which takes a
 * third of the time of a write for each. Whatever ends the process writes them, except for kill -9: it can lose the lines of
 * the last tenth of a second.
 */
function openLog(level: string, out: ServerIo['stdout']): Logger {
  if (out.fd === undefined) return pino({ level }, out);
  const gathered = { dest: out.fd, sync: false, minLength: GATHERED_LENGTH, periodicFlush: GATHERED_MS };
  return pino({ level }, destination(gathered));
}

interface Services {
  log: Logger;
  tokens: Tokens | undefined;
}

async function serve(config: Config, io: ServerIo, { log, tokens }: Services): Promise<void> {
  const contract = readContract();
  const clock = () => new Date();
  const createSigningKey = signingKeys(clock);
  const seed = config.seedFile && (await readSeed(config.seedFile, { contract, clock, createSigningKey }));
  const store = await openStore(config, eventsIn(log));
  try {
    const loadMissing = async () => {
      if (seed) log.info(await loadSeed(store, seed), 'loaded the records of the seed file that were missing');
    };
    await loadMissing();
    let rendering: Rendering | undefined;
    const app = await createApp({
      ...config,
      ...{ contract, clock, createSigningKey, store, tokens, log },
      loadSeed: loadMissing,
      corsOrigins: config.corsOrigin ?? [],
      newId: createIds(await newestId(store.edges)),
      docsFile: join(packageFolder(), 'docs', 'index.html'),
      docsReady: async () => rendering?.done,
    });
    const listening = await listen(app, config.port, config.host, {
      classes: expressClasses(app),
      newRequestId,
      // Connections from proxies are those of many clients.
      connectionsPerAddress: config.trustProxy > 0 ? undefined : config.connectionsPerAddress,
      onRefused: (line) => log.warn(line, 'refused a connection'),
    });
    // The first signal. A second one of the same kind ends a process at once.
    const stopped = new Promise<string>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT']) io.signals.once(signal, () => resolve(signal));
    });
    // Only now: rendering takes seconds, and clients of the API need not wait for it.
    if (config.docsCommand !== undefined) rendering = renderDocs(config.docsCommand, log);
    await announce(config, listening.url, io);
    log.info({ signal: await stopped }, 'stopping');
    rendering?.stop();
    await listening.close(GRACE_MS);
  } finally {
    await store.close();
  }
}

/** Warns of what is allowed, but can harm. */
function warn(config: Config, log: Logger): void {
  const { visibleSecrets, corsOrigin, token, tokenFile, testToken, faults } = config;
  if (visibleSecrets.length > 0) {
    log.warn(
      { flags: visibleSecrets },
      'process listings show secrets in flags: use the environment variables or --token-file',
    );
  }
  if (tokenFile !== undefined && isTooOpen(tokenFile)) {
    log.warn({ file: tokenFile }, 'others on this machine can read or change the token file: chmod 640 or 600');
  }
  if (testToken !== undefined) warnOfShortTokens([{ text: testToken }], 'test-token', log);
  if (corsOrigin?.includes(EVERY_ORIGIN) && token === undefined && tokenFile === undefined) {
    log.warn(
      '--cors-origin is * and no token is required: any page that somebody on this machine opens can read and change all data',
    );
  }
  if (faults)
    log.warn('faults are on: requests can ask for errors, delays and closed connections with a Prefer header');
}

function warnOfShortTokens(tokens: readonly Pick<Token, 'text'>[], setting: string, log: Logger): void {
  const short = tokens.filter(({ text }) => text.length < SHORT_TOKEN).length;
  if (short > 0) {
    log.warn({ setting, short }, `tokens of less than ${SHORT_TOKEN} characters can be guessed: openssl rand -hex 24`);
  }
}

/** The tokens that are required. A file is read again whenever it changes; one that cannot be used changes nothing. */
function openTokens({ token, tokenFile, testToken }: Config, log: Logger): Pick<Services, 'tokens'> & { stop(): void } {
  const create = (list: readonly Token[], setting: string) => {
    warnOfShortTokens(list, setting, log);
    return createTokens(list);
  };
  if (tokenFile === undefined) {
    const tokens = token === undefined ? undefined : create([{ text: token, readOnly: false }], 'token');
    return { tokens, stop: () => undefined };
  }
  const followed = followTokenFile(tokenFile, testToken, {
    changed: (list) => {
      warnOfShortTokens(list, 'token-file', log);
      tokens.replace(list);
      const fields = { file: tokenFile, tokens: list.length };
      log.info(fields, 'the token file has changed, and its tokens are those that count now');
    },
    broken: (reason) =>
      log.error({ reason }, 'the token file has changed and cannot be used: the previous tokens stay valid'),
  });
  const tokens = create(followed.tokens, 'token-file');
  return { tokens, stop: followed.stop };
}

/** For people, on stderr: stdout carries the log. */
async function announce(config: Config, url: string, { stderr }: ServerIo): Promise<void> {
  const isOpen = config.token === undefined && config.tokenFile === undefined;
  const access = isOpen ? 'open, no token needed' : 'bearer token needed';
  const lines = [
    `API   ${config.publicUrl ?? url} (${access})`,
    `Docs  ${url}/docs`,
    `Data  ${await placeOf(config)}`,
    ...(config.testToken === undefined ? [] : [`Tests ${url}/testing/ can remove all data, with the test token`]),
  ];
  stderr.write(`${lines.join('\n')}\n`);
}
