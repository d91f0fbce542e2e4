/** The console: Swagger UI with the contract, in one file that loads nothing. Redoc has none. */
import type { Json } from './json.ts';

/** @param part gives the text of a file of swagger-ui-dist */
export function tryPage(document: Json, part: (name: string) => string): string {
  const info = document['info'] as { title: string };
  // How to call the API is said in the docs: here it would come before the console.
  const spec = JSON.stringify({ ...document, info: { ...info, description: '' } }).replaceAll('<', String.raw`\u003c`);
  const licences = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map(part).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try it – ${info.title}</title>
<!-- ${licences.replaceAll('--', '- -')} -->
<style>${part('swagger-ui.css')} body > p { margin: 20px; font: 16px/1.5 sans-serif; }</style>
<p><a href="docs">Docs</a>. Requests go from this page to the server that you choose below. A server at another address has
to allow this page to call it (CORS): the reference server does with <code>--cors-origin</code> and the origin of this page.
Your token stays in the memory of this page: reload it, and the token is gone.</p>
<div id="console"></div>
<script>${part('swagger-ui-bundle.js')}</script>
<script>
  const spec = ${spec};
  const address = spec.servers[0].variables.base_url;
  // A server of this API serves the page at /try, below its base address; elsewhere it is a file beside the docs.
  const [, served] = /^(https?:.*)\\/try$/.exec(location.origin + location.pathname) ?? [];
  if (served) address.default = served;
  else document.querySelector('a').href = 'index.html';
  // A link from the docs names an operation, which Swagger UI takes behind "#".
  if (location.search) history.replaceState(null, '', location.pathname + '#/' + location.search.slice(1));
  // The docs have the models; nothing is sent to a validator elsewhere, and no token is stored.
  const quiet = { defaultModelsExpandDepth: -1, validatorUrl: null, persistAuthorization: false };
  const shown = { deepLinking: true, docExpansion: 'none', tryItOutEnabled: true };
  const { specActions } = SwaggerUIBundle({ spec, dom_id: '#console', ...quiet, ...shown });
  // Nothing is read from there; without it, references do not resolve in a file.
  specActions.updateUrl(address.default);
</script>
`;
}
