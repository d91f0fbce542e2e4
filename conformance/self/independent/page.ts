/** Pages of a sorted set of names. A page begins behind a name, so adding and removing others moves nothing. */
import { createHmac, randomBytes } from 'node:crypto';

/** `limit` is the largest number of items on a page, so fewer are always right. */
const MOST_ITEMS = 7;
const SIGNATURE_BYTES = 9;

export interface Page {
  names: string[];
  /** Undefined on the last page. */
  cursor?: string;
}

export class Pages {
  /** Signs the cursors of this service, so that others are recognised. */
  readonly #key = randomBytes(16);

  #encode(owner: string, name: string): string {
    const signature = createHmac('sha256', this.#key).update(`${owner}/${name}`).digest().subarray(0, SIGNATURE_BYTES);
    return Buffer.concat([signature, Buffer.from(name)]).toString('base64url');
  }

  /** The name behind which the page begins; undefined for a cursor that was not issued here for this owner. */
  behind(cursor: string, owner: string): string | undefined {
    const name = Buffer.from(cursor, 'base64url').subarray(SIGNATURE_BYTES).toString();
    return this.#encode(owner, name) === cursor ? name : undefined;
  }

  cut(names: Iterable<string>, owner: string, behind: string, limit: number): Page {
    // Names are ASCII, which the default order sorts as the contract asks.
    const rest = Array.from(names)
      .filter((name) => name > behind)
      .sort();
    const page = rest.slice(0, Math.min(limit, MOST_ITEMS));
    const last = page.at(-1);
    return last !== undefined && page.length < rest.length
      ? { names: page, cursor: this.#encode(owner, last) }
      : { names: page };
  }
}
