/**
 * All data as lines of JSON, as they are kept, with secrets: a head, records, and an end that
 * counts them.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dropPrivateKeys, jsonOf } from '../store/record-text.ts';
import {
  type Collection,
  type CollectionName,
  COLLECTIONS,
  DamagedRecord,
  pagesOf,
  type Store,
} from '../store/store.ts';

/** An export or import that cannot go on; the message is one line for the person who started it. */
export class CannotTransfer extends Error {
  override name = 'CannotTransfer';
}

type Counts = Record<CollectionName, number>;

type Line =
  | { kind: 'head' }
  | { kind: 'record'; collection: CollectionName; record: { id: string } }
  | { kind: 'end'; counts: Counts };

const HEAD = { format: 'edge-contract-export', version: 1 };

/**
 * @param number from 1, for the message, which never quotes the line: it may hold a secret
 * @throws CannotTransfer
 */
function readLine(text: string, number: number): Line {
  const value = jsonOf(text) as Record<string, unknown> | null | undefined;
  if (number === 1) {
    if (value?.['format'] !== HEAD.format) {
      throw new CannotTransfer('line 1: this is not an export of edge-server');
    }
    if (value['version'] !== HEAD.version) {
      throw new CannotTransfer('line 1: another version of edge-server wrote this export');
    }
    return { kind: 'head' };
  }
  const counts = value?.['end'] as Counts | null | undefined;
  if (counts && COLLECTIONS.every((name) => Number.isInteger(counts[name]))) {
    return { kind: 'end', counts };
  }
  const collection = COLLECTIONS.find((name) => name === value?.['collection']);
  const record = value?.['record'] as { id: string } | null | undefined;
  if (
    collection === undefined ||
    typeof record?.id !== 'string' ||
    !/^[A-Za-z0-9_-]{1,64}$/.test(record.id)
  ) {
    throw new CannotTransfer(`line ${number}: this is not a record of an export`);
  }
  dropPrivateKeys(record);
  return { kind: 'record', collection, record };
}

/**
 * With their line feeds, except for one that was cut off. Not `readline`, which ends lines at
 * U+2028, too.
 */
