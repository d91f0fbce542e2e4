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
  type Store,
} from './store.ts';

/** A damaged text of a record: its bytes as they were found, and their place. */
export interface DamagedText {
  line: Buffer;
  place: string;
  /** The text before it, where that can be read. */
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
    edges: collectionOf<EdgeRecord>('edges', data.edges, queue, durability),
    subscriptions: collectionOf<SubscriptionRecord>(
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

function collectionOf<T extends { id: string }>(
  name: CollectionName,
  records: RecordMap,
  queue: KeyedQueue,
  { commit, damaged }: Durability,
): Collection<T> {
  const inTurn = <R>(id: string, job: () => Promise<R>) => queue.run(`${name}/${id}`, job);
  const parsed = new ParsedRecords<T>();
  const keep = async (id: string, record: T | null) => {
    const text = record && JSON.stringify(record);
    await commit({ collection: name, id, text });
    // A record that has a private key is read without it.
    if (record && text && !hasPrivateKey(text)) {
      parsed.keep(id, text, { text, record });
    } else {
      parsed.drop(id);
    }
  };
  const read = (id: string): T | undefined => {
    const text = records.get(id);
    if (text === undefined) {
      return undefined;
    }
    if (typeof text !== 'string') {
      throw new DamagedRecord(`the record ${name}/${id} is damaged in ${text.place}`);
    }
    const before = parsed.get(id, text);
    if (before !== undefined) {
      return before.record;
    }
    return parsed.keep(id, text, {
      text,
      record: parseRecord<T>(text, id, `the record ${name}/${id}`),
    });
  };
  return {
    get: async (id) => read(id),
    count: async () => records.size,
    async list({ limit, before }) {
      const page: T[] = [];
      let bytes = 0;
      for (let last = before; ;) {
        const id = records.idBelow(last);
        if (id === undefined) {
          return { records: page, next: undefined };
        }
        const text = records.get(id)!;
        bytes += typeof text === 'string' ? Buffer.byteLength(text) : text.line.length;
        if (page.length === limit || (bytes > MAX_PAGE_BYTES && page.length > 0)) {
          return { records: page, next: last };
        }
        const record = unlessDamaged(() => read(id), damaged);
        if (record !== undefined) {
          page.push(record);
        }
        last = id;
      }
    },
    create: (record) =>
      inTurn(record.id, async () => {
        if (records.get(record.id) !== undefined) {
          return false;
        }
        // Without the object: many more are created than read soon, and one that lives long takes
        // the collector's time.
        await commit({ collection: name, id: record.id, text: JSON.stringify(record) });
        return true;
      }),
    update: (id, change) =>
      inTurn(id, async () => {
        const current = read(id);
        const next = change(current) ?? undefined;
        if (next !== current) {
          await keep(id, next ?? null);
        }
        return next;
      }),
    replace: (id, record) =>
      inTurn(id, async () => {
        if (record !== null || records.get(id) !== undefined) {
          await keep(id, record);
        }
      }),
  };
}
