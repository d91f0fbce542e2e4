/** HTTPS edges (source §4.1–4.2). */
import { createEdge, showEdge } from '../domain/edge.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Handlers, Services } from './handler.ts';

export function edgeHandlers({ store, clock, newId }: Services): Pick<Handlers, 'createEdge' | 'getEdge'> {
  return {
    async createEdge({ body, links }) {
      const edge = createEdge(body, { id: newId('edghts'), created_at: clock().toISOString() });
      await store.edges.update(edge.id, () => edge);
      return { status: 201, body: showEdge(edge, links), location: links.edge(edge.id) };
    },

    async getEdge({ path, links }) {
      const edge = await store.edges.get(path.id);
      if (!edge) throw new Refusal('not_found', 'There is no edge with this id.');
      return { status: 200, body: showEdge(edge, links) };
    },
  };
}
