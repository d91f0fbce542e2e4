/** A collection with one lowdb document per record, so that the cost of a write does not grow with their number. */
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { checkRecord } from '../record-text.ts';
import { type Collection, DamagedRecord, StoreUnavailable, type Trouble } from '../store.ts';
import { codeOf, DurableFile, syncFolder } from './durable-file.ts';
import { fileNameOf, idOf } from './file-name.ts';
import { IdIndex } from './id-index.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { SharedRun } from './shared-run.ts';

const EXTENSION = '.json';

/** Ids are all that is kept in memory: at most four windows of this size, a few megabytes. */
const WINDOW_SIZE = 10_000;

/** How many documents of a list are read at once. */
const READ_AT_ONCE = 32;

export class DocumentFolder<T extends { id: string }> implements Collection<T> {
  readonly #folder: string;
  readonly #trouble: Trouble;
  readonly #writes = new KeyedQueue();
  /** Of the folder's entries: one flush is enough for all changes before it. */
  readonly #flush: SharedRun;
  readonly #index: IdIndex;

  /** @param folder must be prepared (`prepareFolder`); nothing in it is read before it is asked for */
  constructor(folder: string, trouble: Trouble) {
    this.#folder = folder;
    this.#trouble = trouble;
    this.#flush = new SharedRun(() => syncFolder(folder));
    this.#index = new IdIndex({ readIds: () => this.#readIds(), windowSize: WINDOW_SIZE });
  }

  async get(id: string): Promise<T | undefined> {
    const document = await this.#open(id);
    return document.data ?? undefined;
  }

  async list({ limit, before }: { limit: number; before: string | undefined }): Promise<T[]> {
    const records: T[] = [];
    for (let position = before; records.length < limit;) {
      const ids = await this.#idsBelow(position, Math.min(READ_AT_ONCE, limit - records.length));
      if (ids.length === 0) break;
      position = ids.at(-1);
      // One that was removed meanwhile is left out.
      records.push(...(await Promise.all(ids.map((id) => this.#readable(id)))).filter((one) => one !== undefined));
    }
    return records;
  }

  async count(): Promise<number> {
    let count = 0;
    for await (const _ of this.#readIds()) count += 1;
    return count;
  }

  update(id: string, change: (current: T | undefined) => T | null | undefined): Promise<T | undefined> {
    return this.#writes.run(id, async () => {
      const file = this.#file(id);
      const document = await this.#open(id, file);
      const current = document.data ?? undefined;
      const next = change(current);
      if (next === current) return current;
      if (next == null) {
        await file.remove();
        this.#index.set(id, false);
        return undefined;
      }
      document.data = next;
      await document.write();
      if (current === undefined) this.#index.set(id, true);
      return next;
    });
  }

  /** Waits for the changes that are under way. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  async #idsBelow(position: string | undefined, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let id = await this.#index.below(position); id !== undefined; id = await this.#index.below(id)) {
      ids.push(id);
      if (ids.length === count) break;
    }
    return ids;
  }

  async #readable(id: string): Promise<T | undefined> {
    try {
      return await this.get(id);
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      this.#trouble.damaged(error);
      return undefined;
    }
  }

  /** Of the documents in the folder; what is not ours is passed over. */
  async *#readIds(): AsyncGenerator<string> {
    try {
      for await (const { name } of await opendir(this.#folder, { bufferSize: 1024 })) {
        const id = name.endsWith(EXTENSION) ? idOf(name.slice(0, -EXTENSION.length)) : undefined;
        if (id !== undefined) yield id;
      }
    } catch (error) {
      throw new StoreUnavailable(`cannot read ${this.#folder}: ${codeOf(error)}`, { cause: error });
    }
  }

  async #open(id: string, file = this.#file(id)): Promise<Low<T | null>> {
    const document = new Low<T | null>(file, null);
    await document.read();
    if (document.data !== null) checkRecord(document.data, id, this.#path(id));
    return document;
  }

  #file(id: string): DurableFile<T | null> {
    return new DurableFile(this.#path(id), () => this.#flush.run());
  }

  #path(id: string): string {
    return join(this.#folder, fileNameOf(id) + EXTENSION);
  }
}
