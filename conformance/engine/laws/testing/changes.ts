/** The changes, replacements and removals of the library. */
import { setImmediate } from 'node:timers/promises';
import type { Json } from '../resource.ts';
import {
  type Collection,
  complete,
  type LibraryKind,
  type Library,
  NAMES,
  type StoredItem,
} from './library-state.ts';
import { expectFreeChange, validate } from './validation.ts';

const WRITES_BACK = 'writes back the books of a shelf that changes';

/** The members that are not null, if there are any. */
function withoutNull(patch: Json): Json {
  const values = Object.entries(patch).filter(([, value]) => value !== null);
  return values.length > 0 ? Object.fromEntries(values) : patch;
}

export class Changes {
  readonly #library: Library;

  constructor(library: Library) {
    this.#library = library;
  }

  /** @returns the item as the response shows it. @throws LibraryRefusal */
  async update(collection: Collection, item: StoredItem, json: unknown): Promise<StoredItem> {
    const library = this.#library;
    const { kind } = collection;
    const patch = json ?? {};
    try {
      validate(library, kind, patch, 'update');
      expectFreeChange(library, collection, item, patch);
    } catch (error) {
      if (library.has('changes what it refuses')) {
        item.body = { ...item.body, tags: ['refused'] };
      }
      throw error;
    }
    const before = item.body;
    const after = this.#changed(kind, item, patch);
    if (library.has('shows changes in the response alone')) {
      return { ...item, body: after };
    }
    item.changes++;
    await this.#write(collection, item, after);
    this.#afterChange(collection, item, before);
    return item;
  }

