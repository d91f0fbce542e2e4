/**
 * The records of a collection in memory: the JSON text of each by its id, and the ids in order.
 *
 * Texts and not objects: a text cannot be changed by who reads it, it is what the disk holds, a start need not parse it,
 * and it takes a third of an object's memory. Parsing one for a reader takes about 2 µs a kilobyte.
 */
import { SortedIds } from './sorted-ids.ts';
import type { CollectionName } from './store.ts';

/** What is kept under an id whose text is damaged: the bytes as they were found, and where. */
export interface DamagedText {
  line: Buffer;
  place: string;
}

export class RecordMap {
  readonly #texts: Map<string, string | DamagedText>;
  readonly #ids: SortedIds;

  constructor(texts = new Map<string, string | DamagedText>()) {
    this.#texts = texts;
    this.#ids = new SortedIds(texts.keys());
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
      this.#texts.delete(id);
      this.#ids.remove(id);
    } else {
      if (!this.#texts.has(id)) this.#ids.add(id);
      this.#texts.set(id, text);
    }
  }

  /** The greatest id that is less than `position`, or the greatest of all. */
  idBelow(position: string | undefined): string | undefined {
    return this.#ids.below(position);
  }

  /** May go on while records change. */
  entries(): IterableIterator<[string, string | DamagedText]> {
    return this.#texts.entries();
  }
}

/** All data of a store. */
export type Data = Record<CollectionName, RecordMap>;

export function noData(): Data {
  return { edges: new RecordMap(), subscriptions: new RecordMap() };
}
