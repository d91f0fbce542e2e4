/**
 * The endpoints beside the API, none of which needs a token: health, the contract itself, its docs,
 * and SAML metadata.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type Contract, packageFolder } from '../contract.ts';
import type { Links } from '../domain/links.ts';
import { type RouteRecord, showRoute } from '../domain/route.ts';
import { serviceProviderMetadata } from '../saml.ts';
import { type Store, StoreUnavailable } from '../store/store.ts';
import { type DocsReady, showDocs, showDocsAsText } from './docs.ts';
import { PublicContent } from './public-content.ts';
import { onlyGet } from './routing.ts';

export interface EndpointOptions {
  contract: Contract;
  store: Store;
  linksOf: (req: Request) => Links;
  /** The rendered docs; the page that sends requests is beside them. */
  docsFile: string;
  docsReady: DocsReady | undefined;
}

/** How long a check may take. Those who probe often wait no longer, and miss the reason then. */
const READY_MS = 1000;

/** The pages have it inside: browsers ask for it when they show anything else. */
const FAVICON = join(packageFolder(), 'docs', 'favicon.svg');

/** The `metadata_url` of a route (D26). */
const SAML_METADATA = '/edges/https/:edge_id/routes/:route_id/saml/metadata';

export function serviceEndpoints(options: EndpointOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const { contract, store, linksOf, docsFile, docsReady } = options;
  const tryFile = join(dirname(docsFile), 'try.html');
  const asText = showDocsAsText(dirname(docsFile), docsReady);
  const pages: Record<string, RequestHandler> = {
    // No path of the contract: a browser that opens the bare address finds the docs.
    '/': (req, res) => res.redirect(`${linksOf(req).base}/docs`),
    '/livez': (_req, res) => sendOk(res),
    '/readyz': showReadiness(store),
    '/openapi.yaml': sendFixed('application/yaml; charset=utf-8', contract.yaml),
    '/openapi.json': sendFixed(
      'application/json; charset=utf-8',
      JSON.stringify(contract.document),
    ),
    '/favicon.ico': sendFixed('image/svg+xml', readFileSync(FAVICON, 'utf8')),
    '/docs': showDocs(docsFile, docsReady),
    '/llms.txt': asText,
    '/pages/:file': asText,
    // It sends requests to any server that the reader names.
    '/try': showDocs(tryFile, docsReady, 'http: https:'),
    [SAML_METADATA]: showSamlMetadata(store, linksOf),
  };
  for (const [path, show] of Object.entries(pages)) {
    router.route(path).all(onlyGet, show);
  }
  return router;
}

function sendOk(res: Response): void {
  res.type('text/plain').send('ok\n');
}

/** One check serves all probes that come meanwhile: if it hangs, they do not pile up. */
function showReadiness(store: Store): RequestHandler {
  let checking: Promise<void> | undefined;
  const check = (): Promise<void> => {
    checking ??= store.check().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  return async (_req, res) => {
    await inTime(check());
    sendOk(res);
  };
}

/** @throws StoreUnavailable if the check takes too long, and what it throws */
async function inTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const reason = `it has not answered for ${READY_MS} ms`;
    timer = setTimeout(() => reject(new StoreUnavailable(reason, { reason })), READY_MS);
  });
  try {
    await Promise.race([check, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function sendFixed(type: string, text: string): RequestHandler {
  const content = new PublicContent(type, text);
  return (req, res) => content.send(req, res);
}

/** An identity provider reads it without a token; it holds no secret. */
function showSamlMetadata(store: Store, linksOf: (req: Request) => Links): RequestHandler {
  return async (req, res, next) => {
    const { edge_id, route_id } = req.params as { edge_id: string; route_id: string };
    const route = await findRoute(store, edge_id, route_id);
    const saml = route && showRoute(edge_id, route, linksOf(req)).saml;
    if (!saml) {
      next();
      return;
    }
    res.set('Content-Type', 'application/samlmetadata+xml').send(serviceProviderMetadata(saml));
  };
}

/** Ids of the contract (D01). A store takes no others. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

async function findRoute(
  store: Store,
  edgeId: string,
  routeId: string,
): Promise<RouteRecord | undefined> {
  const edge = ID.test(edgeId) ? await store.edges.get(edgeId) : undefined;
  return edge?.routes.find(({ id }) => id === routeId);
}
