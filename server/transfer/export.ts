/** Reads all records of a store, as lines, into a file for its owner alone, which can be continued. */
import { type FileHandle, open } from 'node:fs/promises';
import { type CollectionName, COLLECTIONS, type Page, type Store } from '../store/store.ts';
import { CannotTransfer, type Counts, HEAD, linesOf, readLine } from './lines.ts';

const PAGE = 500;

/** How far an export is. */
export interface Progress {
  /** The head is written. */
  begun: boolean;
  counts: Counts;
  /** The last record that was written; undefined before the first. */
  last: { collection: CollectionName; id: string } | undefined;
}

export function noProgress(): Progress {
  return { begun: false, counts: { edges: 0, subscriptions: 0 }, last: undefined };
}

/**
 * Not a snapshot: a record that is made or changed meanwhile may be in it or not. Damaged records are omitted and reported
 * to the store's `StoreEvents`.
 * @param progress where it goes on, kept up to date; if omitted, it begins
 * @throws StoreUnavailable
 */
export async function* exportLines(store: Store, progress = noProgress()): AsyncGenerator<string> {
  if (!progress.begun) yield lineOf(HEAD);
  const start = progress.last === undefined ? 0 : COLLECTIONS.indexOf(progress.last.collection);
  for (const collection of COLLECTIONS.slice(start)) {
    let before = progress.last?.collection === collection ? progress.last.id : undefined;
    for (;;) {
      const { records, next }: Page<{ id: string }> = await store[collection].list({ limit: PAGE, before });
      for (const record of records) {
        progress.counts[collection] += 1;
        progress.last = { collection, id: record.id };
        yield lineOf({ collection, record });
      }
      if (next === undefined) break;
      before = next;
    }
  }
  yield lineOf({ end: progress.counts });
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export interface ExportTarget {
  progress: Progress;
  /** Nothing is left to be done. */
  complete: boolean;
  /** @throws CannotTransfer, and errors of the file system */
  write(line: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A new file, or with `resume` one that an export has begun.
 * @throws CannotTransfer
 */
export async function openExportFile(path: string, resume: boolean): Promise<ExportTarget> {
  try {
    if (!resume) return targetOf(await open(path, 'wx', 0o600));
    const there = await open(path, 'r+');
    const { progress, complete } = await readProgress(there).finally(() => there.close());
    // To append after the lines that exist.
    return { ...targetOf(await open(path, 'a')), progress, complete };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CannotTransfer(`${path} exists, and an export overwrites nothing; to go on with it, add --resume`);
    if (code === undefined) throw error;
    throw new CannotTransfer(`${path} cannot be ${resume ? 'continued' : 'made'} (${code})`);
  }
}

function targetOf(handle: FileHandle): ExportTarget {
  return {
    progress: noProgress(),
    complete: false,
    write: (line) => handle.appendFile(line),
    close: () => handle.sync().finally(() => handle.close()),
  };
}

/** Reads the lines of a file, and cuts off a last one that is not whole. */
async function readProgress(handle: FileHandle): Promise<Pick<ExportTarget, 'progress' | 'complete'>> {
  const progress = noProgress();
  let bytes = 0;
  let number = 0;
  for await (const text of linesOf(handle.createReadStream({ encoding: 'utf8', autoClose: false, start: 0 }))) {
    if (!text.endsWith('\n')) break;
    number += 1;
    bytes += Buffer.byteLength(text);
    const line = readLine(text, number);
    progress.begun = true;
    if (line.kind === 'end') return { progress, complete: true };
    if (line.kind === 'record') {
      progress.counts[line.collection] += 1;
      progress.last = { collection: line.collection, id: line.record.id };
    }
  }
  await handle.truncate(bytes);
  return { progress, complete: false };
}
