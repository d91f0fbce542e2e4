/**
 * The lowdb adapter that makes data durable. `read` replays the folder, `write` writes a snapshot,
 * and between two snapshots `commit` appends single changes to a journal.
 *
 * All changes that wait are appended and flushed together, so that many writers share one flush. A
 * change gets into the data in memory, where readers see it, once it is flushed.
 *
 * After an error nothing is known of what the disk holds after the last flush: the adapter refuses
 * changes until it has recovered for sure. After a failed append it cuts the journal back to the
 * last flush. After a failed flush that is not enough, since a kernel may forget what it could not
 * write and report success the next time: then all data go from memory into a new snapshot. Nothing
 * is known of the process before this one either, so a start writes the last batch again.
 */
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Adapter } from 'lowdb';
import type { Data } from '../memory.ts';
import { type StoreEvents, StoreUnavailable } from '../store.ts';
import {
  codeOf,
  type Files,
  ignore,
  isSystemCode,
  type OpenFile,
  readWhole,
  withFile,
  writeNew,
  writeWhole,
} from './files.ts';
import {
  type FolderVersion,
  lockJournal,
  lockLastJournal,
  MANIFEST,
  writeVersion,
} from './folder.ts';
import {
  beginJournal,
  commitLine,
  FIRST_LINE,
  generationsOf,
  journalName,
  lineText,
  STOPPED,
  writeSnapshot,
} from './format.ts';
import { type Loaded, loadFolder } from './load.ts';

export interface JournalOptions {
  files: Files;
  folder: string;
  version: FolderVersion;
  events: Pick<StoreEvents, 'warning' | 'flushed'>;
  /**
   * A new snapshot is due when the journal has this many bytes, and half as many as the last
   * snapshot.
   */
  journalBytes: number;
  /** How long to wait between two attempts to recover. */
  retryMs: number;
  /** A write to the disk that takes longer is one that hangs. */
  stalledMs: number;
}

/**
 * A change waits for so many turns of the event loop without a further one, and for so many in all.
 */
const STILL_TURNS = 2;
const MOST_TURNS = 10;

interface Waiting {
  line: Buffer;
  /** Puts the change into the data. */
  apply(): void;
  resolve(): void;
  reject(error: Error): void;
}

export class JournalAdapter implements Adapter<Data> {
  /** Makes lowdb write its data: `db.write()`, which calls `write` below. */
  takeSnapshot: () => Promise<void> = () => Promise.reject(new Error('takeSnapshot is not set'));
  readonly #options: JournalOptions;
  #file: OpenFile | undefined;
  /** The current journal, held for this process. */
  #lock: OpenFile | undefined;
  /** Open, so that no other file can be taken for it. */
  #manifest: OpenFile | undefined;
  #generation = 0;
  /** Numbers of the last batch, and of the last one before the current journal. */
  #number = 0;
  #numberBefore = 0;
  /**
   * The length of the current journal that is flushed, and whether anything was ever appended to
   * it.
   */
  #flushed = 0;
  #used = true;
  /** Sizes of the journals since the last snapshot, and of that snapshot. */
  #journalBytes = 0;
  #snapshotBytes = 0;
  #waiting: Waiting[] = [];
  /** The number of changes in the last batch: while they were written, others could arrive. */
  #lastBatch = 0;
  #flushing: Promise<void> | undefined;
  /** When the batch that is written now was begun, by `performance.now`. */
  #writingSince: number | undefined;
  #snapshot: Promise<void> | undefined;
  #switch: (() => void) | undefined;
  #failure: { during: 'append' | 'flush'; error: StoreUnavailable } | undefined;
  #recovery: Promise<void> | undefined;
  #lastRecovery = -Infinity;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** @throws CannotOpenStore, UnreadableFile, and errors of the file system */
  async read(): Promise<Data> {
    const { files, folder, version, events } = this.#options;
    // First of all: what follows reads the folder, and repairs what a power failure left.
    this.#lock = await lockLastJournal(files, folder);
    const loaded = await loadFolder(files, folder, version);
    if (loaded.tail) {
      events.warning(await cutTail(files, folder, loaded.tail));
    }
    if (loaded.last) {
      await writeAgain(files, loaded.last);
    }
    this.#generation = Math.max(1, loaded.generation);
    this.#number = loaded.number;
    this.#flushed = loaded.lastJournalBytes;
    this.#journalBytes = loaded.journalBytes;
    this.#snapshotBytes = loaded.snapshotBytes;
    this.#file = await files.open(this.#path(), 'a');
    this.#lock ??= await lockJournal(files, folder, this.#generation);
    await files.remove(join(folder, STOPPED)).catch(ignore('ENOENT'));
    await files.flushFolder(folder);
    for (const name of loaded.outdated) {
      await files.remove(join(folder, name));
    }
    if (version === 2) {
      await this.write(loaded.data);
      await writeVersion(files, folder);
    }
    this.#manifest = await files.open(join(folder, MANIFEST), 'r');
    return loaded.data;
  }

