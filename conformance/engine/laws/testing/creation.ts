/** The creations of the library. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Json } from '../resource.ts';
import {
  type Collection,
  complete,
  type Library,
  NAMES,
  type StoredItem,
} from './library-state.ts';
import { expectFreeName, expectRoom, validate } from './validation.ts';

/** The number of random characters of an id. */
const RANDOM = 16;

export class Creation {
  readonly #library: Library;
  #created = 0;
  #idsGiven = 0;

  constructor(library: Library) {
    this.#library = library;
  }

  /** @throws LibraryRefusal */
  async create(collection: Collection, json: unknown): Promise<StoredItem> {
    const library = this.#library;
    try {
      validate(library, collection.kind, json, 'create');
      expectFreeName(library, collection, json);
      expectRoom(library, collection);
    } catch (error) {
      this.#afterRefusal(collection, json);
      throw error;
    }
    await this.#wait(collection);
    const item = await this.#insertWaiting(collection, json);
    if (library.has('creates items twice')) {
      this.#insert(collection, json);
    }
    if (library.has('creates items in all places')) {
      this.#insertElsewhere(collection, item);
    }
    if (library.has('brings removed items back')) {
      collection.items.unshift(...collection.removed.splice(-1));
    }
    return item;
  }

  #afterRefusal(collection: Collection, json: unknown): void {
    collection.refused++;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      return;
    }
    const body = json as Json;
    const name = NAMES[collection.kind];
    if (name !== undefined && this.#library.has('keeps the names of refused creations')) {
      collection.takenNames.push(body[name]);
    }
    if (this.#library.has('creates what it refuses')) {
      this.#insert(collection, body);
    }
  }

  async #wait(collection: Collection): Promise<void> {
    if (this.#library.has('looks for names before it waits')) {
      await setImmediate();
    }
    if (this.#library.has('writes back the list that it read')) {
      const before = [...collection.items];
      await setImmediate();
      collection.items = before;
    }
  }

  async #insertWaiting(collection: Collection, body: Json): Promise<StoredItem> {
    if (this.#library.has('counts items before it waits')) {
      const count = this.#idsGiven;
      await setImmediate();
      this.#idsGiven = count;
    }
    if (this.#library.has('completes items after it lists them')) {
      const { title } = body;
      const item = this.#insert(collection, { title });
      await setImmediate();
      item.body = complete(body, collection.kind);
      return item;
    }
    return this.#insert(collection, body);
  }

  #insert(collection: Collection, given: Json): StoredItem {
    const { items } = collection;
    const body = this.#bodyOf(collection, given);
    const before = items.at(-1);
    if (before && this.#library.has('changes the note of the item before')) {
      before.body = { ...before.body, note: 'changed' };
    }
    this.#created++;
    const item: StoredItem = {
      id: this.#newId(collection, body),
      sequence: this.#created,
      createdAt: this.#library.now,
      body,
      first: { ...body },
      reads: 0,
      changes: 0,
      isMoving: false,
    };
    items.push(item);
    return item;
  }

  #bodyOf({ kind, items }: Collection, given: Json): Json {
    const body = complete(given, kind);
    if (this.#library.has('forgets the tags of new items')) {
      body['tags'] = [];
    }
    if (this.#library.has('gives notes another default') && (given['note'] ?? null) === null) {
      body['note'] = 'none';
    }
    const changed = items.find(({ changes }) => changes > 0);
    if (changed && this.#library.has('gives new items the changed note')) {
      body['note'] = changed.body['note'];
    }
    return body;
  }

  #newId({ kind, removed }: Collection, body: Json): string {
    if (kind === 'labels') {
      const name = String(body['name']);
      if (this.#library.has('creates items under another name')) {
        return `${name}-1`;
      }
      return name;
    }
    const old = removed.at(-1);
    if (old && this.#library.has('gives ids again')) {
      return old.id;
    }
    this.#idsGiven++;
    const random = createHash('sha1').update(String(this.#idsGiven)).digest('base64url');
    return `${kind.slice(0, 1)}_${random.slice(0, RANDOM)}`;
  }

  #insertElsewhere(collection: Collection, item: StoredItem): void {
    for (const other of this.#library.collections.values()) {
      if (other.kind === collection.kind && other !== collection) {
        other.items.push({ ...item });
      }
    }
  }
}
