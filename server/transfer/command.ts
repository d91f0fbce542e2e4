/**
 * `edge-server export`, `import` and `salvage`: all data out of a store, into one, and out of a
 * damaged folder.
 */
import { constants, createReadStream, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ConfigError, type Environment, given, parseFlags, readSettings } from '../config.ts';
import { packageFolder, readContract } from '../contract.ts';
import { readFolder } from '../store/lowdb/load.ts';
import { salvageFolder } from '../store/lowdb/salvage.ts';
import { createMemoryStore } from '../store/memory.ts';
import { openStore, type StoreSettings } from '../store/open.ts';
import type { CollectionName, Store, StoreEvents } from '../store/store.ts';
import { recordCheck } from './check-record.ts';
import {
  CannotTransfer,
  exportLines,
  type ExportTarget,
  importLines,
  linesOf,
  noProgress,
  openExportFile,
} from './records.ts';

export type TransferCommand = 'export' | 'import' | 'salvage';

export type TransferIo = { stdin: Readable; stdout: Writable; stderr: Writable };

/** @throws ConfigError, CannotOpenStore, CannotTransfer, StoreUnavailable */
export async function transfer(
  command: TransferCommand,
  argv: string[],
  env: Environment,
  io: TransferIo,
) {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean' } as const;
  const flags = parseFlags(argv, {
    'data-dir': text,
    'database-url': text,
    file: text,
    resume: yes,
    help: yes,
  });
  if (flags.help) {
    io.stdout.write(readFileSync(join(packageFolder(), 'server/transfer/help.txt'), 'utf8'));
    return;
  }
  if (
    given('dataDir', flags, env) === undefined &&
    given('databaseUrl', flags, env) === undefined
  ) {
    const places = command === 'salvage' ? '--data-dir' : '--data-dir or --database-url';
    throw new ConfigError(`${command} needs ${places} (see edge-server ${command} --help)`);
  }
  const settings = readSettings(['dataDir', 'databaseUrl', 'databaseConnections'], flags, env);
  if (command === 'export') {
    await runExport(settings, flags, io);
  } else if (command === 'import') {
    await runImport(settings, flags, io);
  } else {
    await runSalvage(settings, io);
  }
}

type Options = { file?: string | undefined; resume?: boolean | undefined };

async function runExport(
  settings: StoreSettings,
  { file, resume = false }: Options,
  io: TransferIo,
): Promise<void> {
  if (resume && file === undefined) {
    throw new ConfigError('export --resume needs --file');
  }
  const damaged: string[] = [];
  const refused: string[] = [];
  const check = recordCheck(readContract());
  const seen = (collection: CollectionName, record: { id: string }) => {
    const reason = check(collection, record);
    if (reason !== undefined) {
      refused.push(`${collection}/${record.id}: ${reason}`);
    }
  };
  const store = await openToRead(settings, eventsFor(io, damaged));
  let target: ExportTarget | undefined;
  try {
    target = file === undefined ? standardOutput(io) : await openExportFile(file, resume);
    const { progress } = target;
    if (progress.complete) {
      return say(io, `${file} is complete already`);
    }
    const done = () => progress.counts.edges + progress.counts.subscriptions;
    const before = done();
    for await (const line of exportLines(store, progress, seen)) {
      await target.write(line);
    }
    say(io, `exported ${done() - before} records`);
  } finally {
    await target?.close();
    await store.close();
  }
  reportProblems(damaged, refused);
}

/** @throws CannotTransfer unless the export has every record, and an import accepts it */
function reportProblems(damaged: readonly string[], refused: readonly string[]): void {
  const problems: string[] = [];
  if (damaged.length > 0) {
    problems.push(`${damaged.length} damaged records are not in the export: ${damaged.join('; ')}`);
  }
  if (refused.length > 0) {
    const names = refused.join('; ');
    problems.push(
      `an import refuses ${refused.length} records of this export, which break the rules of ` +
        `this version; change or delete them: ${names}`,
    );
  }
  if (problems.length > 0) {
    throw new CannotTransfer(problems.join('. '));
  }
}

/**
 * The state of a folder at one moment: a server may hold it.
 * @throws ConfigError if there is none
 */
async function openToRead(settings: StoreSettings, events: StoreEvents): Promise<Store> {
  if (settings.databaseUrl !== undefined) {
    return openStore(settings, events);
  }
  const data = await readFolder(settings.dataDir);
  if (data === undefined) {
    throw new ConfigError(`--data-dir ${settings.dataDir} has no data of this server`);
  }
  return createMemoryStore(data, (error) => events.damaged(error));
}

/** Waits if the reader is slower than the store. */
function standardOutput({ stdout }: TransferIo): ExportTarget {
  // Each write reports it, too.
  const ignore = () => undefined;
  stdout.on('error', ignore);
  return {
    progress: noProgress(),
    write: (line) =>
      new Promise((resolve, reject) => {
        stdout.write(line, (error) => {
          if (error) {
            return reject(new CannotTransfer('standard output was closed'));
          }
          return resolve();
        });
      }),
    close: async () => void stdout.off('error', ignore),
  };
}

async function runImport(
  settings: StoreSettings,
  { file, resume = false }: Options,
  io: TransferIo,
): Promise<void> {
  const cannotRead = ({ code }: NodeJS.ErrnoException): never => {
    throw new CannotTransfer(`${file} cannot be read (${code})`);
  };
  if (file !== undefined) {
    await access(file, constants.R_OK).catch(cannotRead);
  }
  const store = await openStore(settings, eventsFor(io, []));
  const input: Readable = file === undefined ? io.stdin : createReadStream(file);
  try {
    const check = recordCheck(readContract());
    const { written, same } = await importLines(store, linesOf(input), { resume, check });
    say(io, `imported ${written} records${same > 0 ? `; ${same} existed already` : ''}`);
  } finally {
    await store.close();
  }
}

async function runSalvage({ databaseUrl, dataDir }: StoreSettings, io: TransferIo): Promise<void> {
  if (databaseUrl !== undefined) {
    throw new ConfigError('salvage works on a data folder only: use --data-dir');
  }
  const { before, records, damaged, older, unreadable } = await salvageFolder(dataDir);
  for (const { file, offset, bytes } of unreadable) {
    say(io, `${file}: ${bytes} bytes at byte ${offset} cannot be read`);
  }
  for (const one of older) {
    say(io, `${one} is damaged: it is kept as it was before its last change`);
  }
  for (const one of damaged) {
    say(io, `${one} is damaged: requests for it get 500 until it is written again`);
  }
  say(io, `kept ${records} records; the files before are in ${before}`);
  if (unreadable.length > 0) {
    say(io, 'of the records in what cannot be read, an older state is kept, or none');
  }
}

const eventsFor = (io: TransferIo, damaged: string[]): StoreEvents => ({
  damaged: ({ message }) => damaged.push(message),
  warning: (message) => say(io, message),
});

/** For people: standard output may carry the export. */
function say({ stderr }: TransferIo, text: string): void {
  stderr.write(`${text}\n`);
}