  /** Writes a snapshot. A new journal is begun before, so that changes go on meanwhile. */
  async write(data: Data): Promise<void> {
    const { files, folder } = this.#options;
    // An attempt to recover that failed may have left an empty journal: one is enough.
    if (this.#used) {
      await this.#beginJournal();
    }
    // Every batch since the journal began is in the journal, and may be in the snapshot, too. So
    // the snapshot has the number of the last batch before: a start applies all later ones again.
    const number = this.#numberBefore;
    this.#snapshotBytes = await writeSnapshot(files, folder, this.#generation, { data, number });
    this.#journalBytes = this.#flushed;
    for (const name of generationsOf(await files.names(folder)).outdated) {
      await files.remove(join(folder, name));
    }
  }

  /**
   * Resolves when the line is flushed and `apply` was called.
   * @throws StoreUnavailable
   */
  commit(line: Buffer, apply: () => void): Promise<void> {
    if (this.#failure) {
      this.#recover();
      return Promise.reject(this.#failure.error);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, apply, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /**
   * Rejects at once while changes are refused or would wait for a disk that hangs, and begins to
   * recover.
   * @throws StoreUnavailable
   */
  async check(): Promise<void> {
    if (!this.#failure) {
      this.#requireProgress();
      await this.#file!
        .checkPath(this.#path())
        .catch((error: unknown) => this.#fail('flush', error));
    }
    if (this.#failure) {
      this.#recover();
      throw this.#failure.error;
    }
  }

  /** @throws StoreUnavailable */
  #requireProgress(): void {
    const { stalledMs } = this.#options;
    const since = this.#writingSince;
    if (since !== undefined && performance.now() - since >= stalledMs) {
      const reason = `a write to the disk takes more than ${stalledMs} ms`;
      throw new StoreUnavailable(`${reason}: ${this.#path()}`, { reason });
    }
  }

  /** Closes the files of a store that could not be opened. */
  async abandon(): Promise<void> {
    await this.#file?.close();
    await this.#manifest?.close();
    await this.#lock?.close();
  }

  /** No call may follow. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.#recovery;
    await this.#snapshot;
    // Without it, the next start takes a damaged end of the journal for one that was never flushed.
    if (!this.#failure && this.#manifest) {
      await this.#markStop().catch(() => undefined);
    }
    await this.abandon().catch(() => undefined);
    this.#manifest = undefined;
  }

  async #markStop(): Promise<void> {
    const { files, folder } = this.#options;
    await this.#file!.checkPath(this.#path());
    await writeWhole(files, join(folder, STOPPED), [commitLine(this.#generation, this.#flushed)]);
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting;
      this.#waiting = [];
      this.#lastBatch = batch.length;
      try {
        await this.#appendBatch(batch.map(({ line }) => line));
      } catch {
        for (const one of [...batch, ...this.#waiting]) {
          one.reject(this.#failure!.error);
        }
        this.#waiting = [];
        break;
      }
      for (const one of batch) {
        one.apply();
      }
      for (const one of batch) {
        one.resolve();
      }
      this.#switch?.();
    }
    this.#flushing = undefined;
    this.#switch?.();
    if (!this.#failure && this.#isSnapshotDue()) {
      this.#snapshot ??= this.#writeSnapshot();
    }
  }

  /**
   * Waits while each turn of the event loop, or the one after, brings further changes. A flush
   * takes as much CPU time as a whole request: at 8 connections, a create takes 0.83 of the time
   * that it takes without this.
   *
   * A client that is alone sends its next change only after this one: then nothing is waited for.
   */
  async #gather(): Promise<void> {
    const isAlone = this.#lastBatch <= 1 && this.#waiting.length === 1;
    if (isAlone) {
      return;
    }
    let known = 0;
    let still = 0;
    for (let turn = 0; turn < MOST_TURNS && still < STILL_TURNS; turn++) {
      still = this.#waiting.length > known ? 1 : still + 1;
      known = this.#waiting.length;
      await nextTurn();
    }
  }

  async #appendBatch(lines: Buffer[]): Promise<void> {
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    const commit = commitLine(this.#number + 1, bytes);
    let during: 'append' | 'flush' = 'append';
    this.#used = true;
    this.#writingSince = performance.now();
    try {
      await this.#file!.append(Buffer.concat([...lines, commit]));
      during = 'flush';
      await this.#timedFlush();
      // Data that is written to a file without a name is lost.
      await this.#file!.checkPath(this.#path());
    } catch (error) {
      throw this.#fail(during, error);
    } finally {
      this.#writingSince = undefined;
    }
    this.#number += 1;
    this.#flushed += bytes + commit.length;
    this.#journalBytes += bytes + commit.length;
  }

  async #timedFlush(): Promise<void> {
    const began = performance.now();
    await this.#file!.flush();
    this.#options.events.flushed?.(performance.now() - began);
  }

  async #beginJournal(): Promise<void> {
    const { files, folder } = this.#options;
    // Replaces one that was left by an attempt that failed before the switch; nothing was written
    // to it.
    await beginJournal(files, folder, this.#generation + 1);
    const lock = await lockJournal(files, folder, this.#generation + 1);
    const path = join(folder, journalName(this.#generation + 1));
    const file = await files.open(path, 'a').catch(async (error: unknown) => {
      await lock.close();
      throw error;
    });
    const before = [this.#file, this.#lock];
    await this.#betweenBatches(() => {
      if (this.#failure) {
        // The batch that failed may be in the old journal or not, and is not in the data: only a
        // snapshot replaces both.
        this.#failure.during = 'flush';
        this.#number += 1;
      }
      this.#file = file;
      this.#lock = lock;
      this.#numberBefore = this.#number;
      this.#generation += 1;
      this.#flushed = FIRST_LINE.length;
      this.#used = false;
    });
    for (const one of before) {
      await one?.close().catch(() => undefined);
    }
  }

  #betweenBatches(work: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#switch = () => {
        this.#switch = undefined;
        work();
        resolve();
      };
      if (!this.#flushing) {
        this.#switch();
      }
    });
  }

