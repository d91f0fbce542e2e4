/**
 * Reads a data folder: its snapshot, then its journals. Each batch ends with a `commit` line, and
 * the next one begins only after it was flushed: damage to a line that another one follows is
 * damage to data that somebody may rely on. The last batch may be one that was not flushed when the
 * power failed: unless it is whole, it is cut off. `stopped` says how long the journal of a server
 * that was stopped is, so that no damage is mistaken for such a tail.
 */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Data, readable, RecordMap, type Texts } from '../memory.ts';
import { CannotOpenStore } from '../store.ts';
import { codeOf, type Files, ignore, nodeFiles, readWhole, withFile } from './files.ts';
import { type FolderVersion, readVersion } from './folder.ts';
import {
  type Commit,
  commitAt,
  generationsOf,
  journalName,
  type Line,
  readLines,
  snapshotName,
  STOPPED,
} from './format.ts';
import { readDocuments } from './version-1.ts';

export interface Loaded {
  data: Data;
  /** The number of the last batch. */
  number: number;
  /** The generation whose journal is written on; 0 if the folder has no data yet. */
  generation: number;
  snapshotBytes: number;
  /** The sizes of all journals, and of the last one, as far as they count. */
  journalBytes: number;
  lastJournalBytes: number;
  /** The last batch: nothing after it shows that it was flushed. */
  last: { journal: string; offset: number; lines: Line[] } | undefined;
  /** A journal that ends with a batch that was not flushed, and the position of that batch. */
  tail: { journal: string; offset: number } | undefined;
  outdated: string[];
}

/** A place in a file that cannot be read, and is not the end of what was never flushed. */
class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/**
 * In version 2, a journal without writes may be missing or empty.
 * @throws UnreadableFile, errors of the file system
 */
export async function loadFolder(
  files: Files,
  folder: string,
  version: FolderVersion,
): Promise<Loaded> {
  const stop =
    (await readWhole(files, join(folder, STOPPED)).catch(ignore('ENOENT')))?.toString() ?? '';
  const stopped = commitAt(stop, 0, 0)?.line ?? { number: 0, bytes: 0 };
  const { base, snapshot, journals, outdated } = generationsOf(await files.names(folder));
  const state = new LoadedRecords();
  const sizes = { snapshotBytes: 0, journalBytes: 0, lastJournalBytes: 0 };
  let { tail, last }: Partial<Loaded> = {};
  if (version === 3 || snapshot || journals.length > 0) {
    for (
      let generation = base;
      generation <= Math.max(base, journals.at(-1) ?? 0, stopped.number);
      generation++
    ) {
      if (!journals.includes(generation)) {
        throw new UnreadableFile(`${join(folder, journalName(generation))} is missing`);
      }
    }
  }
  if (snapshot) {
    const path = join(folder, snapshotName(base));
    sizes.snapshotBytes = await withFile(files, path, 'r', (file) =>
      readSnapshot(readLines(file), path, state),
    );
  }
  for (const generation of journals) {
    const journal = join(folder, journalName(generation));
    const { begun, end, more, batch } = await withFile(files, journal, 'r', (file) =>
      readJournal(
        readLines(file),
        journal,
        state,
        generation === stopped.number ? stopped.bytes : 0,
      ),
    );
    if (version === 3 && !begun) {
      throw new UnreadableFile(`${journal} has lost its beginning`);
    }
    // A journal is begun when the one before it is flushed.
    if (tail && (batch || more)) {
      throw unreadable(tail.journal, tail.offset);
    }
    if (more) {
      tail = { journal, offset: end };
    }
    if (batch) {
      last = { journal, ...batch };
    }
    sizes.journalBytes += end;
    sizes.lastJournalBytes = end;
  }
  const { number } = state;
  const generation = journals.at(-1) ?? 0;
  return { data: state.data(), number, generation, ...sizes, last, tail, outdated };
}

/**
 * A server may write a new snapshot and remove the files before it at any time; then the reading
 * begins anew.
 */
const ATTEMPTS = 10;

/**
 * All records after the last whole batch, also while a server writes; undefined: no data.
 * @throws CannotOpenStore
 */
export async function readFolder(folder: string): Promise<Data | undefined> {
  const path = resolve(folder);
  for (let attempt = 1; ; attempt++) {
    try {
      const version = await readVersion(nodeFiles, path);
      if (version === undefined) {
        return undefined;
      }
      if (version === 1) {
        return await readDocuments(nodeFiles, path);
      }
      return (await loadFolder(nodeFiles, path, version)).data;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        throw cannotOpen(path, error);
      }
      if (codeOf(error) === 'ENOENT') {
        continue;
      }
      await pause(20 * attempt);
    }
  }
}

export function cannotOpen(path: string, error: unknown): CannotOpenStore {
  if (error instanceof CannotOpenStore) {
    return error;
  }
  const reason = error instanceof Error ? error.message : codeOf(error);
  if (!(error instanceof UnreadableFile)) {
    return new CannotOpenStore(`the data folder ${path} cannot be used (${reason})`);
  }
  const salvage = `edge-server salvage --data-dir ${path}`;
  const advice = `restore a backup, or keep what can be read by ${salvage}`;
  return new CannotOpenStore(`${reason}; nothing was changed: ${advice}`);
}

