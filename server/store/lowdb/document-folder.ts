/** A collection with one lowdb document per record, so that the cost of a write does not grow with their number. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { type Collection, DamagedRecord } from '../store.ts';
import { DurableFile } from './durable-file.ts';
import { fileNameOf } from './file-name.ts';
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
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(EXTENSION)) continue;
      const path = join(this.#folder, name);
      const record = await new DurableFile<T>(path).read();
      if (typeof record?.id !== 'string' || this.#path(record.id) !== path) {
        throw new DamagedRecord(`${path} does not hold the record that its name says`);
      }
    }
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
