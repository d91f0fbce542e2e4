/**
 * The data folder itself: how it is made, which process owns it, who can read it, and which version
 * of the server wrote it.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { jsonOf } from '../record-text.ts';
import { CannotOpenStore } from '../store.ts';
import { codeOf, type Files, ignore, type OpenFile, readWhole, writeWhole } from './files.ts';
import { beginJournal, FIRST_LINE, generationsOf, journalName } from './format.ts';

export const MANIFEST = 'store.json';

/**
 * 3: snapshots and journals. 2: without first lines and `stopped` (version 0.4). 1: a document a
 * record (0.3).
 */
export type FolderVersion = 1 | 2 | 3;

type Release = () => Promise<void>;

/** @returns undefined when another process holds the folder */
export type LockFolder = (folder: string) => Promise<Release | undefined>;

/**
 * One process owns a data folder. The lock of the kernel on an open file ends with the process,
 * also by `kill -9`.
 */
export const lockFolder: LockFolder = async (folder) => {
  const file = await open(join(folder, '.lock'), 'a+', 0o600);
  if (tryLock(file.fd)) {
    return () => file.close();
  }
  await file.close();
  return undefined;
};

/** Makes the folder if it does not exist, and locks it. @throws CannotOpenStore */
export async function holdFolder(path: string, files: Files, lock: LockFolder): Promise<Release> {
  let foreign: boolean;
  try {
    await makeFolder(files, path);
    // Files, and no manifest of this server. The first journal is made before the manifest.
    const isOther = (name: string) =>
      !name.startsWith('.') && name !== 'lost+found' && name !== journalName(1);
    const visible = (await files.names(path)).filter(isOther);
    foreign = visible.length > 0 && !visible.includes(MANIFEST);
  } catch (error) {
    throw new CannotOpenStore(`the data folder ${path} cannot be made or read (${codeOf(error)})`);
  }
  if (foreign) {
    throw new CannotOpenStore(`the folder ${path} is not empty and has no data of this server`);
  }
  let release: Release | undefined;
  try {
    // An old lock can be taken even if nothing new can be made.
    await files.checkAccess(path);
    release = await lock(path);
  } catch (error) {
    const advice = `run the server as its owner, and chmod u+rwx ${path}`;
    throw new CannotOpenStore(
      `the data folder ${path} is not writable (${codeOf(error)}): ${advice}`,
    );
  }
  if (!release) {
    throw heldByOther(path);
  }
  return release;
}

function heldByOther(path: string): CannotOpenStore {
  return new CannotOpenStore(`the data folder ${path} is held by another process`);
}

/**
 * Takes the last journal for this process: `.lock` may have been removed beneath a server that
 * runs. What a server writes to is what it holds: without its name, it is no part of the folder.
 *
 * @returns undefined if there is no journal
 * @throws CannotOpenStore
 */
export async function lockLastJournal(files: Files, folder: string): Promise<OpenFile | undefined> {
  const journals = await journalsIn(files, folder);
  const held: OpenFile[] = [];
  try {
    // From the first on: a server that begins another journal still holds the one before.
    for (const generation of journals) {
      held.push(await lockJournal(files, folder, generation));
    }
    // It may have begun another one meanwhile.
    if ((await journalsIn(files, folder)).join() !== journals.join()) {
      throw heldByOther(folder);
    }
  } catch (error) {
    await closeAll(held);
    // A journal that was there before is removed only by a server that runs.
    throw codeOf(error) === 'ENOENT' ? heldByOther(folder) : error;
  }
  const last = held.pop();
  await closeAll(held);
  return last;
}

async function closeAll(files: readonly OpenFile[]): Promise<void> {
  for (const file of files) {
    await file.close();
  }
}

async function journalsIn(files: Files, folder: string): Promise<number[]> {
  return generationsOf(await files.names(folder)).journals;
}

/** @returns the file, whose end is that of the lock @throws CannotOpenStore */
export async function lockJournal(
  files: Files,
  folder: string,
  generation: number,
): Promise<OpenFile> {
  const file = await files.open(join(folder, journalName(generation)), 'r+');
  if (!file.lock()) {
    await file.close();
    throw heldByOther(folder);
  }
  return file;
}

/**
 * Makes the folder and those above it, each durable in the one above; all at each start, since one
 * may break off.
 * @param hasAbove whether the folder above is there: some take no others, such as /proc
 */
async function makeFolder(files: Files, path: string, hasAbove = false): Promise<void> {
  const above = dirname(path);
  if (above === path) {
    return;
  }
  let made = true;
  try {
    await files.makeFolder(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !hasAbove) {
      await makeFolder(files, above);
      return makeFolder(files, path, true);
    }
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
    made = false;
  }
  for (
    let folder = above, below = path;
    folder !== below;
    below = folder, folder = dirname(folder)
  ) {
    await files.flushFolder(folder).catch((error: unknown) => {
      // A process that cannot read a folder has made nothing in it.
      if ((made && folder === above) || codeOf(error) === 'EIO') {
        throw error;
      }
    });
  }
}

/**
 * Undefined if nothing has been written yet.
 * @throws CannotOpenStore, and errors of the file system
 */
export async function readVersion(
  files: Files,
  folder: string,
): Promise<FolderVersion | undefined> {
  const path = join(folder, MANIFEST);
  const content = await readWhole(files, path).catch(ignore('ENOENT'));
  if (content === undefined) {
    return undefined;
  }
  const { format, version } = (jsonOf(content.toString()) ?? {}) as {
    format?: unknown;
    version?: unknown;
  };
  if (format === 'edge-contract' && (version === 1 || version === 2 || version === 3)) {
    return version;
  }
  throw new CannotOpenStore(
    `${path} names a format that this version cannot read: use the version that wrote it`,
  );
}

/**
 * After its first journal, so that a folder whose journals were removed is not taken for a new one.
 */
export async function writeVersion(files: Files, folder: string): Promise<void> {
  await writeWhole(files, join(folder, MANIFEST), [
    JSON.stringify({ format: 'edge-contract', version: 3 }),
  ]);
}

/** Makes an empty store. @throws CannotOpenStore if there is a journal with changes */
export async function begin(files: Files, folder: string): Promise<void> {
  const journal = await readWhole(files, join(folder, journalName(1))).catch(ignore('ENOENT'));
  if (journal !== undefined && !journal.equals(FIRST_LINE)) {
    throw new CannotOpenStore(
      `${folder} has a journal and no ${MANIFEST}: restore a backup, or that file`,
    );
  }
  await beginJournal(files, folder, 1);
  await writeVersion(files, folder);
}

/**
 * One line that names what others on this machine can read or change; undefined if there is
 * nothing.
 */
export async function tooOpen(files: Files, folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') {
    return undefined;
  }
  const others = constants.S_IRWXG | constants.S_IRWXO;
  const found: string[] = [];
  for (const path of [folder, ...(await files.names(folder)).map((name) => join(folder, name))]) {
    // A server that has the folder may remove a file that was just listed.
    const mode = await files.mode(path).catch(ignore('ENOENT'));
    if (mode !== undefined && (mode & others) !== 0) {
      found.push(path);
    }
  }
  if (found.length === 0) {
    return undefined;
  }
  const more = found.length > 3 ? ` and ${found.length - 3} more` : '';
  return (
    'others on this machine can read or change ' +
    `${found.slice(0, 3).join(', ')}${more}: chmod -R go-rwx ${folder}`
  );
}
