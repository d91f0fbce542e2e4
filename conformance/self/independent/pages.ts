/** Pages of a sorted set of names. A page begins behind a name, so adding and removing others moves nothing. */
import { createHmac, randomBytes } from 'node:crypto';
import { isId } from './forms.ts';
import type { Query } from './http.ts';
import type { Errors } from './problem.ts';

const SIGNATURE_BYTES = 9;

export interface PageQuery {
  limit: number | undefined;
  /** Undefined: the first page. */
  behind: string | undefined;
}

export interface PageOptions {
  /** The most items of a page; default 7. */
  mostItems?: number;
  /** The first page has no items and leads on, as one that reads what was deleted. */
  firstIsEmpty?: boolean;
}

export class Pages {
  /** Signs the cursors of this service, so that others are recognised. */
  readonly #key = randomBytes(16);
  readonly #mostItems: number;
  readonly #firstIsEmpty: boolean;

  /** `limit` is the largest number of items on a page, so fewer are always right. */
  constructor({ mostItems = 7, firstIsEmpty = false }: PageOptions = {}) {
    this.#mostItems = mostItems;
    this.#firstIsEmpty = firstIsEmpty;
  }

  #encode(owner: string, name: string): string {
    const signature = createHmac('sha256', this.#key).update(`${owner}/${name}`).digest().subarray(0, SIGNATURE_BYTES);
    return Buffer.concat([signature, Buffer.from(name)]).toString('base64url');
  }

  /** @param nameOf the name of the item with an id, where a page can begin behind one */
  read(query: Query, errors: Errors, owner: string, nameOf?: (id: string) => string | undefined): PageQuery {
    const limit = query.integer('limit', 1, 100);
    const cursor = query.text('cursor', 512);
    const id = query.text('before_id', 64);
    if (id !== undefined) {
      const name = nameOf?.(id);
      if (!isId(id)) errors.parameter('before_id', 'format', 'No id has this form.');
      else if (cursor !== undefined)
        errors.parameter('before_id', 'not_allowed_here', 'The cursor says where to begin.');
      else if (name === undefined) errors.parameter('before_id', 'value', 'Nothing here bears this id.');
      return { limit, behind: name };
    }
    if (cursor === undefined) return { limit, behind: undefined };
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
    const kept = limit === undefined ? '' : `&limit=${limit}`;
    const nextBehind = (name: string) => `${list}?cursor=${this.#encode(owner, name)}${kept}`;
    if (this.#firstIsEmpty && behind === undefined) return { names: [], next: nextBehind('') };
    // Names are ASCII, which the default order sorts as the contract asks.
    const rest = Array.from(names).filter((name) => name > (behind ?? ''));
    const page = rest.sort().slice(0, Math.min(limit ?? this.#mostItems, this.#mostItems));
    const last = page.at(-1);
    return { names: page, next: last === undefined || page.length === rest.length ? null : nextBehind(last) };
  }
}
