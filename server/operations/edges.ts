/** HTTPS edges (source §4.1–4.2, D10). */
import { bytesOf, consistent, MAX_EDGE_BYTES } from '../domain/edge-routes.ts';
import { createEdge, type EdgeRecord, showEdge, updateEdge } from '../domain/edge.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Handlers, Services } from './handler.ts';

/** The page size when none is asked for (D16). */
const DEFAULT_LIMIT = 100;

/** A page ends early before its edges are larger than this (D16, D39): as large as one edge may be. */
const MAX_PAGE_BYTES = MAX_EDGE_BYTES;

type EdgeHandlers = Pick<Handlers, 'createEdge' | 'listEdges' | 'getEdge' | 'updateEdge' | 'deleteEdge'>;

export function edgeHandlers({ store: { edges }, clock, newId }: Services): EdgeHandlers {
  return {
    async createEdge({ body, links }) {
      const edge = createEdge(body, { id: newId('edghts'), created_at: clock().toISOString() });
      await edges.update(edge.id, () => edge);
      return { status: 201, body: showEdge(edge, links), location: links.edge(edge.id) };
    },

    async listEdges({ query: { limit = DEFAULT_LIMIT, cursor }, links }) {
      // Ids sort by creation (D01), so that the last one of a page is the cursor of the next, and any text is a position.
      const found = await edges.list({ limit: limit + 1, before: cursor });
      const page = withinBytes(found.slice(0, limit));
      const last = page.at(-1);
      return {
        status: 200,
        body: {
          https_edges: page.map((edge) => showEdge(edge, links)),
          uri: links.edges({
            ...(limit === DEFAULT_LIMIT ? {} : { limit }),
            ...(cursor === undefined ? {} : { cursor }),
          }),
          next_page_uri: found.length > page.length && last ? links.edges({ limit, cursor: last.id }) : null,
        },
      };
    },

    async getEdge({ path, links }) {
      return { status: 200, body: showEdge(known(await edges.get(path.id)), links) };
    },

    async updateEdge({ path, body, links }) {
      const edge = await edges.update(path.id, (current) => consistent(updateEdge(known(current), body)));
      return { status: 200, body: showEdge(known(edge), links) };
    },

    async deleteEdge({ path }) {
      // Its routes are in the same record, and go with it.
      await edges.update(path.id, (current) => known(current) && null);
      return { status: 204 };
    },
  };
}

/** At least one edge, and as many as fit on a page. An edge without routes is small. */
function withinBytes(edges: EdgeRecord[]): EdgeRecord[] {
  let bytes = 0;
  const end = edges.findIndex((edge, index) => {
    bytes += edge.routes.length === 0 ? 0 : bytesOf(edge);
    return bytes > MAX_PAGE_BYTES && index > 0;
  });
  return end < 0 ? edges : edges.slice(0, end);
}

/** @throws Refusal `not_found` */
export function known(edge: EdgeRecord | undefined): EdgeRecord {
  if (!edge) throw new Refusal('not_found', 'There is no edge with this id.');
  return edge;
}
