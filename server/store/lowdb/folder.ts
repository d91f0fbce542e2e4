/** The data folder itself: how it is made, for whom it is readable, and which version of the server wrote it. */
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotOpenStore } from '../store.ts';
import { codeOf, type Files, readWhole, writeWhole } from './files.ts';

export const MANIFEST = 'store.json';

/** What the folder holds: 2 are snapshots and journals, 1 is a document for each record (server version 0.3). */
export type FolderVersion = 1 | 2;

/**
 * Makes the folder and those above it, each durable in the one above. All of them are flushed at each start: the one before
 * may have ended between the two steps.
 */
export async function makeFolder(files: Files, path: string): Promise<void> {
  const above = dirname(path);
  if (above === path) return;
  let made = true;
  try {
    await files.makeFolder(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      await makeFolder(files, above);
      return makeFolder(files, path);
    }
    if (codeOf(error) !== 'EEXIST') throw error;
    made = false;
  }
  for (let folder = above, below = path; folder !== below; below = folder, folder = dirname(folder)) {
    await files.flushFolder(folder).catch((error: unknown) => {
      // Whoever may not read a folder has made nothing in it.
      if ((made && folder === above) || codeOf(error) === 'EIO') throw error;
    });
  }
}

/** True when there are files in the folder, and none says that they are ours. */
export function isForeign(names: string[]): boolean {
  const visible = names.filter((name) => !name.startsWith('.') && name !== 'lost+found');
  return visible.length > 0 && !visible.includes(MANIFEST);
}

/**
 * Undefined where nothing has been written yet.
 * @throws CannotOpenStore, and errors of the file system
 */
export async function readVersion(files: Files, folder: string): Promise<FolderVersion | undefined> {
  const path = join(folder, MANIFEST);
  let content: Buffer;
  try {
    content = await readWhole(files, path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const { format, version } = parse(content.toString());
  if (format !== 'edge-contract' || (version !== 1 && version !== 2)) {
    throw new CannotOpenStore(`${path} names a format that this version cannot read`);
  }
  return version;
}

export async function writeVersion(files: Files, folder: string, version: FolderVersion): Promise<void> {
  async function* content() {
    yield JSON.stringify({ format: 'edge-contract', version });
  }
  await writeWhole(files, folder, MANIFEST, content());
}

function parse(text: string): { format?: unknown; version?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { format?: unknown; version?: unknown };
  } catch {
    return {};
  }
}

/** One line that names what others on this machine can read or change; undefined where there is nothing. */
export async function tooOpen(files: Files, folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const others = constants.S_IRWXG | constants.S_IRWXO;
  const open: string[] = [];
  for (const path of [folder, ...(await files.names(folder)).map((name) => join(folder, name))]) {
    if (((await files.mode(path)) & others) !== 0) open.push(path);
  }
  if (open.length === 0) return undefined;
  const more = open.length > 3 ? ` and ${open.length - 3} more` : '';
  return `others on this machine can read or change ${open.slice(0, 3).join(', ')}${more}: chmod -R go-rwx ${folder}`;
}
