/**
 * The embedded store: lowdb with its data in memory, and a journal that makes them durable
 * (format.ts), in DATA_DIR beside `store.json`, the version of the format, and `cut-*`, what a
 * power failure left of a batch that was not flushed. A read never waits for the disk; the price is
 * memory, about 1 KB and the JSON for each record, and one process that holds the folder. Rejected:
 * a document for each record, with three flushes for each write.
 */
import { resolve } from 'node:path';
import { Low } from 'lowdb';
import { collectionsOf, type Data, RecordMap } from '../memory.ts';
import { type Store, type StoreEvents, StoreUnavailable } from '../store.ts';
import { codeOf, type Files, nodeFiles } from './files.ts';
import {
  begin,
  type FolderVersion,
  holdFolder,
  type LockFolder,
  lockFolder,
  readVersion,
  tooOpen,
} from './folder.ts';
import { recordLine } from './format.ts';
import { JournalAdapter } from './journal.ts';
import { cannotOpen } from './load.ts';
import { convert, putDocumentsAside } from './version-1.ts';

/** Parts that tests replace. */
export type LowdbOptions = {
  files?: Files;
  lock?: LockFolder;
  journalBytes?: number;
  retryMs?: number;
  stalledMs?: number;
};

/**
 * Replaying so many bytes takes a fifth of a second. With half as many, snapshots take a twentieth
 * of a create's CPU time.
 */
const JOURNAL_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 1000;
/** A flush takes a hundredth of it on a slow disk. */
const STALLED_MS = 1000;

/**
 * @throws CannotOpenStore for a folder held by another process, not writable, damaged, or of
 * something else
 */
export async function openLowdbStore(
  folder: string,
  events: StoreEvents,
  options: LowdbOptions = {},
): Promise<Store> {
  const path = resolve(folder);
  const { files = nodeFiles, journalBytes = JOURNAL_BYTES } = options;
  const { retryMs = RETRY_MS, stalledMs = STALLED_MS } = options;
  const release = await holdFolder(path, files, options.lock ?? lockFolder);
  try {
    const version = await prepare(files, path, events);
    const adapter = new JournalAdapter({
      files,
      folder: path,
      version,
      events,
      journalBytes,
      retryMs,
      stalledMs,
    });
    const db = new Low<Data>(adapter, { edges: new RecordMap(), subscriptions: new RecordMap() });
    await db.read().catch(async (error: unknown) => {
      await adapter.abandon();
      throw error;
    });
    adapter.takeSnapshot = () => db.write();
    const { edges, subscriptions, settled } = collectionsOf(db.data, {
      commit: (change) =>
        adapter.commit(recordLine(change), () =>
          db.data[change.collection].set(change.id, change.text),
        ),
      damaged: (error) => events.damaged(error),
    });
    return {
      edges,
      subscriptions,
      check: async () => {
        await adapter.check();
        await files.checkAccess(path).catch((error: unknown) => {
          const what = `is not readable and writable (${codeOf(error)})`;
          const reason = `the data folder ${what}`;
          throw new StoreUnavailable(`the data folder ${path} ${what}`, { reason });
        });
      },
      close: async () => {
        await settled();
        await adapter.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw cannotOpen(path, error);
  }
}

async function prepare(files: Files, path: string, events: StoreEvents): Promise<FolderVersion> {
  const version = await readVersion(files, path);
  if (version === undefined) {
    await begin(files, path);
  }
  if (version === 1) {
    events.warning(await convert(files, path));
  } else {
    await putDocumentsAside(files, path);
  }
  const open = await tooOpen(files, path);
  if (open !== undefined) {
    events.warning(open);
  }
  return version === 2 ? 2 : 3;
}
