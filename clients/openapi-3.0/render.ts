/** The two files: the document, and the list of what it cannot say. */
import { dump } from 'js-yaml';
import type { Json, Lost } from './json.ts';

export function renderDocument(document: Json): string {
  const head =
    '# Derived from openapi.yaml by `npm run generate`; never edited. What 3.0 cannot say is listed in openapi-3.0.md.\n';
  return head + dump(document, { lineWidth: -1, noRefs: true });
}

export function renderLost(lost: readonly Lost[]): string {
  return `# What \`openapi-3.0.yaml\` cannot say

Derived from [\`openapi.yaml\`](../openapi.yaml) by \`npm run generate\`; never edited.

\`openapi-3.0.yaml\` is for generators that read OpenAPI 3.0 and no later version. The contract is \`openapi.yaml\`: validate with that
one. A service still enforces everything below; a client learns of it by a 400 with \`errors\`.

## Rules that are missing

3.0 has no word for these. Each stands in words in the \`description\` beside it, too.

| where in \`openapi.yaml\` | keyword | rule |
|---|---|---|
${lost.map(({ pointer, keyword, rule }) => `| \`${pointer}\` | \`${keyword}\` | \`${JSON.stringify(rule).replaceAll('|', '\\|')}\` |`).join('\n')}

## What is said another way

- **A type or null** (\`type: [string, 'null']\`) is \`nullable: true\`.
- **A reference or null** (\`oneOf: [{$ref}, {type: 'null'}]\`) is \`nullable: true\` beside \`allOf\` with that reference. The
  generators of the clients in this project read it so; datamodel-code-generator takes it as not null, and so does a
  validator that takes 3.0.3 by the letter. Use the contract itself with those.
- **Words beside a reference** are kept: \`allOf\` with one member where an object or a list of values has a name, else the schema
  is copied in. What is then used nowhere is omitted.
- **\`examples\` of a schema**: the first, as \`example\`. Those of bodies are omitted: they hold null beside references.
- **\`x-origin\`, \`x-default-origins\` and \`x-enum-varnames\`** are omitted, and \`info.description\` is one sentence.
- **\`x-max-bytes\`** is kept, but no tool enforces it: limits of text are bytes of UTF-8, and \`maxLength\` counts characters.
`;
}