  #isSnapshotDue(): boolean {
    return this.#journalBytes >= Math.max(this.#options.journalBytes, this.#snapshotBytes / 2);
  }

  /** Never fails: the journals before the snapshot are kept until it exists. */
  async #writeSnapshot(): Promise<void> {
    try {
      await this.takeSnapshot();
    } catch (error) {
      // The next attempt comes after `journalBytes` more.
      this.#snapshotBytes = 0;
      this.#journalBytes = 0;
      this.#options.events.warning(
        `no snapshot of ${this.#options.folder} could be written: ${codeOf(error)}`,
      );
    }
    this.#snapshot = undefined;
  }

  #fail(during: 'append' | 'flush', error: unknown): StoreUnavailable {
    const code = codeOf(error);
    const suffix = isSystemCode(code) ? ` (${code})` : '';
    const reason = `the last ${during} of a change failed${suffix}`;
    const message = `cannot ${during} ${this.#path()}: ${code}`;
    const unavailable = new StoreUnavailable(message, { cause: error, reason });
    this.#failure = { during, error: unavailable };
    return unavailable;
  }

  /**
   * Begins one attempt for all who ask meanwhile. Nobody waits for it: an attempt that hangs would
   * keep in memory what each of them holds, such as the change that was refused.
   */
  #recover(): void {
    const isDue = performance.now() - this.#lastRecovery >= this.#options.retryMs;
    if (this.#recovery || !isDue) {
      return;
    }
    this.#lastRecovery = performance.now();
    const end = () => {
      this.#recovery = undefined;
    };
    // Its error is that of the next change.
    this.#recovery = this.#tryToRecover().then(end, end);
  }

  async #tryToRecover(): Promise<void> {
    const { folder } = this.#options;
    await this.#flushing;
    await this.#snapshot;
    const failure = this.#failure!;
    // If the folder was removed, it is not ours any more: another process may hold the one that has
    // its name now.
    await this.#manifest!.checkPath(join(folder, MANIFEST)).catch((error: unknown) => {
      throw this.#fail('flush', error);
    });
    if (failure.during === 'append') {
      try {
        await this.#file!.truncate(this.#flushed);
        await this.#file!.flush();
      } catch {
        failure.during = 'flush';
      }
    }
    try {
      if (failure.during === 'flush') {
        await this.takeSnapshot();
      }
    } catch (error) {
      throw this.#fail('flush', error);
    }
    // Shows that changes can be written again.
    await this.#appendBatch([]);
    this.#failure = undefined;
  }

  #path(): string {
    return join(this.#options.folder, journalName(this.#generation));
  }
}

/**
 * From memory: the kernel may show a batch of which it could not write anything, and forget it at
 * any time.
 */
async function writeAgain(
  files: Files,
  { journal, offset, lines }: NonNullable<Loaded['last']>,
): Promise<void> {
  await withFile(files, journal, 'r+', async (file) => {
    await file.write(Buffer.concat(lines.map(lineText)), offset);
    await file.flush();
  });
}

/**
 * Cuts off the end of a journal that a power failure left: a batch that was not flushed, and not
 * acknowledged. It is kept in a file beside the journal: should a disk have damaged what it had
 * flushed, it is not lost.
 * @returns what was done, in one line
 */
async function cutTail(
  files: Files,
  folder: string,
  { journal, offset }: { journal: string; offset: number },
): Promise<string> {
  const tail = (await readWhole(files, journal)).subarray(offset);
  // Named by its content, so that a start that is interrupted here and done again keeps one file.
  const kept = join(folder, `cut-${basename(journal)}-at-${offset}-${crc32(tail).toString(16)}`);
  await files.remove(kept).catch(() => undefined);
  await writeNew(files, kept, [tail]);
  await files.flushFolder(folder);
  await withFile(files, journal, 'a', async (file) => {
    await file.truncate(offset);
    await file.flush();
  });
  return (
    `${journal} ended with ${tail.length} bytes of a batch that was not ` +
    `flushed: they were cut off and are kept in ${kept}`
  );
}
