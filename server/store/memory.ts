/**
 * Records in memory: the JSON text of each by its id, and the ids in order. Each change is handed
 * over to be made durable before anybody sees it.
 *
 * Texts and not objects: a reader cannot change a text, it is what the disk holds, a start need not
 * parse it, and it takes a third of an object's memory. Parsing one for a reader takes about 2 µs a
 * kilobyte.
 */
import type { EdgeRecord } from '../domain/edge.ts';
import type { SubscriptionRecord } from '../domain/subscription.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { hasPrivateKey, ParsedRecords, parseRecord, unlessDamaged } from './record-text.ts';
import {
  type Collection,
  type CollectionName,
  DamagedRecord,
  MAX_PAGE_BYTES,
  type Page,
  type PageRequest,
  type Store,
} from './store.ts';

/** A damaged text of a record: its bytes as they were found, and their place. */
export interface DamagedText {
  line: Buffer;
  place: string;
  /** The text before it, if that can be read. */
  older: string | undefined;
}

/** The newest text that can be read. */
export const readable = (text: string | DamagedText | undefined) =>
  typeof text === 'object' ? text.older : text;

export type Texts = Map<string, string | DamagedText>;

export class RecordMap {
  readonly #texts: Texts;
  /** In ascending order of their UTF-16 code units. */
  readonly #ids: string[];

  constructor(texts: Texts = new Map()) {
    this.#texts = texts;
    this.#ids = [...texts.keys()].sort();
  }

  get size(): number {
    return this.#texts.size;
  }

  get(id: string): string | DamagedText | undefined {
    return this.#texts.get(id);
  }

  /** @param text null removes the record */
  set(id: string, text: string | null): void {
    if (text === null) {
      if (this.#texts.delete(id)) {
        this.#ids.splice(this.#indexOf(id), 1);
      }
      return;
    }
    if (!this.#texts.has(id)) {
      this.#ids.splice(this.#indexOf(id), 0, id);
    }
    this.#texts.set(id, text);
  }

  /** The greatest id that is less than `position`, or the greatest of all. */
  idBelow(position: string | undefined): string | undefined {
    return this.#ids[(position === undefined ? this.#ids.length : this.#indexOf(position)) - 1];
  }

  /** May go on while records change. */
  entries(): IterableIterator<[string, string | DamagedText]> {
    return this.#texts.entries();
  }

  /** The index of the first id that is not less than `position`. */
  #indexOf(position: string): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

export type Data = Record<CollectionName, RecordMap>;

export interface Change {
  collection: CollectionName;
  id: string;
  /** Null: the record is removed. */
  text: string | null;
}

export interface Durability {
  /** Resolves once the change is durable and is in the data. */
  commit(change: Change): Promise<void>;
  /** Called for each record that is omitted from a list. */
  damaged(error: DamagedRecord): void;
}

/**
 * The collections of a store that keeps its data in memory; `settled` waits for the changes under
 * way.
 */
export function collectionsOf(data: Data, durability: Durability) {
  const queue = new KeyedQueue();
  return {
    edges: new TextCollection<EdgeRecord>('edges', data.edges, queue, durability),
    subscriptions: new TextCollection<SubscriptionRecord>(
      'subscriptions',
      data.subscriptions,
      queue,
      durability,
    ),
    settled: () => queue.settled(),
  };
}

/** A store that keeps nothing beyond the process: for tests, and to read data without a server. */
export function createMemoryStore(
  data: Data = { edges: new RecordMap(), subscriptions: new RecordMap() },
  damaged: (error: DamagedRecord) => void = () => undefined,
): Store {
  const commit = async ({ collection, id, text }: Change) => data[collection].set(id, text);
  const { edges, subscriptions } = collectionsOf(data, { commit, damaged });
  return { edges, subscriptions, check: async () => undefined, close: async () => undefined };
}

/** The records of one collection as readers and writers meet them. */
class TextCollection<T extends { id: string }> implements Collection<T> {
  readonly #name: CollectionName;
  readonly #records: RecordMap;
  readonly #queue: KeyedQueue;
  readonly #durability: Durability;
  readonly #parsed = new ParsedRecords<T>();

  constructor(name: CollectionName, records: RecordMap, queue: KeyedQueue, durability: Durability) {
    this.#name = name;
    this.#records = records;
    this.#queue = queue;
    this.#durability = durability;
  }

  async get(id: string): Promise<T | undefined> {
    return this.#read(id);
  }

  async count(): Promise<number> {
    return this.#records.size;
  }

  async list({ limit, before }: PageRequest): Promise<Page<T>> {
    const page: T[] = [];
    let bytes = 0;
    for (let last = before; ;) {
      const id = this.#records.idBelow(last);
      if (id === undefined) {
        return { records: page, next: undefined };
      }
      bytes += this.#bytesOf(id);
      if (page.length === limit || (bytes > MAX_PAGE_BYTES && page.length > 0)) {
        return { records: page, next: last };
      }
      const record = unlessDamaged(
        () => this.#read(id),
        (error) => this.#durability.damaged(error),
      );
      if (record !== undefined) {
        page.push(record);
      }
      last = id;
    }
  }

  create(record: T): Promise<boolean> {
    return this.#inTurn(record.id, async () => {
      if (this.#records.get(record.id) !== undefined) {
        return false;
      }
      // Without the object: many more are created than read soon, and one that lives long takes
      // the collector's time.
      await this.#commit(record.id, JSON.stringify(record));
      return true;
    });
  }

  update(id: string, change: (current: T | undefined) => T | null | undefined) {
    return this.#inTurn(id, async () => {
      const current = this.#read(id);
      const next = change(current) ?? undefined;
      if (next !== current) {
        await this.#keep(id, next ?? null);
      }
      return next;
    });
  }

  replace(id: string, record: T | null): Promise<void> {
    return this.#inTurn(id, async () => {
      if (record !== null || this.#records.get(id) !== undefined) {
        await this.#keep(id, record);
      }
    });
  }

  #inTurn<R>(id: string, job: () => Promise<R>): Promise<R> {
    return this.#queue.run(`${this.#name}/${id}`, job);
  }

  #commit(id: string, text: string | null): Promise<void> {
    return this.#durability.commit({ collection: this.#name, id, text });
  }

  async #keep(id: string, record: T | null): Promise<void> {
    const text = record && JSON.stringify(record);
    await this.#commit(id, text);
    // A record that has a private key is read without it.
    if (record && text && !hasPrivateKey(text)) {
      this.#parsed.keep(id, text, { text, record });
    } else {
      this.#parsed.drop(id);
    }
  }

  #read(id: string): T | undefined {
    const text = this.#records.get(id);
    if (text === undefined) {
      return undefined;
    }
    if (typeof text !== 'string') {
      throw new DamagedRecord(`the record ${this.#name}/${id} is damaged in ${text.place}`);
    }
    const before = this.#parsed.get(id, text);
    if (before !== undefined) {
      return before.record;
    }
    const place = `the record ${this.#name}/${id}`;
    return this.#parsed.keep(id, text, { text, record: parseRecord<T>(text, id, place) });
  }

  #bytesOf(id: string): number {
    const text = this.#records.get(id);
    if (typeof text === 'object') {
      return text.line.length;
    }
    return text === undefined ? 0 : Buffer.byteLength(text);
  }
}
