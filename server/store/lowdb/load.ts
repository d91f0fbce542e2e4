/**
 * Reads a data folder: its snapshot, then its journals.
 *
 * A journal is written in batches, each with a `commit` line at its end, and the next one begins only after a batch was
 * flushed. So whatever stands in front of another line had been flushed, and damage to it is damage to data that somebody
 * may rely on. The last batch may be one that was not flushed when the power failed: it counts only when it is whole, and
 * is cut off else. A server that is stopped writes an empty batch at the end, so that after it no damage is mistaken for
 * such a tail.
 */
import { join } from 'node:path';
import { type Data, type DamagedText, RecordMap } from '../record-map.ts';
import type { CollectionName } from '../store.ts';
import type { Files } from './files.ts';
import { generationsOf, journalName, snapshotName } from './generations.ts';
import { type Line, readLines } from './line.ts';

export interface Loaded {
  data: Data;
  /** Of the last batch. */
  number: number;
  /** The generation whose journal is written on; 0 where the folder has no data yet. */
  generation: number;
  snapshotBytes: number;
  /** Of all journals, and of the last one, as far as they count. */
  journalBytes: number;
  lastJournalBytes: number;
  /** A journal that ends with a batch that was not flushed, and where that begins. */
  tail: { journal: string; offset: number } | undefined;
  outdated: string[];
}

/** A place in a file that cannot be read, and is not the end of what was never flushed. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** @throws UnreadableFile, and errors of the file system */
export async function loadFolder(files: Files, folder: string): Promise<Loaded> {
  const { base, snapshot, journals, outdated } = generationsOf(await files.names(folder));
  const state = new LoadedRecords();
  const loaded = {
    snapshotBytes: 0,
    journalBytes: 0,
    lastJournalBytes: 0,
    tail: undefined as Loaded['tail'],
    outdated,
  };
  if (!snapshot && journals.length === 0) return { ...loaded, data: state.data(), number: 0, generation: 0 };
  journals.forEach((generation, index) => {
    if (generation !== base + index) throw new UnreadableFile(`${join(folder, journalName(base + index))} is missing`);
  });
  if (journals.length === 0) throw new UnreadableFile(`${join(folder, journalName(base))} is missing`);
  if (snapshot) {
    const path = join(folder, snapshotName(base));
    loaded.snapshotBytes = await withLines(files, path, (lines) => readSnapshot(lines, path, state));
  }
  for (const generation of journals) {
    const path = join(folder, journalName(generation));
    const { end, more } = await withLines(files, path, (lines) => readJournal(lines, path, state));
    // A journal is begun when the one before it is flushed.
    if (end > 0 || more) {
      if (loaded.tail) throw unreadable(loaded.tail.journal, loaded.tail.offset);
    }
    if (more) loaded.tail = { journal: path, offset: end };
    loaded.journalBytes += end;
    loaded.lastJournalBytes = end;
  }
  return { ...loaded, data: state.data(), number: state.number, generation: journals.at(-1)! };
}

/** What has been read so far. */
export class LoadedRecords {
  number = 0;
  readonly #texts: Record<CollectionName, Map<string, string | DamagedText>> = {
    edges: new Map(),
    subscriptions: new Map(),
  };

  apply(line: Line, path: string): void {
    if (line.kind === 'record') {
      if (line.text === null) this.#texts[line.collection].delete(line.id);
      else this.#texts[line.collection].set(line.id, line.text);
    }
    if (line.kind === 'damaged')
      this.#texts[line.collection].set(line.id, { line: line.line, place: `${path} at byte ${line.offset}` });
    if (line.kind === 'commit') this.number = line.number;
  }

  data(): Data {
    return { edges: new RecordMap(this.#texts.edges), subscriptions: new RecordMap(this.#texts.subscriptions) };
  }
}

async function withLines<R>(
  files: Files,
  path: string,
  read: (lines: AsyncIterable<Line[]>) => Promise<R>,
): Promise<R> {
  const file = await files.open(path, 'r');
  try {
    return await read(readLines(file));
  } finally {
    await file.close();
  }
}

/** @returns its bytes */
async function readSnapshot(chunks: AsyncIterable<Line[]>, path: string, state: LoadedRecords): Promise<number> {
  let end: number | undefined;
  for await (const lines of chunks) {
    for (const line of lines) {
      if (line.kind === 'unreadable') throw unreadable(path, line.offset);
      state.apply(line, path);
      if (line.kind !== 'commit') continue;
      state.number = line.number;
      end = line.end;
    }
  }
  if (end === undefined) throw new UnreadableFile(`${path} breaks off`);
  return end;
}

/** @returns where the last batch ends that counts, and whether there is more behind it */
async function readJournal(chunks: AsyncIterable<Line[]>, path: string, state: LoadedRecords) {
  let end = 0;
  let batch: Line[] = [];
  /** Where the first line of the batch is that cannot be read. */
  let bad: number | undefined;
  /** The end of a batch that is not whole, as long as nothing is known to stand behind it. */
  let last: (Line & { kind: 'commit' }) | undefined;
  const take = (commit: Line & { kind: 'commit' }) => {
    for (const line of batch) state.apply(line, path);
    state.number = commit.number;
    end = commit.end;
    batch = [];
  };
  for await (const lines of chunks) {
    for (const line of lines) {
      if (last) {
        if (bad !== undefined || last.bytes !== last.offset - end) throw unreadable(path, bad ?? end);
        take(last);
        last = undefined;
      }
      if (line.kind === 'unreadable') bad ??= line.offset;
      else if (line.kind !== 'commit') batch.push(line);
      else {
        if (line.number !== state.number + 1) throw unreadable(path, bad ?? end);
        const whole = bad === undefined && line.bytes === line.offset - end && !batch.some(isDamaged);
        if (whole) take(line);
        else last = line;
      }
    }
  }
  return { end, more: batch.length > 0 || bad !== undefined || last !== undefined };
}

function isDamaged({ kind }: Line): boolean {
  return kind === 'damaged';
}

function unreadable(path: string, offset: number): UnreadableFile {
  return new UnreadableFile(`${path} cannot be read at byte ${offset}`);
}
