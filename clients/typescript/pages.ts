/** A list that comes in pages. Nothing is fetched before it is asked for. */
import { type Call, callOf, type WithResponse } from './call.ts';
import { UnexpectedResponseError } from './errors.ts';

export interface Page<Item> {
  items: Item[];
  /**
   * The absolute URI of the next page, at which a later list can begin (`{ from: next }`); null on
   * the last page.
   */
  next: string | null;
}

/** Iterates over the items of all pages, in the order of the service. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (uri?: string) => Promise<WithResponse<Page<Item>>>;
  readonly #from: string | undefined;

  /**
   * `read` fetches the page at a URI, or the first one; `from` is the URI of the page that the list
   * begins at.
   */
  constructor(read: (uri?: string) => Promise<WithResponse<Page<Item>>>, from?: string) {
    this.#read = read;
    this.#from = from;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) {
      yield* page.items;
    }
  }

  /**
   * The page that the list begins at, and no other one. A page may have fewer items than `limit`,
   * or none (D16).
   */
  page(): Call<Page<Item>> {
    return callOf(this.#read(this.#from));
  }

  /**
   * @throws {UnexpectedResponseError} when a page leads back to one that was read: the loop would
   * never end.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const read = new Set<string>();
    let page = await this.page();
    yield page;
    while (page.next !== null) {
      if (read.has(page.next)) {
        throw new UnexpectedResponseError(`the pages go in a circle, at ${page.next}`);
      }
      read.add(page.next);
      page = await callOf(this.#read(page.next));
      yield page;
    }
  }

  /** All items, or the first `limit` of them (0 or more); no page is fetched that is not needed. */
  async toArray({ limit = Infinity }: { limit?: number } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) {
      return items;
    }
    for await (const item of this) {
      if (items.push(item) >= limit) {
        break;
      }
    }
    return items;
  }
}
