/** A collection whose records are in memory, and whose changes are given away to be made durable before they are seen. */
import { KeyedQueue } from './keyed-queue.ts';
import type { DamagedText, RecordMap } from './record-map.ts';
import { parseRecord } from './record-text.ts';
import { type Collection, type CollectionName, DamagedRecord, MAX_PAGE_BYTES, type Page } from './store.ts';

export interface Change {
  collection: CollectionName;
  id: string;
  /** Null: the record is removed. */
  text: string | null;
}

/** Resolves once the change is durable and is in the map. */
export type Commit = (change: Change) => Promise<void>;

export class RecordCollection<T extends { id: string }> implements Collection<T> {
  readonly #name: CollectionName;
  readonly #records: RecordMap;
  readonly #commit: Commit;
  readonly #damaged: (error: DamagedRecord) => void;
  readonly #changes = new KeyedQueue();

  constructor(name: CollectionName, records: RecordMap, commit: Commit, damaged: (error: DamagedRecord) => void) {
    this.#name = name;
    this.#records = records;
    this.#commit = commit;
    this.#damaged = damaged;
  }

  async get(id: string): Promise<T | undefined> {
    return this.#read(id);
  }

  async list({ limit, before }: { limit: number; before: string | undefined }): Promise<Page<T>> {
    const records: T[] = [];
    let bytes = 0;
    let last = before;
    let id = this.#records.idBelow(before);
    while (id !== undefined && records.length < limit) {
      bytes += bytesOf(this.#records.get(id)!);
      if (bytes > MAX_PAGE_BYTES && records.length > 0) break;
      const record = this.#readable(id);
      if (record !== undefined) records.push(record);
      last = id;
      id = this.#records.idBelow(last);
    }
    return { records, next: id === undefined ? undefined : last };
  }

  async count(): Promise<number> {
    return this.#records.size;
  }

  create(record: T): Promise<boolean> {
    return this.#changes.run(record.id, async () => {
      if (this.#records.get(record.id) !== undefined) return false;
      await this.#keep(record.id, record);
      return true;
    });
  }

  update(id: string, change: (current: T | undefined) => T | null | undefined): Promise<T | undefined> {
    return this.#changes.run(id, async () => {
      const current = this.#read(id);
      const next = change(current) ?? undefined;
      if (next !== current) await this.#keep(id, next ?? null);
      return next;
    });
  }

  replace(id: string, record: T | null): Promise<void> {
    return this.#changes.run(id, async () => {
      if (record !== null || this.#records.get(id) !== undefined) await this.#keep(id, record);
    });
  }

  /** Waits for the changes that are under way. */
  settled(): Promise<void> {
    return this.#changes.settled();
  }

  #keep(id: string, record: T | null): Promise<void> {
    return this.#commit({ collection: this.#name, id, text: record === null ? null : JSON.stringify(record) });
  }

  #read(id: string): T | undefined {
    const text = this.#records.get(id);
    if (text === undefined) return undefined;
    if (typeof text !== 'string') throw new DamagedRecord(`the record ${this.#name}/${id} is damaged in ${text.place}`);
    return parseRecord<T>(text, id, `the record ${this.#name}/${id}`);
  }

  #readable(id: string): T | undefined {
    try {
      return this.#read(id);
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      this.#damaged(error);
      return undefined;
    }
  }
}

function bytesOf(text: string | DamagedText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.line.length;
}
