/**
 * Reads a data folder: its snapshot, then its journals.
 *
 * A journal is written in batches, each with a `commit` line at its end, and the next one begins only after a batch was
 * flushed. So whatever has another line after it had been flushed, and damage to it is damage to data that somebody may rely
 * on. The last batch may be one that was not flushed when the power failed: it counts only when it is whole, and else is cut
 * off. A server that is stopped writes an empty batch at the end, so that after it no damage is mistaken for such a tail.
 */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Data, RecordMap, type Texts } from '../memory.ts';
import { CannotOpenStore } from '../store.ts';
import { codeOf, type Files, nodeFiles, withFile } from './files.ts';
import { readVersion } from './folder.ts';
import { generationsOf, journalName, type Line, readLines, snapshotName } from './format.ts';
import { readDocuments } from './version-1.ts';

export interface Loaded {
  data: Data;
  /** The number of the last batch. */
  number: number;
  /** The generation whose journal is written on; 0 where the folder has no data yet. */
  generation: number;
  snapshotBytes: number;
  /** The sizes of all journals, and of the last one, as far as they count. */
  journalBytes: number;
  lastJournalBytes: number;
  /** A journal that ends with a batch that was not flushed, and where that begins. */
  tail: { journal: string; offset: number } | undefined;
  outdated: string[];
}

/** A place in a file that cannot be read, and is not the end of what was never flushed. */
class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** @throws UnreadableFile, and errors of the file system */
export async function loadFolder(files: Files, folder: string): Promise<Loaded> {
  const { base, snapshot, journals, outdated } = generationsOf(await files.names(folder));
  const state = new LoadedRecords();
  let [snapshotBytes, journalBytes, lastJournalBytes] = [0, 0, 0];
  let tail: Loaded['tail'];
  if (snapshot || journals.length > 0) {
    for (let generation = base; generation <= (journals.at(-1) ?? base); generation++) {
      if (!journals.includes(generation))
        throw new UnreadableFile(`${join(folder, journalName(generation))} is missing`);
    }
  }
  if (snapshot) {
    const path = join(folder, snapshotName(base));
    snapshotBytes = await withFile(files, path, 'r', (file) => readSnapshot(readLines(file), path, state));
  }
  for (const generation of journals) {
    const journal = join(folder, journalName(generation));
    const { end, more } = await withFile(files, journal, 'r', (file) => readJournal(readLines(file), journal, state));
    // A journal is begun when the one before it is flushed.
    if (tail && (end > 0 || more)) throw unreadable(tail.journal, tail.offset);
    if (more) tail = { journal, offset: end };
    journalBytes += end;
    lastJournalBytes = end;
  }
  const { number } = state;
  const generation = journals.at(-1) ?? 0;
  return { data: state.data(), number, generation, snapshotBytes, journalBytes, lastJournalBytes, tail, outdated };
}

/** A server may write a new snapshot and remove the files before it at any time; then the reading begins anew. */
const ATTEMPTS = 10;

/**
 * Reads a folder that a server may be using meanwhile, and changes nothing in it.
 * @returns all records at one moment: after the last batch of changes that is whole; undefined where there are no data
 * @throws CannotOpenStore when the folder cannot be read, or is damaged
 */
export async function readFolder(folder: string): Promise<Data | undefined> {
  const path = resolve(folder);
  for (let attempt = 1; ; attempt++) {
    try {
      const version = await readVersion(nodeFiles, path);
      if (version === undefined) return undefined;
      return version === 1 ? await readDocuments(nodeFiles, path) : (await loadFolder(nodeFiles, path)).data;
    } catch (error) {
      if (attempt === ATTEMPTS) throw cannotOpen(path, error);
      if (codeOf(error) === 'ENOENT') continue;
      await pause(20 * attempt);
    }
  }
}

export function cannotOpen(path: string, error: unknown): CannotOpenStore {
  if (error instanceof CannotOpenStore) return error;
  if (error instanceof UnreadableFile) {
    return new CannotOpenStore(
      `${error.message}; nothing was changed: restore a backup, or keep what can be read by edge-server salvage --data-dir ${path}`,
    );
  }
  return new CannotOpenStore(
    `the data folder ${path} cannot be used (${error instanceof Error ? error.message : codeOf(error)})`,
  );
}

/** The records that have been read so far. */
export class LoadedRecords {
  /** The number of the last batch. */
  number = 0;
  readonly #texts = { edges: new Map() as Texts, subscriptions: new Map() as Texts };

  apply(line: Line, path: string): void {
    if (line.kind === 'commit') this.number = line.number;
    if (line.kind !== 'record') return;
    const { id, text, offset } = line;
    const texts = this.#texts[line.collection];
    if (text === null) texts.delete(id);
    else texts.set(id, typeof text === 'string' ? text : { line: text, place: `${path} at byte ${offset}` });
  }

  data(): Data {
    return { edges: new RecordMap(this.#texts.edges), subscriptions: new RecordMap(this.#texts.subscriptions) };
  }
}

/** @returns its bytes */
async function readSnapshot(chunks: AsyncIterable<Line[]>, path: string, state: LoadedRecords): Promise<number> {
  let end: number | undefined;
  for await (const lines of chunks) {
    for (const line of lines) {
      if (line.kind === 'unreadable') throw unreadable(path, line.offset);
      state.apply(line, path);
      if (line.kind === 'commit') end = line.end;
    }
  }
  if (end === undefined) throw new UnreadableFile(`${path} breaks off`);
  return end;
}

/** @returns where the last batch ends that counts, and whether there is more after it */
async function readJournal(chunks: AsyncIterable<Line[]>, path: string, state: LoadedRecords) {
  let end = 0;
  let batch: Line[] = [];
  /** Where the first line of the batch is that cannot be read. */
  let bad: number | undefined;
  /** The end of a batch that is not whole, as long as nothing is known to come after it. */
  let last: (Line & { kind: 'commit' }) | undefined;
  const take = (commit: Line & { kind: 'commit' }) => {
    for (const line of [...batch, commit]) state.apply(line, path);
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

function isDamaged(line: Line): boolean {
  return line.kind === 'record' && Buffer.isBuffer(line.text);
}

function unreadable(path: string, offset: number): UnreadableFile {
  return new UnreadableFile(`${path} cannot be read at byte ${offset}`);
}
