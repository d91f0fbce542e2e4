/** Routes of an edge (D10), which are kept in its record, so that each change is atomic. */
import { addRoute, changeRoute, findRoute, removeRoute } from '../domain/edge.ts';
import { createRoute, type RouteRecord, showRoute, updateRoute } from '../domain/route.ts';
import { known } from './edges.ts';
import type { Links } from '../domain/links.ts';
import type { Handlers, Services } from './handler.ts';
import { createSigningCertificate } from '../saml.ts';
import { shown } from './shown.ts';

/** A record of a route is part of one edge. */
const text = (edgeId: string, route: RouteRecord, links: Links) =>
  shown(route, links, () => showRoute(edgeId, route, links));

export function routeHandlers({ store, newId, defaultsOf }: Services) {
  const { edges } = store;
  const defaults = defaultsOf('createRoute');
  return {
    async createRoute({ path: { edge_id }, body, links }) {
      const route = createRoute(body, {
        id: newId('edghtsrt'),
        created_at: new Date().toISOString(),
        signing: body.saml ? await createSigningCertificate() : null,
      });
      await edges.update(edge_id, (edge) => addRoute(known(edge), route));
      return { status: 201, body: text(edge_id, route, links), location: links.route(edge_id, route.id) };
    },

    async getRoute({ path: { edge_id, route_id }, links }) {
      return { status: 200, body: text(edge_id, findRoute(known(await edges.get(edge_id)), route_id), links) };
    },

    async updateRoute({ path: { edge_id, route_id }, body, links }) {
      const before = findRoute(known(await edges.get(edge_id)), route_id);
      // Made before the change, which must be quick: the key takes time. Discarded where it is not needed.
      const signing = body.saml && !before.signing ? await createSigningCertificate() : null;
      const edge = await edges.update(edge_id, (current) =>
        changeRoute(known(current), route_id, (route) => updateRoute(route, body, { signing, defaults })),
      );
      return { status: 200, body: text(edge_id, findRoute(known(edge), route_id), links) };
    },

    async deleteRoute({ path: { edge_id, route_id } }) {
      await edges.update(edge_id, (edge) => removeRoute(known(edge), route_id));
      return { status: 204 };
    },
  } satisfies Partial<Handlers>;
}
