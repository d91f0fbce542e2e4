/** The TypeScript client as a module of a page in Chromium, which has the origin of the server. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startReferenceServer } from '../../../tools/reference-server.ts';
import { launchChromium } from './browser.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGE = `<!doctype html>
<script type="importmap">
  {"imports": {"openapi-fetch": "/node_modules/openapi-fetch/dist/index.mjs"}}
</script>
<script type="module">
  import * as client from '/dist/clients/typescript/index.js';
  globalThis.client = client;
</script>`;

it('creates, lists and deletes edges, and shows a problem with its header fields', async () => {
  await using server = await startReferenceServer(undefined, { args: ['--rate-limit', '5'] });
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.route(/\/(page|dist|node_modules)\//, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/page/') {
      return route.fulfill({ body: PAGE, contentType: 'text/html' });
    }
    return route.fulfill({ path: join(ROOT, pathname) });
  });
  await page.goto(`${server.url}/page/`);
  const found = await page.evaluate(async (baseUrl) => {
    const { client } = globalThis as unknown as {
      client: typeof import('../../../clients/typescript/index.ts');
    };
    const api = client.createClient({ baseUrl, timeout: 10_000 });
    const once = client.createClient({ baseUrl, retries: 0 });
    const { id } = await api.createEdge({ description: 'é' });
    const listed = (await api.listEdges().toArray()).map((edge) => [
      edge.id === id,
      edge.description,
    ]);
    await api.deleteEdge({ edge_id: id });
    const refused = await Promise.all(
      [1, 2, 3].map(() => once.getEdge({ edge_id: id }).catch((error) => error)),
    );
    return { listed, refused: refused.map(({ status, retryAfter }) => [status, retryAfter > 0]) };
  }, server.url);
  expect(found.listed).toEqual([[true, 'é']]);
  expect(found.refused).toContainEqual([404, false]);
  expect(found.refused).toContainEqual([429, true]);
});
