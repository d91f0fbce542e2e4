/**
 * The embedded store: lowdb, one JSON document per edge and per subscription.
 *
 *     DATA_DIR/store.json            the format of this folder
 *     DATA_DIR/edges/*.json          one edge with its routes
 *     DATA_DIR/subscriptions/*.json  one subscription with its event types
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EdgeRecord } from '../../domain/edge.ts';
import type { SubscriptionRecord } from '../../domain/subscription.ts';
import { DamagedRecord, type Store } from '../store.ts';
import { codeOf, DurableFile, syncFolder } from './durable-file.ts';
import { DocumentFolder } from './document-folder.ts';
import { lockFolder } from './folder-lock.ts';

/** The folder cannot be used; the message is one line that says why. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

interface Manifest {
  format: 'edge-contract';
  version: 1;
}

/**
 * Opens the folder, or makes it.
 * @throws DataFolderError when it is held by another process, not writable, not a folder of this store, or damaged;
 *   then nothing in it has been changed
 */
export async function openLowdbStore(folder: string): Promise<Store> {
  const path = resolve(folder);
  const foreign = await prepare(path);
  const lock = await lockFolder(path).catch((error: unknown) => {
    throw new DataFolderError(`the data folder ${path} is not writable (${codeOf(error)})`);
  });
  if (!lock) throw new DataFolderError(`the data folder ${path} is held by another process`);
  try {
    await checkManifest(path, foreign);
    const edges = await openCollection<EdgeRecord>(join(path, 'edges'));
    const subscriptions = await openCollection<SubscriptionRecord>(join(path, 'subscriptions'));
    await syncFolder(path);
    return {
      edges,
      subscriptions,
      check: async () => undefined,
      close: async () => {
        await Promise.all([edges.settled(), subscriptions.settled()]);
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    if (error instanceof DataFolderError) throw error;
    if (error instanceof DamagedRecord) throw new DataFolderError(`damaged data: ${error.message}`);
    throw new DataFolderError(`the data folder ${path} cannot be used (${reasonOf(error)})`);
  }
}

/** Makes the folder; true when it holds files of somebody else. */
async function prepare(path: string): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true });
    const names = await readdir(path);
    const visible = names.filter((name) => !name.startsWith('.') && name !== 'lost+found');
    return visible.length > 0 && !visible.includes(MANIFEST);
  } catch (error) {
    throw new DataFolderError(`the data folder ${path} cannot be made or read (${codeOf(error)})`);
  }
}

const MANIFEST = 'store.json';

async function checkManifest(path: string, foreign: boolean): Promise<void> {
  if (foreign) throw new DataFolderError(`the folder ${path} is not empty and holds no data of this server`);
  const file = new DurableFile<Manifest>(join(path, MANIFEST));
  const manifest = await file.read();
  if (manifest === null) {
    await file.write({ format: 'edge-contract', version: 1 });
  } else if (manifest.format !== 'edge-contract' || manifest.version !== 1) {
    throw new DataFolderError(`${join(path, MANIFEST)} names a format that this version cannot read`);
  }
}

async function openCollection<T extends { id: string }>(path: string): Promise<DocumentFolder<T>> {
  await mkdir(path, { recursive: true });
  const collection = new DocumentFolder<T>(path);
  await collection.verify();
  return collection;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
