/**
 * Writes generated/openapi-3.0.yaml and generated/openapi-3.0.md.
 *
 *     node dist/clients/openapi-3.0/main.js [--check]
 *
 * With --check it writes nothing, and exits with 1 where a file is not what it would write.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { downgrade } from './downgrade.ts';
import type { Json } from './json.ts';
import { renderDocument, renderLost } from './render.ts';

// dist/clients/openapi-3.0/ -> the package.
const folder = join(import.meta.dirname, '..', '..', '..');
const { document, lost } = downgrade(
  load(readFileSync(join(folder, 'openapi.yaml'), 'utf8'), { schema: CORE_SCHEMA }) as Json,
);
const files = { 'openapi-3.0.yaml': renderDocument(document), 'openapi-3.0.md': renderLost(lost) };

for (const [name, text] of Object.entries(files)) {
  const file = join(folder, 'generated', name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`generated/${name} is stale: run \`npm run generate\`\n`);
    process.exitCode = 1;
  }
}