export class LoadedRecords {
  /** The number of the last batch. */
  number = 0;
  readonly #texts = { edges: new Map() as Texts, subscriptions: new Map() as Texts };

  apply(line: Line, path: string): void {
    if (line.kind === 'commit') {
      this.number = Math.max(this.number, line.number);
    }
    if (line.kind !== 'record') {
      return;
    }
    const { id, text, offset } = line;
    const texts = this.#texts[line.collection];
    if (text === null) {
      texts.delete(id);
    } else if (typeof text === 'string') {
      texts.set(id, text);
    } else {
      texts.set(id, {
        line: text,
        place: `${path} at byte ${offset}`,
        older: readable(texts.get(id)),
      });
    }
  }

  data(): Data {
    return {
      edges: new RecordMap(this.#texts.edges),
      subscriptions: new RecordMap(this.#texts.subscriptions),
    };
  }
}

/** @returns its bytes */
async function readSnapshot(
  chunks: AsyncIterable<Line[]>,
  path: string,
  state: LoadedRecords,
): Promise<number> {
  let end: number | undefined;
  for await (const lines of chunks) {
    for (const line of lines) {
      if (line.kind === 'unreadable') {
        throw unreadable(path, line.offset);
      }
      state.apply(line, path);
      if (line.kind !== 'commit') {
        continue;
      }
      if (line.bytes !== line.offset) {
        throw new UnreadableFile(`${path} has lost a part`);
      }
      end = line.end;
    }
  }
  if (end === undefined) {
    throw new UnreadableFile(`${path} breaks off`);
  }
  return end;
}

/**
 * @param flushed how much is known to be flushed
 * @returns `end` of the last batch that counts, `more` after it
 */
async function readJournal(
  chunks: AsyncIterable<Line[]>,
  path: string,
  state: LoadedRecords,
  flushed: number,
): Promise<JournalContent> {
  const reader = new JournalReader(path, state);
  for await (const lines of chunks) {
    for (const line of lines) {
      reader.read(line);
    }
  }
  return reader.end(flushed);
}

interface JournalContent {
  begun: boolean;
  end: number;
  batch: { offset: number; lines: Line[] } | undefined;
  more: boolean;
}

class JournalReader {
  readonly #path: string;
  readonly #state: LoadedRecords;
  #begun = false;
  #end = 0;
  #batch: Line[] = [];
  #taken: JournalContent['batch'];
  /** The position of the first line of the batch that cannot be read. */
  #bad: number | undefined;
  /** The end of a batch that is not whole, as long as nothing is known to come after it. */
  #last: Commit | undefined;

  constructor(path: string, state: LoadedRecords) {
    this.#path = path;
    this.#state = state;
  }

  /** @throws UnreadableFile if another line follows the damaged one */
  read(line: Line): void {
    if (this.#last) {
      this.#takeAnyway(this.#last);
    }
    if (line.kind === 'unreadable') {
      this.#bad ??= line.offset;
    } else if (line.kind !== 'commit') {
      this.#batch.push(line);
    } else if (line.number === 0 && line.offset === 0) {
      this.#begun = true;
      this.#end = line.end;
    } else {
      this.#endBatch(line);
    }
  }

  /** @throws UnreadableFile if the damaged line is known to be flushed */
  end(flushed: number): JournalContent {
    if (this.#last && this.#last.end <= flushed) {
      this.#takeAnyway(this.#last);
    }
    if (this.#end < flushed) {
      throw this.#unreadable();
    }
    const isOpen = this.#bad !== undefined || this.#last !== undefined;
    return {
      begun: this.#begun,
      end: this.#end,
      batch: this.#taken,
      more: this.#batch.length > 0 || isOpen,
    };
  }

  #endBatch(commit: Commit): void {
    if (commit.number !== this.#state.number + 1) {
      throw this.#unreadable();
    }
    if (this.#hasAllBytes(commit) && !this.#batch.some(isDamaged)) {
      this.#take(commit);
    } else {
      this.#last = commit;
    }
  }

  #take(commit: Commit): void {
    const lines = [...this.#batch, commit];
    for (const line of lines) {
      this.#state.apply(line, this.#path);
    }
    this.#taken = { offset: this.#end, lines };
    this.#end = commit.end;
    this.#batch = [];
  }

  /** Its records may be damaged, each for itself. */
  #takeAnyway(commit: Commit): void {
    if (!this.#hasAllBytes(commit)) {
      throw this.#unreadable();
    }
    this.#take(commit);
    this.#last = undefined;
  }

  #hasAllBytes(commit: Commit): boolean {
    return this.#bad === undefined && commit.bytes === commit.offset - this.#end;
  }

  #unreadable(): UnreadableFile {
    return unreadable(this.#path, this.#bad ?? this.#end);
  }
}

const isDamaged = (line: Line): boolean => line.kind === 'record' && Buffer.isBuffer(line.text);

function unreadable(path: string, offset: number): UnreadableFile {
  return new UnreadableFile(`${path} cannot be read at byte ${offset}`);
}
