/**
 * A lowdb adapter for one JSON file that is never half-written and that survives a power cut.
 *
 * lowdb's own file adapter renames atomically, but does not flush: after a crash of the machine the file may be empty.
 * Here the order is: write a temporary file, flush its content, rename, flush the folder. Only then is a write
 * acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import { parseText } from '../record-text.ts';
import { DamagedRecord, StoreUnavailable } from '../store.ts';
import { Slots } from './slots.ts';

/** In each folder with documents: what a crash leaves in it is never read, and goes with the next start. */
const TEMPORARY = '.tmp';

/**
 * Node works on files with four threads, for all of a process. So many writes keep them as busy as any number does, and a
 * read does not queue behind the writes of all clients.
 */
const WRITES = new Slots(4);

/** Makes a folder ready for durable files. No other process may be using it. */
export async function prepareFolder(path: string): Promise<void> {
  await rm(join(path, TEMPORARY), { recursive: true, force: true });
  await mkdir(join(path, TEMPORARY), { recursive: true });
  await syncFolder(path);
}

export class DurableFile<T> implements Adapter<T> {
  readonly #path: string;
  readonly #flushFolder: () => Promise<void>;

  /**
   * @param path in a folder that is prepared
   * @param flushFolder flushes the entries of that folder; left out: at once, and for this file alone
   */
  constructor(path: string, flushFolder = () => syncFolder(dirname(path))) {
    this.#path = path;
    this.#flushFolder = flushFolder;
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
    const value = parseText(text, this.#path);
    // To lowdb, null is a document that does not exist.
    if (value === null) throw new DamagedRecord(`${this.#path} is not a JSON document`);
    return value as T;
  }

  /** @throws StoreUnavailable; then the file holds what it held before */
  async write(data: T): Promise<void> {
    // A name of its own for each write: one that failed to be removed must not stop the next.
    const temporary = join(dirname(this.#path), TEMPORARY, `${basename(this.#path)}.${randomUUID()}`);
    try {
      await WRITES.run(async () => {
        await writeFlushed(temporary, JSON.stringify(data));
        await rename(temporary, this.#path);
      });
      await this.#flushFolder();
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw new StoreUnavailable(`cannot write ${this.#path}: ${codeOf(error)}`, { cause: error });
    }
  }

  /** @throws StoreUnavailable */
  async remove(): Promise<void> {
    try {
      await unlink(this.#path);
      await this.#flushFolder();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw new StoreUnavailable(`cannot remove ${this.#path}: ${codeOf(error)}`, { cause: error });
    }
  }
}

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
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

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
