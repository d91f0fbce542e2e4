/** A list that comes in pages. Nothing is fetched before it is asked for. */
import { UnexpectedResponseError } from './problem.ts';

export interface Page<Item> {
  items: Item[];
  /** Where the next page is, absolute; null on the last. */
  uri: string | null;
}

/** Iterates over the items of all pages, in the order of the service; `pages()` gives them page by page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #first: () => Promise<Page<Item>>;
  readonly #next: (uri: string) => Promise<Page<Item>>;

  constructor(first: () => Promise<Page<Item>>, next: (uri: string) => Promise<Page<Item>>) {
    this.#first = first;
    this.#next = next;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** @throws {UnexpectedResponseError} when `uri` leads back to a page that was read: the loop would never end. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const read = new Set<string>();
    let page = await this.#first();
    yield page;
    while (page.uri !== null) {
      if (read.has(page.uri)) throw new UnexpectedResponseError(200, `the pages go in a circle, at ${page.uri}`);
      read.add(page.uri);
      page = await this.#next(page.uri);
      yield page;
    }
  }
}
