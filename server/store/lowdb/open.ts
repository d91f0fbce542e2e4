/**
 * The embedded store: lowdb with its data in memory, and a journal that makes them durable.
 *
 *     DATA_DIR/store.json    the version of this format
 *     DATA_DIR/snapshot-N    all records at one moment
 *     DATA_DIR/journal-N     what has changed since
 *     DATA_DIR/cut-*         what a power failure left of a batch that was not flushed
 *
 * A read never waits for the disk, and a start reads two files. The price is memory, about 1 KB and the JSON of a record
 * for each, and one process that holds the folder. Rejected: a document for each record, where a write costs three
 * flushes of its own and each read is one of a file.
 */
import { resolve } from 'node:path';
import { Low } from 'lowdb';
import { collectionsOf } from '../memory.ts';
import type { Change } from '../record-collection.ts';
import { type Data, noData } from '../record-map.ts';
import { CannotOpenStore, type Store, type StoreEvents, StoreUnavailable } from '../store.ts';
import { codeOf, type Files, nodeFiles } from './files.ts';
import { isForeign, makeFolder, readVersion, tooOpen, writeVersion } from './folder.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { JournalAdapter } from './journal-adapter.ts';
import { recordLine } from './line.ts';
import { UnreadableFile } from './load.ts';
import { convert, putDocumentsAside } from './version-1.ts';

/** What tests put something else in the place of. */
export interface LowdbOptions {
  files?: Files;
  lock?: (folder: string) => Promise<FolderLock | undefined>;
  journalBytes?: number;
  retryMs?: number;
}

/** With fewer bytes, replaying a journal takes less time than anybody notices. */
const JOURNAL_BYTES = 16 * 1024 * 1024;
const RETRY_MS = 1000;

/**
 * Opens the folder, or makes it.
 * @throws CannotOpenStore when it is held by another process, not writable, damaged, or not a folder of this store
 */
export async function openLowdbStore(folder: string, events: StoreEvents, options: LowdbOptions = {}): Promise<Store> {
  const path = resolve(folder);
  const { files = nodeFiles, journalBytes = JOURNAL_BYTES, retryMs = RETRY_MS } = options;
  const lock = await holdFolder(path, files, options.lock ?? lockFolder);
  try {
    await prepare(files, path, events);
    const adapter = new JournalAdapter({ files, folder: path, events, journalBytes, retryMs });
    const db = new Low<Data>(adapter, noData());
    try {
      await db.read();
    } catch (error) {
      await adapter.abandon();
      throw error;
    }
    adapter.takeSnapshot = () => db.write();
    const commit = (change: Change) =>
      adapter.commit(recordLine(change), () => db.data[change.collection].set(change.id, change.text));
    const { edges, subscriptions } = collectionsOf(db.data, commit, (error) => events.damaged(error));
    return {
      edges,
      subscriptions,
      check: async () => {
        await files.checkAccess(path).catch((error: unknown) => {
          throw new StoreUnavailable(`the data folder ${path} is not readable and writable (${codeOf(error)})`);
        });
        await adapter.check();
      },
      close: async () => {
        await Promise.all([edges.settled(), subscriptions.settled()]);
        await adapter.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw cannotOpen(path, error);
  }
}

/** @throws CannotOpenStore */
export async function holdFolder(
  path: string,
  files: Files,
  lock: (folder: string) => Promise<FolderLock | undefined>,
): Promise<FolderLock> {
  let foreign: boolean;
  try {
    await makeFolder(files, path);
    foreign = isForeign(await files.names(path));
  } catch (error) {
    throw new CannotOpenStore(`the data folder ${path} cannot be made or read (${codeOf(error)})`);
  }
  if (foreign) throw new CannotOpenStore(`the folder ${path} is not empty and has no data of this server`);
  const held = await lock(path).catch((error: unknown) => {
    throw new CannotOpenStore(`the data folder ${path} is not writable (${codeOf(error)})`);
  });
  if (!held) throw new CannotOpenStore(`the data folder ${path} is held by another process`);
  return held;
}

async function prepare(files: Files, path: string, events: StoreEvents): Promise<void> {
  const version = await readVersion(files, path);
  if (version === undefined) await writeVersion(files, path, 2);
  if (version === 1) events.warning(await convert(files, path));
  else await putDocumentsAside(files, path);
  const open = await tooOpen(files, path);
  if (open !== undefined) events.warning(open);
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
