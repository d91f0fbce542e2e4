/** What stands beside the API: health, the contract itself, and the docs. None of it needs a token. */
import { existsSync } from 'node:fs';
import { type RequestHandler, Router } from 'express';
import type { Contract } from '../contract.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Store } from '../store/store.ts';
import { onlyGet } from './only-get.ts';

export interface ServiceEndpointsOptions {
  contract: Contract;
  store: Store;
  /** The rendered page, which may be missing. */
  docsFile: string;
}

/** The page brings its own styles and scripts, and asks nobody for anything. */
const DOCS_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:";

export function serviceEndpoints({ contract, store, docsFile }: ServiceEndpointsOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const json = JSON.stringify(contract.document);
  const pages: Record<string, RequestHandler> = {
    '/livez': (_req, res) => void res.type('text/plain').send('ok\n'),
    '/readyz': async (_req, res) => {
      await store.check();
      res.type('text/plain').send('ok\n');
    },
    '/openapi.yaml': (_req, res) => void res.type('application/yaml').send(contract.yaml),
    '/openapi.json': (_req, res) => void res.type('application/json').send(json),
    '/docs': (_req, res) => {
      if (!existsSync(docsFile)) throw new Refusal('not_found', 'The docs are not built. Run: npm run docs');
      res.set('Content-Security-Policy', DOCS_POLICY).sendFile(docsFile, { dotfiles: 'allow' });
    },
  };
  for (const [path, show] of Object.entries(pages)) router.route(path).all(onlyGet, show);
  return router;
}
