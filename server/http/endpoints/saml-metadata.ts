/**
 * Serves the metadata of the service provider of each route with SAML, at its `metadata_url` (D26). An identity provider
 * reads it without a token; it holds nothing that is secret.
 */
import { type Request, Router } from 'express';
import type { Links } from '../../domain/links.ts';
import { showRoute } from '../../domain/route.ts';
import { serviceProviderMetadata } from '../../saml/metadata.ts';
import type { Store } from '../../store/store.ts';
import { onlyGet } from '../routing/methods.ts';

export function samlMetadata(store: Store, linksOf: (req: Request) => Links): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.route('/edges/https/:edge_id/routes/:id/saml/metadata').all(onlyGet, async (req, res, next) => {
    const { edge_id, id } = req.params;
    const isId = /^[A-Za-z0-9_-]{1,64}$/.test(edge_id);
    const edge = isId ? await store.edges.get(edge_id) : undefined;
    const route = edge?.routes.find((one) => one.id === id);
    const saml = route && showRoute(edge_id, route, linksOf(req)).saml;
    if (!saml) {
      next();
      return;
    }
    res.set('Content-Type', 'application/samlmetadata+xml').send(serviceProviderMetadata(saml));
  });
  return router;
}
