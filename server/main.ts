#!/usr/bin/env node
/** The process: flags and environment -> store -> application -> port, and signals. */
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type Config, ConfigError, HELP, readConfig } from './config.ts';
import { ContractError, packageFolder, readContract } from './contract.ts';
import { EVERY_ORIGIN } from './http/cors.ts';
import { createTokens, type Tokens } from './http/tokens.ts';
import { createIds, newestId, newRequestId } from './ids.ts';
import { signingKeys } from './saml/signing-key.ts';
import { expressClasses } from './http/express-classes.ts';
import { listen, type Listening } from './listen.ts';
import { openLog } from './log.ts';
import { loadSeed } from './seed/load-seed.ts';
import { readSeed, SeedError } from './seed/seed-file.ts';
import { openStore } from './store/open.ts';
import { placeOf } from './store/postgres/place.ts';
import { CannotOpenStore, StoreUnavailable } from './store/store.ts';
import { followTokenFile, isTooOpen, readTokenFile } from './token-file.ts';
import { CannotTransfer } from './transfer/cannot-transfer.ts';

/** How long requests in flight may take to finish after SIGTERM. */
const GRACE_MS = 10_000;

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'export' || command === 'import' || command === 'salvage') {
    const { transfer } = await import('./transfer/command.ts');
    await transfer(command, rest, process.env);
    return;
  }
  const config = readConfig(process.argv.slice(2), process.env);
  if (config === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const log = openLog(config.logLevel, config.gatherLog);
  warn(config, log);
  const { tokens, stopFollowing } = openTokens(config, log);
  const contract = readContract();
  const clock = () => new Date();
  const signing = signingKeys(clock);
  const seed =
    config.seedFile === undefined
      ? undefined
      : await readSeed(config.seedFile, { contract, clock, createSigningKey: signing });
  const store = await openStore(config, {
    damaged: (error) => log.error({ err: error }, 'a damaged record was left out of a list'),
    disconnected: (reason) => log.warn({ reason }, 'a connection to the database was lost'),
    warning: (message) => log.warn(message),
  });
  const seeded = async () => {
    if (seed) log.info(await loadSeed(store, seed), 'loaded what was missing of the seed file');
  };
  await seeded();
  const newId = createIds(await newestId(store.edges));
  const app = await createApp({
    ...config,
    contract,
    store,
    tokens,
    log,
    clock,
    newId,
    createSigningKey: signing,
    loadSeed: seeded,
    docsFile: join(packageFolder(), 'docs', 'index.html'),
    warmUp: !config.validateResponses,
  });
  const listening = await listen(app, config.port, config.host, {
    classes: expressClasses(app),
    newRequestId,
    onUnreadable: (line) => log.warn(line, 'no request could be read'),
  });
  announce(config, listening.url);
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping');
    stopFollowing();
    void shutDown(listening, store).then(() => log.info('stopped'));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** What is allowed, but better not left as it is. */
function warn(config: Config, log: Logger): void {
  const { visibleSecrets, corsOrigins, token, tokenFile, faults } = config;
  if (visibleSecrets.length > 0) {
    log.warn(
      { flags: visibleSecrets },
      'process listings show secrets that are given by flags: better use the variables, or --token-file',
    );
  }
  if (tokenFile !== undefined && isTooOpen(tokenFile)) {
    log.warn({ file: tokenFile }, 'others on this machine can read or change the token file: chmod 640 or 600');
  }
  if (corsOrigins.includes(EVERY_ORIGIN) && token === undefined && tokenFile === undefined) {
    log.warn(
      'any page that somebody on this machine opens can read and change all data: --cors-origin is *, and no token is asked for',
    );
  }
  if (faults)
    log.warn(
      'FAULTS ARE ON: whoever may send requests can ask for errors, delays and cut connections by a Prefer header',
    );
}

/** The tokens that are asked for. A file is read again whenever it changes; one that cannot be used changes nothing. */
function openTokens({ token, tokenFile }: Config, log: Logger): { tokens: Tokens | undefined; stopFollowing(): void } {
  const nothing = () => undefined;
  if (token !== undefined) return { tokens: createTokens([{ text: token, readOnly: false }]), stopFollowing: nothing };
  if (tokenFile === undefined) return { tokens: undefined, stopFollowing: nothing };
  const tokens = createTokens(readTokenFile(tokenFile));
  const { stop } = followTokenFile(tokenFile, {
    changed: (list) => {
      tokens.replace(list);
      log.info(
        { file: tokenFile, tokens: list.length },
        'the token file has changed, and its tokens are those that count now',
      );
    },
    broken: (reason) =>
      log.error({ reason }, 'THE TOKEN FILE HAS CHANGED AND CANNOT BE USED: the tokens before count on'),
  });
  return { tokens, stopFollowing: stop };
}

async function shutDown(listening: Listening, store: { close(): Promise<void> }): Promise<void> {
  await listening.close(GRACE_MS);
  await store.close();
}

/** For people, on stderr: stdout carries the log. */
function announce(config: Config, url: string): void {
  const access =
    config.token === undefined && config.tokenFile === undefined ? 'open, no token needed' : 'bearer token needed';
  const tests =
    config.testToken === undefined ? '' : `Tests ${url}/testing/ can remove all data, with the test token\n`;
  process.stderr.write(
    `API   ${config.publicUrl ?? url} (${access})\nDocs  ${url}/docs\nData  ${placeOfData(config)}\n${tests}`,
  );
}

function placeOfData({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? resolve(dataDir) : placeOf(databaseUrl);
}

/** Errors whose message was written for the person who starts the server. */
function isExplained(error: unknown): boolean {
  return (
    error instanceof ConfigError ||
    error instanceof ContractError ||
    error instanceof CannotOpenStore ||
    error instanceof SeedError ||
    error instanceof CannotTransfer ||
    error instanceof StoreUnavailable
  );
}

function explain(error: unknown): string {
  const { code, port, address, message } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (isExplained(error)) return message;
  if (code === 'EADDRINUSE') return `port ${port} of ${address} is taken`;
  if (code === 'EACCES') return `port ${port} of ${address} needs more rights`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `--host is no address of this machine`;
  return `unexpected: ${message}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`edge-server: ${explain(error).replaceAll('\n', ' ')}\n`);
  process.exit(1);
});
