/** `edge-server export` and `edge-server import`: all data from one store into another, through a file or a pipe. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ConfigError, given, readStoreSettings } from '../config.ts';
import { openStore, type StoreSettings } from '../store/open.ts';
import type { Trouble } from '../store/store.ts';
import { CannotTransfer } from './cannot-transfer.ts';
import { exportLines } from './export.ts';
import { openExportFile } from './file.ts';
import { importLines } from './import.ts';
import { linesOf } from './lines.ts';
import { startBar } from './progress.ts';

export const HELP = `edge-server export: write all edges and event sources as lines of JSON
edge-server import: read them into an empty store

Usage: edge-server export (--data-dir DIR | --database-url URL) [--file FILE] [--resume]
       edge-server import (--data-dir DIR | --database-url URL) [--file FILE] [--resume]

  --data-dir DIR       a data folder that no server is using (environment: DATA_DIR)
  --database-url URL   a PostgreSQL database (environment: DATABASE_URL)
  --file FILE          the export; left out: standard output, or input
  --resume             go on where the export into this file, or the import into this store, broke off
  --help               print this

From one store into the other at once:

  edge-server export --data-dir ./data | edge-server import --database-url postgres://…

Nothing is overwritten: export makes its file new, import needs an empty store. With --resume, import passes over records
that are there and the same, and stops at one that differs. An export holds secrets; its file is for its owner alone.
The exit code is 0 when every record was moved, else 1.
`;

/** @throws ConfigError, CannotOpenStore, CannotTransfer, StoreUnavailable */
export async function transfer(
  command: 'export' | 'import',
  argv: string[],
  env: Record<string, string | undefined>,
): Promise<void> {
  const flags = readFlags(argv);
  if (flags.help) {
    process.stdout.write(HELP);
    return;
  }
  if (given('data-dir', flags, env) === undefined && given('database-url', flags, env) === undefined) {
    throw new ConfigError(`${command} needs --data-dir or --database-url (see edge-server ${command} --help)`);
  }
  const settings = readStoreSettings(flags, env);
  const options = { file: flags.file, resume: flags.resume ?? false };
  if (command === 'export') await runExport(settings, options);
  else await runImport(settings, options);
}

interface Options {
  file: string | undefined;
  resume: boolean;
}

function readFlags(argv: string[]) {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: argv,
      options: { 'data-dir': text, 'database-url': text, file: text, resume: yes, help: yes },
    }).values;
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split(/\.\s/)[0]} (see --help)`);
  }
}

async function runExport(settings: StoreSettings, { file, resume }: Options): Promise<void> {
  // Told by each write already.
  process.stdout.on('error', () => undefined);
  if (resume && file === undefined) throw new ConfigError('export --resume needs --file');
  // Opening would make an empty one, and an export of nothing would look like success.
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, 'store.json'))) {
    throw new ConfigError(`--data-dir ${settings.dataDir} holds no data of this server`);
  }
  const damaged: string[] = [];
  const store = await openStore(settings, troubleWith(damaged));
  try {
    const target = file === undefined ? undefined : await openExportFile(file, resume);
    if (target?.complete) {
      say(`${file} is complete already`);
      return;
    }
    const total = (await store.edges.count()) + (await store.subscriptions.count());
    const bar = startBar(process.stderr, 'records', total);
    const counts = target?.progress?.counts;
    let done = (counts?.edges ?? 0) + (counts?.subscriptions ?? 0);
    const before = done;
    for await (const line of exportLines(store, target?.progress)) {
      if (target) await target.handle.appendFile(line);
      else await writeOut(line);
      bar.at((done += 1));
    }
    await target?.handle.sync();
    await target?.handle.close();
    bar.end();
    // The head (of a new export) and the end are no records.
    say(`exported ${done - before - (target?.progress ? 1 : 2)} records`);
  } finally {
    await store.close();
  }
  if (damaged.length > 0)
    throw new CannotTransfer(`${damaged.length} damaged records are not in the export: ${damaged.join('; ')}`);
}

async function runImport(settings: StoreSettings, { file, resume }: Options): Promise<void> {
  const input: Readable = file === undefined ? process.stdin : createReadStream(file);
  const total = file === undefined ? undefined : sizeOf(file);
  const store = await openStore(settings, troubleWith([]));
  try {
    const bar = startBar(process.stderr, 'bytes', total);
    let bytes = 0;
    const { written, same } = await importLines(store, linesOf(input.setEncoding('utf8')), {
      resume,
      onLine: (size) => bar.at((bytes += size)),
    });
    bar.end();
    say(`imported ${written} records${same > 0 ? `; ${same} were there already` : ''}`);
  } finally {
    await store.close();
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    throw new CannotTransfer(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Waits where the reader is slower than the store. */
async function writeOut(line: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(line, (error) =>
      error ? reject(new CannotTransfer('standard output was closed')) : resolve(),
    );
  });
}

function troubleWith(damaged: string[]): Trouble {
  return { damaged: ({ message }) => damaged.push(message), disconnected: () => undefined };
}

/** For people: standard output may carry the export. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
