/** HTTPS edges (source §4.1–4.2, D10). */
import { consistent, createEdge, type EdgeRecord, showEdge, updateEdge } from '../domain/edge.ts';
import { ApiError, invalidRequest } from '../domain/api-error.ts';
import type { EdgeList } from '../domain/types.ts';
import type { Handlers, Services } from './handler.ts';
import { Shown, shown, shownList } from './shown.ts';

/** Ids have up to 64 characters. What follows in a cursor decides nothing, and could make the URI of a page too long. */
const MOST_OF_CURSOR = 65;

export function edgeHandlers({ store: { edges }, newId, defaultsOf }: Services) {
  const defaults = defaultsOf('createEdge');
  return {
    async createEdge({ body, links }) {
      const edge = createEdge(body, { id: newId('edghts'), created_at: new Date().toISOString() });
      if (!(await edges.create(edge))) throw new Error(`the id ${edge.id} was made twice`);
      return { status: 201, body: new Shown(JSON.stringify(showEdge(edge, links))), location: links.edge(edge.id) };
    },

    async listEdges({ query, links }) {
      const { limit, cursor, before_id } = query;
      if (cursor !== undefined && before_id !== undefined)
        throw invalidRequest([{ parameter: 'before_id', code: 'not_allowed_here', detail: 'excludes `cursor`' }]);
      // Ids sort by creation (D01), so that the last one of a page is the cursor of the next, and any text is a
      // position: the place of a deleted edge, too.
      const position = cursor?.slice(0, MOST_OF_CURSOR);
      const { records, next } = await edges.list({ limit, before: position ?? before_id });
      return {
        status: 200,
        body: shownList<EdgeList, 'https_edges'>(
          'https_edges',
          records.map((edge) => shown(edge, links, showEdge)),
          {
            uri: links.edges(position === undefined ? query : { limit, cursor: position }),
            next_page_uri: next === undefined ? null : links.edges({ limit, cursor: next }),
          },
        ),
      };
    },

    async getEdge({ path, links }) {
      return { status: 200, body: shown(known(await edges.get(path.edge_id)), links, showEdge) };
    },

    async updateEdge({ path, body, links }) {
      const edge = await edges.update(path.edge_id, (now) => consistent(updateEdge(known(now), body, defaults)));
      return { status: 200, body: shown(known(edge), links, showEdge) };
    },

    async deleteEdge({ path }) {
      // Its routes are in the same record, and go with it.
      await edges.update(path.edge_id, (current) => known(current) && null);
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}

/** @throws ApiError `not_found` */
export function known(edge: EdgeRecord | undefined): EdgeRecord {
  if (!edge) throw new ApiError('not_found', 'There is no edge with this id.');
  return edge;
}
