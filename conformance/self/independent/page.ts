/** Pages of a sorted set of names. A page begins behind a name, so adding and removing others moves nothing. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Faults } from './faults.ts';
import type { Query } from './query.ts';

/** `limit` is the largest number of items on a page, so fewer are always right. */
const MOST_ITEMS = 7;
const SIGNATURE_BYTES = 9;

export interface Page {
  names: string[];
  /** Undefined on the last page. */
  cursor?: string;
}

/** What a query says about the page that it wants. */
export interface PageQuery {
  limit: number | undefined;
  behind: string;
}

export class Pages {
  /** Signs the cursors of this service, so that others are recognised. */
  readonly #key = randomBytes(16);
  readonly #mostItems: number;

  constructor(mostItems = MOST_ITEMS) {
    this.#mostItems = mostItems;
  }

  #encode(owner: string, name: string): string {
    const signature = createHmac('sha256', this.#key).update(`${owner}/${name}`).digest().subarray(0, SIGNATURE_BYTES);
    return Buffer.concat([signature, Buffer.from(name)]).toString('base64url');
  }

  /** The name behind which the page begins; undefined for a cursor that was not issued here for this owner. */
  behind(cursor: string, owner: string): string | undefined {
    const name = Buffer.from(cursor, 'base64url').subarray(SIGNATURE_BYTES).toString();
    return this.#encode(owner, name) === cursor ? name : undefined;
  }

  cut(names: Iterable<string>, owner: string, { behind, limit = this.#mostItems }: PageQuery): Page {
    // Names are ASCII, which the default order sorts as the contract asks.
    const rest = Array.from(names)
      .filter((name) => name > behind)
      .sort();
    const page = rest.slice(0, Math.min(limit, this.#mostItems));
    const last = page.at(-1);
    return last !== undefined && page.length < rest.length
      ? { names: page, cursor: this.#encode(owner, last) }
      : { names: page };
  }
}

/** The rules of a query on a list; `owner` tells lists apart that share one `Pages`. */
export const pageQuery = (pages: Pages, owner: (param: (name: string) => string) => string) => ({
  known: ['limit', 'cursor'],
  read(query: Query, faults: Faults, param: (name: string) => string): PageQuery {
    const limit = query.integer('limit', 1, 100);
    const cursor = query.text('cursor', 512);
    const behind = cursor === undefined ? '' : pages.behind(cursor, owner(param));
    if (behind === undefined) faults.parameter('cursor', 'value', 'No page of this list has given this cursor.');
    return { limit, behind: behind ?? '' };
  },
});

/** The URI of the next page, which keeps to the limit of this one. */
export function pageUri(list: string, { cursor }: Page, { limit }: PageQuery): string | null {
  if (cursor === undefined) return null;
  return `${list}?cursor=${cursor}${limit === undefined ? '' : `&limit=${limit}`}`;
}
