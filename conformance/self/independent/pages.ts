/** Pages of a sorted set of names. A page begins behind a name, so adding and removing others moves nothing. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Query } from './http.ts';
import type { Errors } from './problem.ts';

/** `limit` is the largest number of items on a page, so fewer are always right. */
const MOST_ITEMS = 7;
const SIGNATURE_BYTES = 9;

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

  read(query: Query, errors: Errors, owner: string): PageQuery {
    const limit = query.integer('limit', 1, 100);
    const cursor = query.text('cursor', 512);
    if (cursor === undefined) return { limit, behind: '' };
    const behind = Buffer.from(cursor, 'base64url').subarray(SIGNATURE_BYTES).toString();
    if (this.#encode(owner, behind) !== cursor)
      errors.parameter('cursor', 'value', 'No page of this list has given this cursor.');
    return { limit, behind };
  }

  /** The names on the page, and the URI of the next one, which keeps the limit. @param list the URI of the list */
  cut(
    names: Iterable<string>,
    owner: string,
    list: string,
    { behind, limit }: PageQuery,
  ): { names: string[]; next: string | null } {
    // Names are ASCII, which the default order sorts as the contract asks.
    const rest = Array.from(names).filter((name) => name > behind);
    const page = rest.sort().slice(0, Math.min(limit ?? this.#mostItems, this.#mostItems));
    const last = page.at(-1);
    if (last === undefined || page.length === rest.length) return { names: page, next: null };
    const kept = limit === undefined ? '' : `&limit=${limit}`;
    return { names: page, next: `${list}?cursor=${this.#encode(owner, last)}${kept}` };
  }
}
