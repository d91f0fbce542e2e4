/**
 * One process owns a data folder. The lock is the kernel's, on an open file: it ends with the process, however that
 * ends, so that nothing is left to clean up after `kill -9` and no process id can be mistaken for another.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';

export interface FolderLock {
  release(): Promise<void>;
}

/** Undefined when another process holds the folder. */
export async function lockFolder(folder: string): Promise<FolderLock | undefined> {
  const file: FileHandle = await open(join(folder, '.lock'), 'a+', 0o600);
  if (!tryLock(file.fd)) {
    await file.close();
    return undefined;
  }
  return { release: () => file.close() };
}
