/** The endpoints beside the API, none of which needs a token: health, the contract itself, its docs, and SAML metadata. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Request, type RequestHandler, Router } from 'express';
import type { Contract } from '../contract.ts';
import { ApiError } from '../domain/api-error.ts';
import type { Links } from '../domain/links.ts';
import { showRoute } from '../domain/route.ts';
import { serviceProviderMetadata } from '../saml.ts';
import type { Store } from '../store/store.ts';
import { onlyGet } from './routing.ts';
import { forEveryone } from './security/browsers.ts';

type Ready = (() => Promise<unknown>) | undefined;

/** @param docsFile the page, with that of the console beside it; `docsReady` as for `showDocs` */
export function serviceEndpoints(
  { contract, store }: { contract: Contract; store: Store },
  { docsFile, docsReady }: { docsFile: string; docsReady: Ready },
  linksOf: (req: Request) => Links,
): Router {
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
    '/openapi.yaml': (_req, res) =>
      void forEveryone(res).type('application/yaml').send(contract.yaml),
    '/openapi.json': (_req, res) => void forEveryone(res).type('application/json').send(json),
    '/docs': showDocs(docsFile, docsReady),
    // It sends requests to whatever server the reader names.
    '/try': showDocs(join(dirname(docsFile), 'try.html'), docsReady, 'http: https:'),
  };
  for (const [path, show] of Object.entries(pages)) {
    router.route(path).all(onlyGet, show);
  }
  // The `metadata_url` of a route (D26): an identity provider reads it without a token; it holds no secret.
  router
    .route('/edges/https/:edge_id/routes/:id/saml/metadata')
    .all(onlyGet, async (req, res, next) => {
      const { edge_id, id } = req.params;
      const isId = /^[A-Za-z0-9_-]{1,64}$/.test(edge_id);
      const edge = isId ? await store.edges.get(edge_id) : undefined;
      const route = edge?.routes.find((one) => one.id === id);
      const saml = route && showRoute(edge_id, route, linksOf(req)).saml;
      if (!saml) {
        next();
      } else {
        res.set('Content-Type', 'application/samlmetadata+xml').send(serviceProviderMetadata(saml));
      }
    });
  return router;
}

/** Serves a rendered page of the docs, which may be missing. @param ready rejects when rendering failed */
export function showDocs(file: string, ready: Ready, connect = "'none'"): RequestHandler {
  let known: { version: string; policy: string } | undefined;
  return async (_req, res) => {
    await ready?.().catch(() => {
      throw new ApiError(
        'internal_error',
        'The docs could not be rendered. The log of the server has the reason.',
      );
    });
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) {
      throw new ApiError('not_found', 'The docs are not built. Run: npm run docs');
    }
    // The page has some megabytes: it is searched for scripts once for each build.
    const version = `${found.mtimeMs} ${found.size}`;
    if (known?.version !== version) {
      known = { version, policy: policyFor(await readFile(file, 'utf8'), connect) };
    }
    forEveryone(res)
      .set('Content-Security-Policy', known.policy)
      .sendFile(file, { dotfiles: 'allow', cacheControl: false });
  };
}

/** Allows the scripts of the page, each by its hash, and requests to `connect`. */
export function policyFor(html: string, connect = "'none'"): string {
  // Browsers convert every line end to \n, and hash that.
  const scripts = scriptsOf(html.replaceAll(/\r\n?/g, '\n')).filter((text) => text !== '');
  const hashes = new Set(
    scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`),
  );
  // Redoc creates styles at run time: they have no hashes.
  return [
    `default-src 'none'; script-src ${hashes.size === 0 ? "'none'" : [...hashes].join(' ')}`,
    `connect-src ${connect}; style-src 'unsafe-inline'; img-src data:; font-src data:`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');
}

/** The text of each script: behind the first tag of each piece of the page that `</script` ends. */
function scriptsOf(html: string): string[] {
  const pieces = html.split(/<\/script/i).slice(0, -1);
  return pieces.map((piece) => {
    const tag = /<script(?:[\s/][^<>]*)?>/i.exec(piece);
    return tag === null ? '' : piece.slice(tag.index + tag[0].length);
  });
}
