/** The endpoints beside the API, none of which needs a token: health, the contract itself, its docs, and SAML metadata. */
import { dirname, join } from 'node:path';
import { type Request, type RequestHandler, Router } from 'express';
import type { Contract } from '../../contract.ts';
import type { Links } from '../../domain/links.ts';
import { showRoute } from '../../domain/route.ts';
import { serviceProviderMetadata } from '../../saml.ts';
import type { Store } from '../../store/store.ts';
import { onlyGet } from '../routing.ts';
import { forEveryone } from '../security/browsers.ts';
import { showDocs } from './docs-page.ts';

export interface ServiceEndpointsOptions {
  contract: Contract;
  store: Store;
  /** The rendered page, which may be missing. */
  docsFile: string;
  /** Rejects when rendering it failed. */
  docsReady?: () => Promise<unknown>;
}

export function serviceEndpoints(options: ServiceEndpointsOptions, linksOf: (req: Request) => Links): Router {
  const { contract, store, docsFile, docsReady } = options;
  const router = Router({ strict: true, caseSensitive: true });
  const json = JSON.stringify(contract.document);
  const pages: Record<string, RequestHandler> = {
    // No path of the contract: a browser that opens the bare address finds the docs.
    '/': (req, res) => res.redirect(`${linksOf(req).base}/docs`),
    '/livez': (_req, res) => void res.type('text/plain').send('ok\n'),
    '/readyz': async (_req, res) => {
      await store.check();
      res.type('text/plain').send('ok\n');
    },
    '/openapi.yaml': (_req, res) => void forEveryone(res).type('application/yaml').send(contract.yaml),
    '/openapi.json': (_req, res) => void forEveryone(res).type('application/json').send(json),
    '/docs': showDocs(docsFile, docsReady),
    // It sends requests to whatever server the reader names.
    '/try': showDocs(join(dirname(docsFile), 'try.html'), docsReady, 'http: https:'),
  };
  for (const [path, show] of Object.entries(pages)) router.route(path).all(onlyGet, show);
  // The `metadata_url` of a route (D26): an identity provider reads it without a token; it holds no secret.
  router.route('/edges/https/:edge_id/routes/:id/saml/metadata').all(onlyGet, async (req, res, next) => {
    const { edge_id, id } = req.params;
    const isId = /^[A-Za-z0-9_-]{1,64}$/.test(edge_id);
    const edge = isId ? await store.edges.get(edge_id) : undefined;
    const route = edge?.routes.find((one) => one.id === id);
    const saml = route && showRoute(edge_id, route, linksOf(req)).saml;
    if (!saml) next();
    else res.set('Content-Type', 'application/samlmetadata+xml').send(serviceProviderMetadata(saml));
  });
  return router;
}
