/** The lists of the library, in pages. */
import type { Json } from '../resource.ts';
import {
  BASE,
  type Collection,
  complete,
  type LibraryKind,
  type Library,
  type StoredItem,
} from './library-state.ts';

const MAX_LIMIT = 100;

/** The number of items that a fault lists. */
const FEW = 20;

interface Asked {
  query: URLSearchParams;
  headers: Record<string, string>;
}

export class Pages {
  readonly #library: Library;

  constructor(library: Library) {
    this.#library = library;
  }

  /** The body of a response. */
  page(collection: Collection, { query, headers }: Asked): Json {
    const library = this.#library;
    const { kind, path } = collection;
    const remaining = this.#remaining(collection, query);
    const limit = this.#limitOf(query, remaining.length);
    const page = remaining.slice(0, limit);
    const isCutOff = 'x-forwarded-host' in headers && library.has('ends the list behind a proxy');
    const isLast = remaining.length <= limit || isCutOff;
    const seen = library.has('skips an item between pages') ? limit + 1 : limit;
    const cursor = this.#cursorAfter(collection, remaining.slice(0, seen), isLast);
    const body: Json = {
      [kind]: page.map((item) => library.shownInList(collection, item)),
      uri: `${BASE}${path}?${this.#ownQuery(query, limit)}`,
      total: this.#listed(collection).length,
      next: null,
    };
    if (cursor !== undefined) {
      const base = library.has('has relative links') ? '' : this.#baseFor(headers);
      body['next'] = `${base}${path}?limit=${limit}&after=${cursor}`;
    } else if (library.has('has no link on the last page')) {
      delete body['next'];
    }
    return body;
  }

  /** The URI before the paths of the contract. */
  #baseFor(headers: Asked['headers']): string {
    const library = this.#library;
    const base = new URL(BASE);
    if (library.has('leads to the host that a proxy names')) {
      base.host = headers['x-forwarded-host'] ?? base.host;
    }
    if (library.has('leads to the scheme that a proxy names')) {
      base.protocol = headers['x-forwarded-proto'] ?? base.protocol;
    }
    return base.href.replace(/\/$/, '');
  }

  #limitOf(query: URLSearchParams, all: number): number {
    const given = query.get('limit');
    if (given === null) {
      return this.#library.has('has pages without a bound') ? all : MAX_LIMIT;
    }
    const isForgotten = query.has('after') && this.#library.has('forgets the limit of later pages');
    return isForgotten ? MAX_LIMIT : Number(given);
  }

  #ownQuery(query: URLSearchParams, limit: number): string {
    const own = new URLSearchParams({ limit: String(limit) });
    const after = query.get('after');
    if (after !== null && !this.#library.has('has the URI of the list in each page')) {
      own.set('after', after);
    }
    return own.toString();
  }

  /** All items, in their order. */
  #listed(collection: Collection): StoredItem[] {
    const library = this.#library;
    const { kind } = collection;
    const items = [...collection.items];
    if (library.has('keeps removed items in lists')) {
      items.push(...collection.removed);
    }
    if (library.has('lists new items late')) {
      items.pop();
    }
    if (items.length === 0 && library.has('lists an item in an empty place')) {
      items.push(this.#nothing(kind));
    }
    if (library.has('ends after a hundred items')) {
      items.splice(MAX_LIMIT);
    }
    if (kind === 'shelves') {
      return items.toReversed();
    }
    if (kind === 'labels' && !library.has('lists labels in the order of creation')) {
      return items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    }
    return items;
  }

  #nothing(kind: LibraryKind): StoredItem {
    const body = complete({ title: 'nothing', name: 'nothing' }, kind);
    const counts = { sequence: 0, reads: 0, changes: 0 };
    const createdAt = this.#library.now;
    return { id: 'nothing', createdAt, body, first: body, isMoving: false, ...counts };
  }

  /** The items that come after those of the pages before. */
  #remaining(collection: Collection, query: URLSearchParams): StoredItem[] {
    const library = this.#library;
    const all = this.#listed(collection);
    if (!query.has('limit') && library.has('lists twenty items without a limit')) {
      all.splice(FEW);
    }
    const after = query.get('after');
    if (after === null) {
      return all.slice(Number(query.get('offset') ?? '0'));
    }
    if (library.has('counts items for the next page')) {
      return all.slice(Number(after));
    }
    const isThere = all.some((item) => cursorOf(collection.kind, item) === after);
    if (!isThere && library.has('loses its place when the last item of a page is removed')) {
      return [];
    }
    const remaining = all.filter((item) => isAfter(collection.kind, item, after));
    if (library.has('repeats the last item of a page')) {
      return all.slice(-remaining.length - 1);
    }
    return remaining;
  }

  /** The cursor of the next page; undefined after the last one. */
  #cursorAfter(collection: Collection, seen: readonly StoredItem[], isLast: boolean) {
    const library = this.#library;
    const last = seen.at(-1) ?? this.#listed(collection).at(-1);
    const leadsOn = !isLast || library.has('leads on from the last page');
    if (last === undefined || !leadsOn || library.has('ends after the first page')) {
      return undefined;
    }
    if (library.has('counts items for the next page')) {
      return String(this.#listed(collection).indexOf(last) + 1);
    }
    return cursorOf(collection.kind, last);
  }
}

function cursorOf(kind: LibraryKind, { id, sequence }: StoredItem): string {
  return kind === 'labels' ? id : String(sequence);
}

function isAfter(kind: LibraryKind, { id, sequence }: StoredItem, cursor: string): boolean {
  switch (kind) {
    case 'labels':
      return id > cursor;
    case 'shelves':
      return sequence < Number(cursor);
    default:
      return sequence > Number(cursor);
  }
}
