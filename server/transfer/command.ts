/** `edge-server export`, `import` and `salvage`: all data out of a store, into one, and out of a damaged folder. */
import { createReadStream, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ConfigError, given, readStoreSettings } from '../config.ts';
import { readFolder } from '../store/lowdb/load.ts';
import { salvageFolder } from '../store/lowdb/salvage.ts';
import { createMemoryStore } from '../store/memory.ts';
import { openStore, type StoreSettings } from '../store/open.ts';
import type { Store, StoreEvents } from '../store/store.ts';
import { CannotTransfer } from './cannot-transfer.ts';
import { exportLines } from './export.ts';
import { type ExportFile, openExportFile } from './file.ts';
import { importLines } from './import.ts';
import { linesOf } from './lines.ts';
import { startBar } from './progress.ts';

export const HELP = `edge-server export:  write all edges and event sources as lines of JSON
edge-server import:  read them into an empty folder or database
edge-server salvage: repair a data folder in which something cannot be read

Usage: edge-server export (--data-dir DIR | --database-url URL) [--file FILE] [--resume]
       edge-server import (--data-dir DIR | --database-url URL) [--file FILE] [--resume]
       edge-server salvage --data-dir DIR

  --data-dir DIR       a data folder; for import and salvage, one that no server is using (environment: DATA_DIR)
  --database-url URL   a PostgreSQL database (environment: DATABASE_URL)
  --file FILE          file of the export (default: standard output or input)
  --resume             continue an export into this file, or an import, that was interrupted
  --help               print this

From one store to another:

  edge-server export --data-dir ./data | edge-server import --database-url postgres://…

A server can use the data during an export. The export of a data folder is the state at one moment; that of a database has
each record as it is when it is read.

Nothing is overwritten: export creates its file, import needs an empty store. With --resume, import skips records that exist
and are equal, writes damaged ones again, and stops at one that differs. An export has secrets; its file is readable by its
owner only. Salvage first copies the files of the folder into a subfolder.
The exit code is 0 when every record was moved, else 1.
`;

export type TransferCommand = 'export' | 'import' | 'salvage';

export interface Io {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
}

/** @throws ConfigError, CannotOpenStore, CannotTransfer, StoreUnavailable */
export async function transfer(
  command: TransferCommand,
  argv: string[],
  env: Record<string, string | undefined>,
  io: Io,
): Promise<void> {
  const flags = readFlags(argv);
  if (flags.help) {
    io.stdout.write(HELP);
    return;
  }
  if (given('data-dir', flags, env) === undefined && given('database-url', flags, env) === undefined) {
    throw new ConfigError(
      `${command} needs --data-dir${command === 'salvage' ? '' : ' or --database-url'} (see edge-server ${command} --help)`,
    );
  }
  const settings = readStoreSettings(flags, env);
  const options = { file: flags.file, resume: flags.resume ?? false };
  if (command === 'export') await runExport(settings, options, io);
  else if (command === 'import') await runImport(settings, options, io);
  else await runSalvage(settings, io);
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

async function runExport(settings: StoreSettings, { file, resume }: Options, io: Io): Promise<void> {
  // Each write reports it, too.
  const ignore = () => undefined;
  io.stdout.on('error', ignore);
  if (resume && file === undefined) throw new ConfigError('export --resume needs --file');
  const damaged: string[] = [];
  const store = await openToRead(settings, eventsFor(io, damaged));
  let target: ExportFile | undefined;
  try {
    target = file === undefined ? undefined : await openExportFile(file, resume);
    if (target?.complete) {
      say(io, `${file} is complete already`);
      return;
    }
    const total = (await store.edges.count()) + (await store.subscriptions.count());
    const bar = startBar(io.stderr, 'records', total);
    const counts = target?.progress?.counts;
    let done = (counts?.edges ?? 0) + (counts?.subscriptions ?? 0);
    const before = done;
    for await (const line of exportLines(store, target?.progress)) {
      if (target) await target.handle.appendFile(line);
      else await writeOut(io, line);
      bar.at((done += 1));
    }
    await target?.handle.sync();
    bar.end();
    // The head (of a new export) and the end are no records.
    say(io, `exported ${done - before - (target?.progress ? 1 : 2)} records`);
  } finally {
    await target?.handle.close();
    await store.close();
    io.stdout.off('error', ignore);
  }
  if (damaged.length > 0)
    throw new CannotTransfer(`${damaged.length} damaged records are not in the export: ${damaged.join('; ')}`);
}

/** Of a folder, its state at one moment: a server may hold it. @throws ConfigError where there is none */
async function openToRead(settings: StoreSettings, events: StoreEvents): Promise<Store> {
  if (settings.databaseUrl !== undefined) return openStore(settings, events);
  const data = await readFolder(settings.dataDir);
  if (data === undefined) throw new ConfigError(`--data-dir ${settings.dataDir} has no data of this server`);
  return createMemoryStore(data, (error) => events.damaged(error));
}

async function runImport(settings: StoreSettings, { file, resume }: Options, io: Io): Promise<void> {
  const total = file === undefined ? undefined : sizeOf(file);
  const store = await openStore(settings, eventsFor(io, []));
  const input: Readable = file === undefined ? io.stdin : createReadStream(file);
  try {
    const bar = startBar(io.stderr, 'bytes', total);
    let bytes = 0;
    const { written, same } = await importLines(store, linesOf(input.setEncoding('utf8')), {
      resume,
      onLine: (size) => bar.at((bytes += size)),
    });
    bar.end();
    say(io, `imported ${written} records${same > 0 ? `; ${same} were there already` : ''}`);
  } finally {
    await store.close();
  }
}

async function runSalvage({ databaseUrl, dataDir }: StoreSettings, io: Io): Promise<void> {
  if (databaseUrl !== undefined) throw new ConfigError('salvage works on a data folder only: use --data-dir');
  const { before, records, damaged, unreadable } = await salvageFolder(dataDir);
  for (const { file, offset, bytes } of unreadable) say(io, `${file}: ${bytes} bytes at byte ${offset} cannot be read`);
  for (const one of damaged) say(io, `${one} is damaged: it gets 500 until it is written again`);
  say(io, `kept ${records} records; the files before are in ${before}`);
  if (unreadable.length > 0) say(io, 'of the records in what cannot be read, an older state is kept, or none');
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    throw new CannotTransfer(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Waits where the reader is slower than the store. */
async function writeOut({ stdout }: Io, line: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stdout.write(line, (error) => (error ? reject(new CannotTransfer('standard output was closed')) : resolve()));
  });
}

function eventsFor(io: Io, damaged: string[]): StoreEvents {
  return {
    damaged: ({ message }) => damaged.push(message),
    disconnected: () => undefined,
    warning: (message) => say(io, message),
  };
}

/** For people: standard output may carry the export. */
function say({ stderr }: Io, text: string): void {
  stderr.write(`${text}\n`);
}
