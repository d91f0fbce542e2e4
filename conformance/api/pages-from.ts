/** The pages of a list that is only looked at, not checked: what cannot be read is not there. */
import { HttpResponse, NoResponse } from '../engine/http/response.ts';
import type { Client } from '../engine/http/client.ts';

export interface Page {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** None where the response is another one than a page. */
  items: Record<string, unknown>[];
}

const MAX_PAGES = 100;

/** No page where there was no response. @param next the member with the URI of the next page */
export async function* pagesFrom(client: Client, list: string, member: string, next: string): AsyncGenerator<Page> {
  let target = list;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const response = new HttpResponse(await client.send({ method: 'GET', target }));
      const { status, headers } = response;
      const { [member]: items, [next]: uri } = (response.json ?? {}) as Record<string, unknown>;
      const isPage = status === 200 && Array.isArray(items);
      yield { status, headers, items: isPage ? items.filter((item) => typeof item === 'object' && item !== null) : [] };
      if (!isPage || typeof uri !== 'string' || !URL.canParse(uri)) return;
      // Only the query leads on: a service behind a proxy may name another host.
      target = list + new URL(uri).search;
    }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
  }
}