export async function* linesOf(
  input: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split(/(?<=\n)/);
    rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

const PAGE = 500;

export interface Progress {
  /** The head is written. */
  begun: boolean;
  counts: Counts;
  /** The last record that was written; undefined before the first. */
  last: { collection: CollectionName; id: string } | undefined;
  /** The end is written, too. */
  complete: boolean;
}

export function noProgress(): Progress {
  return { begun: false, counts: { edges: 0, subscriptions: 0 }, last: undefined, complete: false };
}

/**
 * Not a snapshot. The store reports damaged records.
 * @param progress is kept up to date
 * @throws StoreUnavailable
 */
export async function* exportLines(store: Store, progress = noProgress()): AsyncGenerator<string> {
  if (!progress.begun) {
    yield lineOf(HEAD);
  }
  const start = progress.last === undefined ? 0 : COLLECTIONS.indexOf(progress.last.collection);
  for (const collection of COLLECTIONS.slice(start)) {
    const before = progress.last?.collection === collection ? progress.last.id : undefined;
    for await (const records of pagesOf<{ id: string }>(store[collection], PAGE, before)) {
      for (const record of records) {
        progress.counts[collection] += 1;
        progress.last = { collection, id: record.id };
        yield lineOf({ collection, record });
      }
    }
  }
  yield lineOf({ end: progress.counts });
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

export interface ExportTarget {
  progress: Progress;
  /** @throws CannotTransfer, and errors of the file system */
  write(line: string): Promise<void>;
  close(): Promise<void>;
}

/** A new file, or with `resume` one that an export has begun. @throws CannotTransfer */
export async function openExportFile(path: string, resume: boolean): Promise<ExportTarget> {
  try {
    if (!resume) {
      return targetOf(await open(path, 'wx', 0o600));
    }
    const there = await open(path, 'r+');
    const progress = await readProgress(there).finally(() => there.close());
    // To append after the lines that exist.
    return targetOf(await open(path, 'a'), progress);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CannotTransfer(
        `${path} exists, and an export overwrites nothing; to go on with it, add --resume`,
      );
    }
    if (code === undefined) {
      throw error;
    }
    throw new CannotTransfer(`${path} cannot be ${resume ? 'continued' : 'made'} (${code})`);
  }
}

function targetOf(handle: FileHandle, progress = noProgress()): ExportTarget {
  const close = () => handle.sync().finally(() => handle.close());
  return { progress, write: (line) => handle.appendFile(line), close };
}

/** Reads the lines of a file, and cuts off a last one that is not whole. */
async function readProgress(handle: FileHandle): Promise<Progress> {
  const progress = noProgress();
  let bytes = 0;
  let number = 0;
  for await (const text of linesOf(
    handle.createReadStream({ encoding: 'utf8', autoClose: false, start: 0 }),
  )) {
    if (!text.endsWith('\n')) {
      break;
    }
    number += 1;
    bytes += Buffer.byteLength(text);
    const line = readLine(text, number);
    progress.begun = true;
    if (line.kind === 'end') {
      return { ...progress, complete: true };
    }
    if (line.kind === 'record') {
      progress.counts[line.collection] += 1;
      progress.last = { collection: line.collection, id: line.record.id };
    }
  }
  await handle.truncate(bytes);
  return progress;
}

/** Records that are written at once: most of the time is spent on waiting for the disk. */
const AT_ONCE = 32;

/** How many records were written, and how many existed already and are equal. */
type Imported = { written: number; same: number };

/**
 * Overwrites nothing but damaged records.
 * @param lines one without a line feed is cut off
 * @throws CannotTransfer
 */
export async function importLines(
  store: Store,
  lines: AsyncIterable<string>,
  options: { resume: boolean },
) {
  if (!options.resume && (await store.edges.count()) + (await store.subscriptions.count()) > 0) {
    const advice = 'to go on with one that broke off, add --resume';
    throw new CannotTransfer(`the store is not empty, and an import overwrites nothing; ${advice}`);
  }
  const done: Imported = { written: 0, same: 0 };
  const found: Counts = { edges: 0, subscriptions: 0 };
  let end: Counts | undefined;
  let number = 0;
  let batch: Promise<void>[] = [];
  for await (const text of lines) {
    if (!text.endsWith('\n')) {
      break;
    }
    number += 1;
    if (end) {
      throw new CannotTransfer(`line ${number}: there is more after the end of the export`);
    }
    const line = readLine(text, number);
    if (line.kind === 'end') {
      end = line.counts;
    }
    if (line.kind !== 'record') {
      continue;
    }
    found[line.collection] += 1;
    batch.push(put(store, line, done));
    if (batch.length < AT_ONCE) {
      continue;
    }
    await settle(batch);
    batch = [];
  }
  await settle(batch);
  const advice = 'export again, then import with --resume';
  if (end?.edges !== found.edges || end.subscriptions !== found.subscriptions) {
    throw new CannotTransfer(
      `the export is not whole: it breaks off after ${number} lines; ${advice}`,
    );
  }
  return done;
}

/** All of them end before the first error is passed on. */
async function settle(batch: Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(batch)) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}

async function put(store: Store, line: Line & { kind: 'record' }, done: Imported): Promise<void> {
  const { collection: name, record } = line;
  const collection = store[name] as unknown as Collection<{ id: string }>;
  let exists = false;
  try {
    await collection.update(record.id, (current) => {
      exists = current !== undefined;
      if (current && JSON.stringify(current) !== JSON.stringify(record)) {
        throw new CannotTransfer(
          `${record.id} of ${name} exists already and differs; nothing was overwritten`,
        );
      }
      return current ?? record;
    });
  } catch (error) {
    if (!(error instanceof DamagedRecord)) {
      throw error;
    }
    await collection.replace(record.id, record);
  }
  done[exists ? 'same' : 'written'] += 1;
}
