/** Lists in pages. */
import { createHmac, randomBytes } from 'node:crypto';
import { isId } from './forms.ts';
import type { Errors } from './problem.ts';
import type { Query } from './request.ts';

export interface PageOptions {
  /** The most items of the next page; default 7. */
  mostItems?: () => number;
  /** A page without items leads to each page, and follows the last one. */
  emptyPages?: boolean;
}

/** The part of a list that a request asks for. */
export interface PageQuery {
  limit?: number | undefined;
  /** The name before the first one of the page; undefined: the first page. */
  behind?: string | undefined;
}

export interface Page {
  names: string[];
  /** The URI of the next page; null if there is none. */
  next: string | null;
}

/** A list, of which several can share one `Pages`. */
export interface List {
  /** Tells it apart from the others. */
  owner: string;
  /** The name of the item with an id; only for lists in which a page can begin behind an id. */
  nameOf?: ((id: string) => string | undefined) | undefined;
}

/** Follows the name in a cursor if the page without items has been shown. */
const EMPTY_PAGE_SHOWN = '|';

const SIGNATURE_BYTES = 9;

/**
 * Pages of a sorted set of names. A page begins behind a name, so adding and removing others moves
 * nothing.
 */
export class Pages {
  /** Signs the cursors of this service, so that others are recognized. */
  readonly #key = randomBytes(16);
  readonly #options: PageOptions;

  constructor(options: PageOptions = {}) {
    this.#options = options;
  }

  /** Reads the parameters of a page. */
  read(query: Query, errors: Errors, list: List): PageQuery {
    const limit = query.integer('limit', 1, 100);
    const cursor = query.text('cursor', 512);
    const id = query.text('before_id', 64);
    if (id !== undefined) {
      const behind = list.nameOf?.(id);
      if (!isId(id)) {
        errors.parameter('before_id', 'format', 'No id has this form.');
      } else if (cursor !== undefined) {
        errors.parameter(
          'before_id',
          'not_allowed_here',
          'The cursor names the beginning of the page.',
        );
      } else if (behind === undefined) {
        errors.parameter('before_id', 'format', 'Nothing here bears this id.');
      }
      return { limit, behind };
    }
    if (cursor === undefined) {
      return { limit, behind: undefined };
    }
    const behind = Buffer.from(cursor, 'base64url').subarray(SIGNATURE_BYTES).toString();
    if (this.#cursorFor(list.owner, behind) !== cursor) {
      errors.parameter('cursor', 'format', 'No page of this list has given this cursor.');
    }
    return { limit, behind };
  }

  /** The names on a page. The URI of the next page keeps the limit. @param uri of the list */
  cut(
    names: Iterable<string>,
    owner: string,
    uri: string,
    { behind = '', limit }: PageQuery,
  ): Page {
    const { mostItems = () => 7, emptyPages = false } = this.#options;
    const kept = limit === undefined ? '' : `&limit=${limit}`;
    const uriBehind = (name: string) => `${uri}?cursor=${this.#cursorFor(owner, name)}${kept}`;
    const [start = '', afterMark] = behind.split(EMPTY_PAGE_SHOWN);
    const isEmptyPageDue = emptyPages && afterMark === undefined;
    if (isEmptyPageDue) {
      return { names: [], next: uriBehind(start + EMPTY_PAGE_SHOWN) };
    }
    const rest = Array.from(names).filter((name) => name > start);
    // Names are ASCII, which the default order sorts as the contract asks.
    rest.sort();
    // `limit` is the largest number of items on a page, so fewer are always right.
    const most = mostItems();
    const page = rest.slice(0, Math.min(limit ?? most, most));
    const last = page.at(-1);
    const isLast = page.length === rest.length && !emptyPages;
    if (last === undefined || isLast) {
      return { names: page, next: null };
    }
    return { names: page, next: uriBehind(last) };
  }

  #cursorFor(owner: string, name: string): string {
    const hmac = createHmac('sha256', this.#key).update(`${owner}/${name}`);
    const signature = hmac.digest().subarray(0, SIGNATURE_BYTES);
    return Buffer.concat([signature, Buffer.from(name)]).toString('base64url');
  }
}
