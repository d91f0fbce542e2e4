#!/usr/bin/env node
/** The process: flags and environment -> store -> application -> port, and signals. */
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { createApp } from './app.ts';
import { type Config, ConfigError, HELP, readConfig } from './config.ts';
import { ContractError, packageFolder, readContract } from './contract.ts';
import { createIds } from './ids.ts';
import { createSigningKey } from './saml/signing-key.ts';
import { listen, type Listening } from './listen.ts';
import { loadSeed } from './seed/load-seed.ts';
import { readSeed, SeedError } from './seed/seed-file.ts';
import { openStore } from './store/open.ts';
import { placeOf } from './store/postgres/place.ts';
import { CannotOpenStore, StoreUnavailable } from './store/store.ts';
import { CannotTransfer } from './transfer/cannot-transfer.ts';

/** How long requests in flight may take to finish after SIGTERM. */
const GRACE_MS = 10_000;

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'export' || command === 'import') {
    const { transfer } = await import('./transfer/command.ts');
    await transfer(command, rest, process.env);
    return;
  }
  const config = readConfig(process.argv.slice(2), process.env);
  if (config === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const log = pino({ level: config.logLevel });
  const contract = readContract();
  const clock = () => new Date();
  const signing = () => createSigningKey(clock());
  const seed =
    config.seedFile === undefined ? undefined : await readSeed(config.seedFile, { contract, clock, createSigningKey: signing });
  const store = await openStore(config, {
    damaged: (error) => log.error({ err: error }, 'a damaged record was left out of a list'),
    disconnected: (reason) => log.warn({ reason }, 'a connection to the database was lost'),
  });
  const seeded = async () => {
    if (seed) log.info(await loadSeed(store, seed), 'loaded what was missing of the seed file');
  };
  await seeded();
  const newId = createIds();
  const app = await createApp({
    ...config,
    contract,
    store,
    log,
    clock,
    newId,
    createSigningKey: signing,
    loadSeed: seeded,
    docsFile: join(packageFolder(), 'docs', 'index.html'),
  });
  const listening = await listen(app, config.port, config.host, {
    newRequestId: () => newId('req'),
    onUnreadable: (line) => log.warn(line, 'no request could be read'),
  });
  announce(config, listening.url);
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping');
    void shutDown(listening, store).then(() => log.info('stopped'));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function shutDown(listening: Listening, store: { close(): Promise<void> }): Promise<void> {
  await listening.close(GRACE_MS);
  await store.close();
}

/** For people, on stderr: stdout carries the log. */
function announce(config: Config, url: string): void {
  const access = config.token === undefined ? 'open, no token needed' : 'bearer token needed';
  const tests = config.testToken === undefined ? '' : `Tests ${url}/testing/ can remove all data, with the test token\n`;
  process.stderr.write(
    `API   ${config.publicUrl ?? url} (${access})\nDocs  ${url}/docs\nData  ${placeOfData(config)}\n${tests}`,
  );
}

function placeOfData({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? resolve(dataDir) : placeOf(databaseUrl);
}

/** Errors whose message was written for the person who starts the server. */
function isExplained(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof ContractError || error instanceof CannotOpenStore || error instanceof SeedError || error instanceof CannotTransfer || error instanceof StoreUnavailable;
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
