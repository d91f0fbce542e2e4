/** A collection with one lowdb document per record, so that the cost of a write does not grow with their number. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { type Collection, DamagedRecord } from '../store.ts';
import { DurableFile } from './durable-file.ts';
import { fileNameOf, idOf } from './file-name.ts';
import { KeyedQueue } from './keyed-queue.ts';

const EXTENSION = '.json';

export class DocumentFolder<T extends { id: string }> implements Collection<T> {
  readonly #folder: string;
  readonly #writes = new KeyedQueue();

  /** @param folder must exist */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(id: string): Promise<T | undefined> {
    const document = await this.#open(id);
    return document.data ?? undefined;
  }

  async list({ limit, before }: { limit: number; before: string | undefined }): Promise<T[]> {
    const ids = (await this.#ids()).filter((id) => before === undefined || id < before);
    const records: T[] = [];
    for (const id of ids.toSorted().toReversed()) {
      if (records.length === limit) break;
      // One that was removed since the folder was read is left out.
      const record = await this.get(id);
      if (record) records.push(record);
    }
    return records;
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
        return undefined;
      }
      document.data = next;
      await document.write();
      return next;
    });
  }

  /** Waits for the changes that are under way. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  /**
   * Reads every document once, so that damage is found at the start and not by a client.
   * @throws DamagedRecord
   */
  async verify(): Promise<void> {
    for (const id of await this.#ids()) await this.get(id);
  }

  /** Of the documents in the folder; temporary files and what is not ours are passed over. */
  async #ids(): Promise<string[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(EXTENSION));
    return names.map((name) => idOf(name.slice(0, -EXTENSION.length))).filter((id) => id !== undefined);
  }

  async #open(id: string, file = this.#file(id)): Promise<Low<T | null>> {
    const document = new Low<T | null>(file, null);
    await document.read();
    const record = document.data;
    if (record !== null && (typeof record !== 'object' || record.id !== id)) {
      throw new DamagedRecord(`${this.#path(id)} does not hold the record ${id}`);
    }
    return document;
  }

  #file(id: string): DurableFile<T | null> {
    return new DurableFile(this.#path(id));
  }

  #path(id: string): string {
    return join(this.#folder, fileNameOf(id) + EXTENSION);
  }
}