  #changed(kind: LibraryKind, { body: before, changes }: StoredItem, patch: Json): Json {
    const library = this.#library;
    const isIgnored =
      library.has('ignores changes') || (library.has('ignores the second change') && changes > 0);
    if (isIgnored) {
      return before;
    }
    const isEmpty = Object.keys(patch).length === 0;
    const isReset =
      library.has('resets what a change leaves out') ||
      (library.has('resets tags in an empty change') && isEmpty);
    const kept = isReset ? { ...before, tags: [] } : before;
    const taken = library.has('ignores null beside values') ? withoutNull(patch) : { ...patch };
    const isNoteReset = patch['note'] === null && Boolean(patch['cover']);
    if (isNoteReset && library.has('ignores a cover beside a note that is null')) {
      delete taken['cover'];
    }
    const after = complete({ ...kept, ...taken }, kind);
    for (const [name, value] of Object.entries(taken)) {
      after[name] = this.#changedMember(name, before[name], value, after[name]);
    }
    return after;
  }

  /** The value of a member. @param sent as the change has it @param right as it should be */
  #changedMember(name: string, old: unknown, sent: unknown, right: unknown): unknown {
    const library = this.#library;
    if (sent === null && library.has('ignores null')) {
      return old;
    }
    if (old === null && library.has('does not change what was null')) {
      return old;
    }
    if (name === 'tags' && library.has('appends tags')) {
      return [...(old as string[]), ...(right as string[])];
    }
    if (name === 'cover' && sent !== null && library.has('merges covers')) {
      return { ...(old as Json | null), ...(sent as Json) };
    }
    return right;
  }

  async #write(collection: Collection, item: StoredItem, after: Json): Promise<void> {
    const library = this.#library;
    if (library.has('changes one member after the other')) {
      await this.#writeInParts(item, after);
    }
    if (library.has('looks for names before it waits')) {
      await setImmediate();
    }
    if (collection.kind === 'shelves' && library.has(WRITES_BACK)) {
      await this.#writeBackInside(item);
    }
    if (library.has('writes back the item that it read')) {
      await turns(2);
      if (!collection.items.includes(item)) {
        collection.items.push(item);
      }
    }
    if (collection.kind === 'labels') {
      await this.#rename(collection, item, String(after['name']));
    }
    item.body = after;
  }

  /** Sets the books of a shelf to what they were when its change began. */
  async #writeBackInside(shelf: StoredItem): Promise<void> {
    const books = this.#library.collectionAt('books', `/shelves/${shelf.id}/books`);
    const before = books.items.map((one) => ({ ...one }));
    await turns(2);
    books.items = before;
  }

  async #writeInParts(item: StoredItem, after: Json): Promise<void> {
    for (const [name, value] of Object.entries(after)) {
      item.body = { ...item.body, [name]: value };
      await setImmediate();
    }
  }

  async #rename({ items }: Collection, item: StoredItem, name: string): Promise<void> {
    const library = this.#library;
    if (library.has('moves items in two steps')) {
      const index = items.indexOf(item);
      items.splice(index, 1);
      await turns(2);
      items.splice(index, 0, item);
    }
    if (item.id === name) {
      return;
    }
    if (library.has('does not find an item while it moves')) {
      item.isMoving = true;
      await turns(3);
      item.isMoving = false;
    }
    if (library.has('stays under its old name as well')) {
      items.push({ ...item });
    }
    item.id = name;
  }

  #afterChange(collection: Collection, item: StoredItem, before: Json): void {
    const library = this.#library;
    const { kind, items, takenNames } = collection;
    const name = NAMES[kind];
    const isRenamed = name !== undefined && before[name] !== item.body[name];
    if (isRenamed && library.has('keeps the names of changed items')) {
      takenNames.push(before[name]);
    }
    if (library.has('moves the time of creation')) {
      item.createdAt = library.now;
    }
    if (library.has('lists changed items last')) {
      items.splice(items.indexOf(item), 1);
      items.push(item);
    }
    const next = items[items.indexOf(item) + 1];
    if (next && library.has('changes the next item as well')) {
      next.body = { ...next.body, note: 'changed' };
    }
    if (library.has('changes items of this title in all places')) {
      const others = library
        .everywhere(kind)
        .filter((one) => one.body['title'] === before['title']);
      changeAll(others, item.body);
    }
    if (kind === 'shelves' && library.has('changes all shelves')) {
      changeAll(items, item.body);
    }
    if (kind === 'shelves' && library.has('removes the books of changed shelves')) {
      library.collections.delete(`/shelves/${item.id}/books`);
    }
  }

  /** @throws LibraryRefusal */
  replace({ kind }: Collection, item: StoredItem, json: unknown): void {
    const library = this.#library;
    validate(library, kind, json, 'create');
    const before = item.body;
    if (library.has('replaces nothing')) {
      return;
    }
    const isMerged = library.has('keeps what a replacement leaves out');
    item.body = complete(isMerged ? { ...before, ...json } : json, kind);
    if (!('tags' in json) && library.has('replaces tags by another default')) {
      item.body['tags'] = ['none'];
    }
  }

  async remove(collection: Collection, item: StoredItem): Promise<void> {
    const library = this.#library;
    const { kind, items, removed, takenNames } = collection;
    if (library.has('looks for items before it removes them')) {
      await setImmediate();
    }
    if (library.has('removes nothing')) {
      return;
    }
    const index = items.indexOf(item);
    const neighbour = items[index === 0 ? 1 : index - 1];
    const isAnother = library.has('removes another item as well');
    collection.items = items.filter((one) => one !== item && !(isAnother && one === neighbour));
    removed.push(item);
    const name = NAMES[kind];
    if (name !== undefined && library.has('keeps the names of removed items')) {
      takenNames.push(item.body[name]);
    }
    if (kind === 'shelves') {
      this.#removeInside(item);
    }
  }

  /** Removes the books and labels of a shelf. */
  #removeInside(shelf: StoredItem): void {
    const library = this.#library;
    if (library.has('keeps the books of removed shelves')) {
      return;
    }
    for (const { path, kind } of [...library.collections.values()]) {
      const isInside = path.startsWith(`/shelves/${shelf.id}/`);
      const isWrong = kind === 'books' && library.has('removes the books of all shelves');
      if (isInside || isWrong) {
        library.collections.delete(path);
      }
    }
  }
}

function changeAll(items: readonly StoredItem[], body: Json): void {
  for (const item of items) {
    item.body = body;
  }
}

/** Waits until other requests had so many turns. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await setImmediate();
  }
}
