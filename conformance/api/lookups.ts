/**
 * Looks at what others have on the service, before and after a run: the sources of existing subscriptions, and edges whose
 * creation got no response. Nothing here is checked.
 */
import type { Client } from '../engine/http/client.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { HttpResponse, NoResponse } from '../engine/http/response.ts';
import { requestTargetOf } from '../engine/http/call.ts';

/**
 * Notes the sources of somebody else, to be left alone.
 * @returns why the service cannot be checked, and what to do about it; undefined when it can
 */
export async function surveySubscriptions(implementation: Implementation): Promise<string | undefined> {
  const { client, operations, subscriptions, foreign } = implementation;
  for (const id of subscriptions.existing) {
    const list = requestTargetOf(operations.get('listEventSources')!, { path: { subscription_id: id } });
    let pages = 0;
    for await (const { status, items } of pagesFrom(client, list, 'sources', 'uri')) {
      if (pages++ === 0 && status === 404)
        return `--subscription-id ${id} is not known at ${client.base.href}: name a subscription that exists there`;
      const types = items.map(({ type }) => type).filter((type) => typeof type === 'string');
      foreign.add(id, types);
    }
  }
  return undefined;
}

/** Timestamps may be cut to seconds. */
const MARGIN_MS = 5_000;
/** More would hide the rest of the output. */
const MOST_NAMED = 5;

/**
 * Edges whose creation got no response. Whether they were made is looked up in the list of edges when the run is over:
 * one that is as new, and that no response has shown to the run, may be such an edge or somebody else's. So it is named
 * to the user, and never touched.
 */
export class LostEdges {
  readonly #shown = new Set<string>();
  #count = 0;
  /** By the clock of the suite. */
  #firstAt = 0;

  /** A response showed that the run made it. */
  shown(id: string): void {
    this.#shown.add(id);
  }

  lost(): void {
    if (this.#count++ === 0) this.#firstAt = Date.now();
  }

  /** Counts what may have been made. @returns what to say about it, none where there is nothing to say */
  async lookFor(implementation: Implementation): Promise<string[]> {
    const { operations, level, perhapsMade, halted } = implementation;
    if (this.#count === 0) return [];
    perhapsMade['edges'] = this.#count;
    const list = operations.get('listEdges');
    if (!list || level === 'core' || halted !== undefined) return [];
    const found = await this.#unknownEdges(implementation, requestTargetOf(list, {}));
    if (found === undefined) return [];
    perhapsMade['edges'] = Math.min(this.#count, found.length);
    if (found.length === 0) return [];
    const named = `${found.slice(0, MOST_NAMED).join(', ')}${found.length > MOST_NAMED ? ', …' : ''}`;
    return [
      'Requests that create edges got no response. These edges are as new, and no response showed them to the suite: ' +
        `${named}. It left them alone; where nobody else works on the service, remove them.`,
    ];
  }

  /** Undefined where the list could not be read. */
  async #unknownEdges({ client }: Implementation, target: string): Promise<string[] | undefined> {
    const found: string[] = [];
    const longestAgo = Date.now() - this.#firstAt + MARGIN_MS;
    for await (const { status, headers, items } of pagesFrom(client, target, 'https_edges', 'next_page_uri')) {
      if (status !== 200) return undefined;
      const now = headers['date'] === undefined ? Date.now() : Date.parse(headers['date']);
      for (const { id, created_at } of items) {
        // Newest first.
        if (now - Date.parse(String(created_at)) > longestAgo) return found;
        if (typeof id === 'string' && !this.#shown.has(id)) found.push(id);
      }
    }
    return found;
  }
}

/** A page of a list that is only looked at: what cannot be read is not there. No items: the response is no page. */
type Page = Pick<HttpResponse, 'status' | 'headers'> & { items: Record<string, unknown>[] };

const MAX_PAGES = 100;

/** No page where there was no response. @param next the member with the URI of the next page */
async function* pagesFrom(client: Client, list: string, member: string, next: string): AsyncGenerator<Page> {
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
