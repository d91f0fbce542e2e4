/** The state of the library, its faults, and the form in which it shows an item. */
import type { Json } from '../resource.ts';
import type { Fault } from './faults.ts';

export const BASE = 'http://library.example';

const START = Date.parse('2026-01-01T00:00:09.000Z');
const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const THREE_SECONDS_MS = 3_000;

/** The length of a long note. */
const LONG = 1_000;

export type LibraryKind = 'shelves' | 'books' | 'labels';

/** The member that no two items of a collection have the same value of. */
export const NAMES: Partial<Record<LibraryKind, string>> = { books: 'title', labels: 'name' };

export interface StoredItem {
  id: string;
  /** Greater than that of each item that was created before. */
  sequence: number;
  /** In milliseconds. */
  createdAt: number;
  body: Json;
  /** As it was created. */
  first: Json;
  /** The number of times that it was read. */
  reads: number;
  /** The number of times that it was changed. */
  changes: number;
  /** Whether a change is under way that gives it another id. */
  isMoving: boolean;
}

export interface Collection {
  kind: LibraryKind;
  /** Such as `/shelves/s_1/books`. */
  path: string;
  /** In the order of creation. */
  items: StoredItem[];
  removed: StoredItem[];
  /** Names that stay taken although no item has them. Only faults fill it. */
  takenNames: unknown[];
  /** How many creations were refused. */
  refused: number;
}

export class Library {
  /** The time that the service knows, in milliseconds. Tests move it. */
  now = START;
  readonly collections = new Map<string, Collection>();
  readonly #faults: ReadonlySet<Fault>;
  #firstUri: string | undefined;

  constructor(faults: readonly Fault[]) {
    this.#faults = new Set(faults);
  }

  has(fault: Fault): boolean {
    return this.#faults.has(fault);
  }

  get shelves(): Collection {
    return this.collectionAt('shelves', '/shelves');
  }

  /** The collection, which is made if it does not exist yet. */
  collectionAt(kind: LibraryKind, path: string): Collection {
    const known = this.collections.get(path);
    if (known) {
      return known;
    }
    const made: Collection = { kind, path, items: [], removed: [], takenNames: [], refused: 0 };
    this.collections.set(path, made);
    return made;
  }

  /** The items of this kind in all places. */
  everywhere(kind: LibraryKind): StoredItem[] {
    const all = [...this.collections.values()].filter((one) => one.kind === kind);
    return all.flatMap(({ items }) => items);
  }

  shown(collection: Collection, item: StoredItem): Json {
    const { kind } = collection;
    const { id, body } = item;
    const createdAt = this.has('reads the clock once') ? START : item.createdAt;
    if (kind === 'labels') {
      return { ...body, name: id };
    }
    const zone = this.has('gives times of another zone') ? HOUR_MS : 0;
    const shown: Json = {
      id,
      uri: this.#uriOf(collection, item),
      created_at: new Date(createdAt + zone).toISOString(),
      ...body,
    };
    if (this.has('forgets notes after a second') && this.now - item.createdAt > SECOND_MS) {
      shown['note'] = '';
    }
    const isLong = String(body['note']).length >= LONG;
    const isOld = this.now - item.createdAt > THREE_SECONDS_MS;
    if (isLong && isOld && this.has('forgets long notes after three seconds')) {
      shown['note'] = '';
    }
    if (kind === 'shelves') {
      const books = this.collectionAt('books', `/shelves/${id}/books`);
      shown['books'] = books.items.map((one) => this.shownInList(books, one));
    }
    return shown;
  }

  shownInList(collection: Collection, item: StoredItem): Json {
    const body = this.has('lists items as they were created') ? item.first : item.body;
    const shown = this.shown(collection, { ...item, body });
    if (this.has('shows other tags in lists')) {
      shown['tags'] = ['other'];
    }
    if (this.has('shows a hundred books in lists of shelves') && Array.isArray(shown['books'])) {
      shown['books'] = shown['books'].slice(0, 100);
    }
    if (this.has('has the URI of the first item in lists')) {
      shown['uri'] = this.#firstUri;
    }
    return shown;
  }

  shownAfterChange(collection: Collection, item: StoredItem): Json {
    const shown = this.shown(collection, item);
    if (this.has('has the URI of the first item after changes')) {
      shown['uri'] = this.#firstUri;
    }
    if (this.has('shows no books after a change')) {
      shown['books'] = [];
    }
    return shown;
  }

  #uriOf({ path }: Collection, { id }: StoredItem): string {
    const uri = `${BASE}${path}/${id}`;
    this.#firstUri ??= uri;
    if (this.has('has relative URIs')) {
      return `${path}/${id}`;
    }
    if (this.has('has URIs that lead nowhere')) {
      return `${uri}x`;
    }
    return this.has('has the URI of the first item') ? this.#firstUri : uri;
  }
}

/** The body with its defaults. */
export function complete(body: Json, kind: LibraryKind): Json {
  if (kind === 'labels') {
    return { name: body['name'] };
  }
  const cover = body['cover'] as Json | null | undefined;
  const completed: Json = {
    note: body['note'] ?? '',
    tags: body['tags'] ?? [],
    cover: cover ? { material: 'cloth', colours: {}, ...cover } : null,
  };
  if (kind === 'books') {
    completed['title'] = body['title'];
  }
  return completed;
}
