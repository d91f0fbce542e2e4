/**
 * The embedded store: lowdb, one JSON document per edge and per subscription.
 *
 *     DATA_DIR/store.json            the format of this folder
 *     DATA_DIR/edges/*.json          one edge with its routes
 *     DATA_DIR/subscriptions/*.json  one subscription with its event types
 *
 * Opening reads no document, so that the start takes no longer with more of them. One that is damaged is found when it
 * is asked for, and concerns nobody else.
 */
import { constants } from 'node:fs';
import { access, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EdgeRecord } from '../../domain/edge.ts';
import type { SubscriptionRecord } from '../../domain/subscription.ts';
import { CannotOpenStore, type Store, StoreUnavailable, type Trouble } from '../store.ts';
import { codeOf, DurableFile, prepareFolder, syncFolder } from './durable-file.ts';
import { DocumentFolder } from './document-folder.ts';
import { lockFolder } from './folder-lock.ts';

interface Manifest {
  format: 'edge-contract';
  version: 1;
}

/**
 * Opens the folder, or makes it.
 * @throws CannotOpenStore when it is held by another process, not writable, or not a folder of this store
 */
export async function openLowdbStore(folder: string, trouble: Trouble): Promise<Store> {
  const path = resolve(folder);
  const foreign = await make(path);
  const lock = await lockFolder(path).catch((error: unknown) => {
    throw new CannotOpenStore(`the data folder ${path} is not writable (${codeOf(error)})`);
  });
  if (!lock) throw new CannotOpenStore(`the data folder ${path} is held by another process`);
  try {
    if (foreign) throw new CannotOpenStore(`the folder ${path} is not empty and holds no data of this server`);
    await prepareFolder(path);
    await checkManifest(path);
    for (const name of ['edges', 'subscriptions']) await prepareFolder(join(path, name));
    await syncFolder(path);
    const edges = new DocumentFolder<EdgeRecord>(join(path, 'edges'), trouble);
    const subscriptions = new DocumentFolder<SubscriptionRecord>(join(path, 'subscriptions'), trouble);
    return {
      edges,
      subscriptions,
      check: () => checkWritable(path),
      close: async () => {
        await Promise.all([edges.settled(), subscriptions.settled()]);
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    if (error instanceof CannotOpenStore) throw error;
    throw new CannotOpenStore(`the data folder ${path} cannot be used (${reasonOf(error)})`);
  }
}

/** Makes the folder; true when it holds files of somebody else. */
async function make(path: string): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true });
    const names = await readdir(path);
    const visible = names.filter((name) => !name.startsWith('.') && name !== 'lost+found');
    return visible.length > 0 && !visible.includes(MANIFEST);
  } catch (error) {
    throw new CannotOpenStore(`the data folder ${path} cannot be made or read (${codeOf(error)})`);
  }
}

const MANIFEST = 'store.json';

async function checkManifest(path: string): Promise<void> {
  const file = new DurableFile<Manifest>(join(path, MANIFEST));
  const manifest = await file.read();
  if (manifest === null) {
    await file.write({ format: 'edge-contract', version: 1 });
  } else if (manifest.format !== 'edge-contract' || manifest.version !== 1) {
    throw new CannotOpenStore(`${join(path, MANIFEST)} names a format that this version cannot read`);
  }
}

/** @throws StoreUnavailable */
async function checkWritable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StoreUnavailable(`the data folder ${path} is not readable and writable (${codeOf(error)})`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
