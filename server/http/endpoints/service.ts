/** What stands beside the API: health, the contract itself, and the docs. None of it needs a token. */
import { dirname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import type { Contract } from '../../contract.ts';
import type { Store } from '../../store/store.ts';
import { showDocs } from './docs-page.ts';
import { onlyGet } from '../routing/methods.ts';
import { forEveryone } from '../security/protective-headers.ts';

export interface ServiceEndpointsOptions {
  contract: Contract;
  store: Store;
  /** The rendered page, which may be missing. */
  docsFile: string;
  /** Rejects when rendering it failed. */
  docsReady?: () => Promise<unknown>;
}

export function serviceEndpoints({ contract, store, docsFile, docsReady }: ServiceEndpointsOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const json = JSON.stringify(contract.document);
  const downgraded = join(dirname(contract.file), 'generated', 'openapi-3.0.yaml');
  const pages: Record<string, RequestHandler> = {
    '/livez': (_req, res) => void res.type('text/plain').send('ok\n'),
    '/readyz': async (_req, res) => {
      await store.check();
      res.type('text/plain').send('ok\n');
    },
    '/openapi.yaml': (_req, res) => void forEveryone(res).type('application/yaml').send(contract.yaml),
    '/openapi.json': (_req, res) => void forEveryone(res).type('application/json').send(json),
    // For generators that read no later version.
    '/openapi-3.0.yaml': (_req, res) => void forEveryone(res).type('application/yaml').sendFile(downgraded),
    '/docs': showDocs(docsFile, docsReady),
  };
  for (const [path, show] of Object.entries(pages)) router.route(path).all(onlyGet, show);
  return router;
}
