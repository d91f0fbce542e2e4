/**
 * Edges whose creation got no response. Whether they were made is looked up in the list of edges when the run is over:
 * one that is as new, and that no response has shown to the run, may be such an edge or somebody else's. So it is named
 * to the user, and never touched.
 */
import type { Implementation } from '../engine/http/implementation.ts';
import { requestTargetOf } from '../engine/http/call.ts';
import { pagesFrom } from './pages-from.ts';

/** Timestamps may be cut to seconds. */
const MARGIN_MS = 5_000;
/** More would hide the rest of the output. */
const MOST_NAMED = 5;

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
