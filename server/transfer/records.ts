/**
 * All data as lines of JSON, as they are kept, with secrets: a head, records, and an end that
 * counts them.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { ApiError } from '../domain/api-error.ts';
import { checkStructure } from '../http/request/json-rules.ts';
import { dropPrivateKeys, jsonOf } from '../store/record-text.ts';
import {
  type Collection,
  type CollectionName,
  COLLECTIONS,
  DamagedRecord,
  pagesOf,
  type Store,
} from '../store/store.ts';
import type { RecordCheck } from './check-record.ts';

/** An export or import that cannot go on; the message is one line for the person who started it. */
export class CannotTransfer extends Error {
  override name = 'CannotTransfer';
}

/** A place may have a name of any length. */
const MOST_OF_REASON = 300;

function inLine(number: number, reason: string): CannotTransfer {
  return new CannotTransfer(`line ${number}: ${reason.slice(0, MOST_OF_REASON)}`);
}

type Counts = Record<CollectionName, number>;

type Line =
  | { kind: 'head' }
  | { kind: 'record'; collection: CollectionName; record: { id: string } }
  | { kind: 'end'; counts: Counts };

const HEAD = { format: 'edge-contract-export', version: 1 };

/**
 * Messages never quote a line: it may hold a secret.
 *
 * @param number from 1, for messages
 * @throws CannotTransfer
 */
function readLine(text: string, number: number): Line {
  const structure = structureError(text);
  if (structure !== undefined) {
    throw inLine(number, structure);
  }
  const value = jsonOf(text) as Record<string, unknown> | null | undefined;
  if (number === 1) {
    if (value?.['format'] !== HEAD.format) {
      throw inLine(number, 'this is not an export of edge-server');
    }
    if (value['version'] !== HEAD.version) {
      throw inLine(number, 'another version of edge-server wrote this export');
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
    throw inLine(number, 'this is not a record of an export');
  }
  dropPrivateKeys(record);
  return { kind: 'record', collection, record };
}

/** `JSON.parse` keeps one of two equal names, and deep nesting overflows the stack later. */
function structureError(text: string): string | undefined {
  try {
    // A subscription may have any number of types.
    checkStructure(text, Infinity);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) {
      const [place] = error.errors;
      if (place === undefined) {
        return error.detail;
      }
      return `${place.pointer} ${place.detail}`;
    }
    return 'this is not JSON';
  }
}

/**
 * The longest record of an export, by far: an edge has at most 4 MiB. A text of more than 512 MiB
 * cannot be made.
 */
const MOST_LINE_BYTES = 256 * 1024 * 1024;

const LINE_FEED = 10;

/**
 * With their line feeds, except for one that was cut off. Not `readline`, which ends lines at
 * U+2028, too.
 *
 * @throws CannotTransfer
 */
export async function* linesOf(
  input: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<string> {
  const line = new LineParts();
  for await (const bytes of input) {
    let start = 0;
    for (
      let end = bytes.indexOf(LINE_FEED) + 1;
      end > 0;
      end = bytes.indexOf(LINE_FEED, start) + 1
    ) {
      line.add(bytes.subarray(start, end));
      yield line.take();
      start = end;
    }
    line.add(bytes.subarray(start));
  }
  if (line.length > 0) {
    yield line.rest();
  }
}

/** `ignoreBOM` keeps a byte order mark, as it keeps every other character. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The parts of the line that is read: joined once, however many there are. */
class LineParts {
  length = 0;
  #parts: Buffer[] = [];
  #number = 1;

  /** @throws CannotTransfer */
  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > MOST_LINE_BYTES) {
      throw inLine(this.#number, `it has more than ${MOST_LINE_BYTES} bytes`);
    }
    this.#parts.push(part);
  }

  /** @throws CannotTransfer */
  take(): string {
    const bytes = Buffer.concat(this.#parts);
    try {
      return utf8.decode(bytes);
    } catch {
      throw inLine(this.#number, 'it is not UTF-8');
    } finally {
      this.#parts = [];
      this.length = 0;
      this.#number += 1;
    }
  }

  /** The text that was cut off, maybe within a character. */
  rest(): string {
    return Buffer.concat(this.#parts).toString();
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
 * @param seen gets each record that is written
 * @throws StoreUnavailable
 */
export async function* exportLines(
  store: Store,
  progress = noProgress(),
  seen: (collection: CollectionName, record: { id: string }) => void = () => undefined,
): AsyncGenerator<string> {
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
        seen(collection, record);
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
    handle.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Buffer>,
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
interface Imported {
  written: number;
  same: number;
}

export interface ImportOptions {
  /** Goes on with an import that broke off: what exists already and is equal is skipped. */
  resume: boolean;
  check: RecordCheck;
}

/**
 * Overwrites nothing but damaged records.
 * @param lines one without a line feed is cut off
 * @throws CannotTransfer
 */
export async function importLines(
  store: Store,
  lines: AsyncIterable<string>,
  { resume, check }: ImportOptions,
): Promise<Imported> {
  if (!resume && (await store.edges.count()) + (await store.subscriptions.count()) > 0) {
    const advice = 'to go on with one that broke off, add --resume';
    throw new CannotTransfer(`the store is not empty, and an import overwrites nothing; ${advice}`);
  }
  const reader = new ImportReader(check);
  const done: Imported = { written: 0, same: 0 };
  let batch: Promise<void>[] = [];
  try {
    for await (const text of lines) {
      if (!text.endsWith('\n')) {
        break;
      }
      const line = reader.read(text);
      if (line === undefined) {
        continue;
      }
      batch.push(put(store, line, done));
      if (batch.length === AT_ONCE) {
        await settle(batch);
        batch = [];
      }
    }
  } finally {
    await settle(batch);
  }
  reader.end();
  return done;
}

type RecordLine = Line & { kind: 'record' };

/** The lines of an export in their order, each of which must be right. */
class ImportReader {
  readonly #check: RecordCheck;
  readonly #found: Counts = { edges: 0, subscriptions: 0 };
  #end: Counts | undefined;
  #number = 0;

  constructor(check: RecordCheck) {
    this.#check = check;
  }

  /** @returns undefined for the head and the end @throws CannotTransfer */
  read(text: string): RecordLine | undefined {
    this.#number += 1;
    if (this.#end !== undefined) {
      throw this.#error('there is more after the end of the export');
    }
    const line = readLine(text, this.#number);
    if (line.kind === 'end') {
      this.#end = line.counts;
    }
    if (line.kind !== 'record') {
      return undefined;
    }
    const reason = this.#check(line.collection, line.record);
    if (reason !== undefined) {
      throw this.#error(reason);
    }
    this.#found[line.collection] += 1;
    return line;
  }

  /** @throws CannotTransfer unless all that the end counts was there */
  end(): void {
    const isWhole = COLLECTIONS.every((name) => this.#end?.[name] === this.#found[name]);
    if (!isWhole) {
      const what = `it breaks off after ${this.#number} lines`;
      const advice = 'export again, then import with --resume';
      throw new CannotTransfer(`the export is not whole: ${what}; ${advice}`);
    }
  }

  #error(reason: string): CannotTransfer {
    return inLine(this.#number, reason);
  }
}

/** All of them end before the first error is passed on. */
async function settle(batch: Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(batch)) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}

async function put(store: Store, line: RecordLine, done: Imported): Promise<void> {
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
