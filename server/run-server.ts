/** The server from its settings to its end: store -> application -> port, until a signal stops it. */
import type { EventEmitter } from 'node:events';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Io } from './command.ts';
import type { Config } from './config.ts';
import { packageFolder, readContract } from './contract.ts';
import { EVERY_ORIGIN } from './http/security/browsers.ts';
import { createTokens, type Token, type Tokens } from './http/security/tokens.ts';
import { createIds, newestId, newRequestId } from './ids.ts';
import { expressClasses, listen } from './listen.ts';
import { openLog } from './log.ts';
import { renderDocs, type Rendering } from './render-docs.ts';
import { signingKeys } from './saml.ts';
import { loadSeed } from './seed/load-seed.ts';
import { readSeed } from './seed/seed-file.ts';
import { openStore } from './store/open.ts';
import { placeOf } from './store/postgres/place.ts';
import type { Store } from './store/store.ts';
import { followTokenFile, isTooOpen } from './token-file.ts';

/** How long requests in flight may take to finish after a signal. */
const GRACE_MS = 10_000;

/** A shorter token can be guessed. */
const SHORT_TOKEN = 16;

/**
 * Resolves when the server was stopped and everything is closed.
 * @throws ConfigError, ContractError, SeedError, CannotOpenStore, or an Error of `listen`; everything is closed then, too
 */
export async function runServer(config: Config, io: Io): Promise<void> {
  const log = openLog(config.logLevel, io.stdout);
  warn(config, log);
  const { tokens, stop } = openTokens(config, log);
  try {
    await withStore(config, { log, tokens, io });
  } finally {
    stop();
  }
}

interface Around {
  log: Logger;
  tokens: Tokens | undefined;
  io: Io;
}

async function withStore(config: Config, around: Around): Promise<void> {
  const { log } = around;
  const contract = readContract();
  const clock = () => new Date();
  const createSigningKey = signingKeys(clock);
  const seed =
    config.seedFile === undefined ? undefined : await readSeed(config.seedFile, { contract, clock, createSigningKey });
  const store = await openStore(config, {
    damaged: (error) => log.error({ err: error }, 'a damaged record was omitted from a list'),
    disconnected: (reason) => log.warn({ reason }, 'a connection to the database was lost'),
    warning: (message) => log.warn(message),
  });
  try {
    const seeded = async () => {
      if (seed) log.info(await loadSeed(store, seed), 'loaded the records of the seed file that were missing');
    };
    await seeded();
    await serve(config, around, store, { contract, clock, createSigningKey, loadSeed: seeded });
  } finally {
    await store.close();
  }
  log.info('stopped');
}

type Services = Pick<Parameters<typeof createApp>[0], 'contract' | 'clock' | 'createSigningKey' | 'loadSeed'>;

async function serve(config: Config, { log, tokens, io }: Around, store: Store, services: Services): Promise<void> {
  let rendering: Rendering | undefined;
  const app = await createApp({
    ...config,
    ...services,
    store,
    tokens,
    log,
    newId: createIds(await newestId(store.edges)),
    docsFile: join(packageFolder(), 'docs', 'index.html'),
    docsReady: async () => rendering?.done,
  });
  const listening = await listen(app, config.port, config.host, {
    classes: expressClasses(app),
    newRequestId,
    onUnreadable: (line) => log.warn(line, 'the bytes on a connection are not a valid request'),
  });
  const stopped = signalOf(io.signals);
  // Only now: rendering takes seconds, and clients of the API need not wait for them.
  if (config.docsCommand !== undefined) rendering = renderDocs(config.docsCommand, log);
  announce(config, listening.url, io);
  log.info({ signal: await stopped }, 'stopping');
  rendering?.stop();
  await listening.close(GRACE_MS);
}

/** The first signal that asks for the end. A second one of the same kind ends a process at once. */
async function signalOf(signals: EventEmitter): Promise<string> {
  return await new Promise((resolveWith) => {
    for (const signal of ['SIGTERM', 'SIGINT']) signals.once(signal, () => resolveWith(signal));
  });
}

/** What is allowed, but better not left as it is. */
function warn(config: Config, log: Logger): void {
  const { visibleSecrets, corsOrigins, token, tokenFile, testToken, faults } = config;
  if (visibleSecrets.length > 0) {
    log.warn(
      { flags: visibleSecrets },
      'process listings show secrets in flags: use the environment variables or --token-file',
    );
  }
  if (tokenFile !== undefined && isTooOpen(tokenFile)) {
    log.warn({ file: tokenFile }, 'others on this machine can read or change the token file: chmod 640 or 600');
  }
  if (testToken !== undefined) warnOfShortTokens([testToken], 'test-token', log);
  if (corsOrigins.includes(EVERY_ORIGIN) && token === undefined && tokenFile === undefined) {
    log.warn(
      '--cors-origin is * and no token is required: any page that somebody on this machine opens can read and change all data',
    );
  }
  if (faults)
    log.warn('faults are on: requests can ask for errors, delays and closed connections with a Prefer header');
}

function warnOfShortTokens(tokens: readonly string[], setting: string, log: Logger): void {
  const short = tokens.filter((token) => token.length < SHORT_TOKEN).length;
  if (short > 0) {
    log.warn({ setting, short }, `tokens of less than ${SHORT_TOKEN} characters can be guessed: openssl rand -hex 24`);
  }
}

/** The tokens that are asked for. A file is read again whenever it changes; one that cannot be used changes nothing. */
function openTokens(config: Config, log: Logger): { tokens: Tokens | undefined; stop(): void } {
  const { token, tokenFile, testToken } = config;
  const warnOf = (list: readonly Token[], setting: string) =>
    warnOfShortTokens(
      list.map(({ text }) => text),
      setting,
      log,
    );
  if (tokenFile === undefined) {
    const list = token === undefined ? [] : [{ text: token, readOnly: false }];
    warnOf(list, 'token');
    return { tokens: token === undefined ? undefined : createTokens(list), stop: () => undefined };
  }
  const followed = followTokenFile(
    tokenFile,
    { reserved: testToken },
    {
      changed: (list) => {
        warnOf(list, 'token-file');
        tokens.replace(list);
        log.info(
          { file: tokenFile, tokens: list.length },
          'the token file has changed, and its tokens are those that count now',
        );
      },
      broken: (reason) =>
        log.error({ reason }, 'the token file has changed and cannot be used: the previous tokens stay valid'),
    },
  );
  warnOf(followed.tokens, 'token-file');
  const tokens = createTokens(followed.tokens);
  return { tokens, stop: followed.stop };
}

/** For people, on stderr: stdout carries the log. */
function announce(config: Config, url: string, { stderr }: Io): void {
  const access =
    config.token === undefined && config.tokenFile === undefined ? 'open, no token needed' : 'bearer token needed';
  const tests =
    config.testToken === undefined ? '' : `Tests ${url}/testing/ can remove all data, with the test token\n`;
  stderr.write(
    `API   ${config.publicUrl ?? url} (${access})\nDocs  ${url}/docs\nData  ${placeOfData(config)}\n${tests}`,
  );
}

function placeOfData({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? resolve(dataDir) : placeOf(databaseUrl);
}
