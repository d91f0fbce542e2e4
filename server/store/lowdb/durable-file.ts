/**
 * A lowdb adapter for one JSON file that is never half-written and that survives a power cut.
 *
 * lowdb's own file adapter renames atomically, but does not flush: after a crash of the machine the file may be empty.
 * Here the order is: write beside it, flush the content, rename, flush the folder. Only then is a write acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { DamagedRecord, StoreUnavailable } from '../store.ts';

/** The ending of files that a crash may leave behind; they are never read. */
export const TEMPORARY = '.tmp';

export class DurableFile<T> implements Adapter<T> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws DamagedRecord when the file is not JSON, StoreUnavailable when it cannot be read */
  async read(): Promise<T | null> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw new StoreUnavailable(`cannot read ${this.#path}: ${codeOf(error)}`, { cause: error });
    }
    const value = parse(text);
    if (value == null) throw new DamagedRecord(`${this.#path} is not a JSON document`);
    return value as T;
  }

  /** @throws StoreUnavailable; then the file holds what it held before */
  async write(data: T): Promise<void> {
    // A name of its own for each write: one that failed to be removed must not stop the next.
    const temporary = `${this.#path}.${randomUUID()}${TEMPORARY}`;
    try {
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(JSON.stringify(data));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw new StoreUnavailable(`cannot write ${this.#path}: ${codeOf(error)}`, { cause: error });
    }
  }

  /** @throws StoreUnavailable */
  async remove(): Promise<void> {
    try {
      await unlink(this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw new StoreUnavailable(`cannot remove ${this.#path}: ${codeOf(error)}`, { cause: error });
    }
  }
}

/** Flushes the entries of a folder, so that a rename in it is durable. Windows has no such call and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
