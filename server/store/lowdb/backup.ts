/** Reads a data folder that a server may be using meanwhile, and changes nothing in it. */
import { setTimeout as pause } from 'node:timers/promises';
import { resolve } from 'node:path';
import type { Data } from '../record-map.ts';
import { codeOf, type Files, nodeFiles } from './files.ts';
import { readVersion } from './folder.ts';
import { loadFolder } from './load.ts';
import { cannotOpen } from './open.ts';
import { readDocuments } from './version-1.ts';

/** A server may write a new snapshot and remove the files before it at any time; then the reading begins anew. */
const ATTEMPTS = 10;

/**
 * All records as they were at one moment: after the last batch of changes that is whole.
 * @returns undefined where there are no data
 * @throws CannotOpenStore when the folder cannot be read, or is damaged
 */
export async function readFolder(folder: string, files: Files = nodeFiles): Promise<Data | undefined> {
  const path = resolve(folder);
  for (let attempt = 1; ; attempt++) {
    try {
      const version = await readVersion(files, path);
      if (version === undefined) return undefined;
      return version === 1 ? await readDocuments(files, path) : (await loadFolder(files, path)).data;
    } catch (error) {
      if (attempt === ATTEMPTS) throw cannotOpen(path, error);
      if (codeOf(error) === 'ENOENT') continue;
      await pause(20 * attempt);
    }
  }
}
