/**
 * The page that sends requests: Swagger UI with the contract and all else in one file, so that it loads nothing. Redoc has no
 * console.
 */
import type { Json } from './json.ts';

export interface Console {
  /** The bundle of Swagger UI, its style and its licences. */
  bundle: string;
  style: string;
  licences: string;
  /** The text of docs/browser/try-script.js. */
  script: string;
}

export function tryPage(document: Json, { bundle, style, licences, script }: Console): string {
  const { title } = document['info'] as { title: string };
  // The headings of the docs page say how to call the API: here, the description would come before the console.
  const contract = { ...document, info: { ...(document['info'] as Json), description: '' } };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try it – ${title}</title>
<!-- ${licences.replaceAll('--', '- -')} -->
<style>${style}
body { margin: 0 auto; max-width: 1460px; font-family: sans-serif; }
body > p { margin: 20px; line-height: 1.5; }</style>
</head>
<body>
<p><a href="docs" id="docs">Docs</a>. Requests go from this page to the server that you choose below. A server at another
address has to allow this page to call it (CORS): the reference server does with <code>--cors-origin</code> and the origin
of this page, <code id="origin"></code>. Your token stays in the memory of this page: reload it, and the token is gone.</p>
<div id="console"></div>
<script type="application/json" id="contract">${JSON.stringify(contract).replaceAll('<', String.raw`\u003c`)}</script>
<script>${bundle.replaceAll('</script', String.raw`<\/script`)}</script>
<script>${script}</script>
</body>
</html>
`;
}
