/**
 * Renders openapi.yaml to docs/index.html, one file that asks no other host for anything, and puts the contract beside it in
 * the forms that the page links to.
 *
 *     node dist/docs/build.js [--if-stale]
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load } from 'js-yaml';
import { pageContent } from './page/document.ts';
import { CONTRACT_FILES } from './page/menu.ts';
import { completed } from './page/redoc.ts';
import { GUIDES } from './page/texts.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const contract = join(root, 'openapi.yaml');
const contract30 = join(root, 'generated', 'openapi-3.0.yaml');
const records = join(root, 'docs', 'decisions');
const style = join(root, 'docs', 'page', 'style.css');
const script = join(root, 'docs', 'browser', 'page-script.js');
const page = join(root, 'docs', 'index.html');

if (!process.argv.includes('--if-stale') || !isFresh()) build();

function isFresh(): boolean {
  const folders = [records, join(root, 'docs', 'page'), join(root, 'clients', 'samples')];
  const sources = [
    contract,
    contract30,
    script,
    // What the page shows, and how.
    join(root, 'redocly.yaml'),
    ...GUIDES.map(({ file }) => join(root, file)),
    ...folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))),
  ];
  return existsSync(page) && sources.every((source) => statSync(page).mtimeMs >= statSync(source).mtimeMs);
}

function build(): void {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const scratch = mkdtempSync(join(tmpdir(), 'edge-docs-'));
  try {
    const content = pageContent(root);
    const document = join(scratch, 'openapi.json');
    const html = join(scratch, 'index.html');
    writeFileSync(document, JSON.stringify(content.document));
    const run = spawnSync(process.execPath, [cli, 'build-docs', document, '--output', html, '--inlineBundle'], {
      // Beside redocly.yaml, which turns telemetry off and says what the page shows.
      cwd: root,
      encoding: 'utf8',
    });
    if (run.status !== 0) {
      process.stderr.write(`docs: redocly failed\n${run.stdout}${run.stderr}`);
      process.exit(1);
    }
    const assets = { style: readFileSync(style, 'utf8'), script: readFileSync(script, 'utf8') };
    copyFileSync(contract, join(root, 'docs', CONTRACT_FILES.YAML));
    copyFileSync(contract30, join(root, 'docs', CONTRACT_FILES['OpenAPI 3.0']));
    writeFileSync(
      join(root, 'docs', CONTRACT_FILES.JSON),
      JSON.stringify(load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA })),
    );
    // Last, so that a build that broke off is done again.
    writeFileSync(page, completed(readFileSync(html, 'utf8'), content, assets));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
