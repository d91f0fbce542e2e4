/**
 * `node dist/docs/site/build.js [--if-stale]` renders openapi.yaml to docs/index.html and
 * docs/try.html, each one file that loads nothing else, and puts the contract beside them in the
 * forms that the page links to.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
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
import { CONTRACT_FILES, pageContent } from './page/document.ts';
import { iconUrl } from './page/icon.ts';
import { readDocument } from './page/json.ts';
import type { DocsPage } from './page/page-data.ts';
import { fileText, llmsText, PAGES_FOLDER } from './page/pages.ts';
import { completed } from './page/redoc.ts';
import { pageScript } from './page/script.ts';
import { GUIDES } from './page/texts.ts';
import { tryPage } from './page/try.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const at = (...names: string[]): string => join(root, ...names);
const contract = at('openapi.yaml');
const page = at('docs', 'index.html');

const SOURCE_FOLDERS = [
  'docs/decisions',
  'docs/site/browser/script',
  'docs/site/browser/try',
  'docs/site/page',
  'clients/samples',
  'clients/samples/templates',
];

if (!process.argv.includes('--if-stale') || !isFresh()) {
  await build();
}

function isFresh(): boolean {
  const files = [contract, at('redocly.yaml'), ...GUIDES.map(({ file }) => at(file))];
  for (const folder of SOURCE_FOLDERS) {
    files.push(...readdirSync(at(folder)).map((name) => at(folder, name)));
  }
  if (!existsSync(page)) {
    return false;
  }
  const built = statSync(page).mtimeMs;
  return files.every((file) => statSync(file).mtimeMs <= built);
}

/** The Markdown files, and no others of an earlier build. */
function writePages(pages: readonly DocsPage[]): void {
  const folder = at('docs', PAGES_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const one of pages) {
    writeFileSync(join(folder, one.file), fileText(one));
  }
}

async function build(): Promise<void> {
  const require = createRequire(import.meta.url);
  const packageOfRedocly = dirname(require.resolve('@redocly/cli/package.json'));
  const cli = join(packageOfRedocly, 'bin', 'cli.js');
  const scratch = mkdtempSync(join(tmpdir(), 'edge-docs-'));
  try {
    const content = pageContent(root);
    const document = join(scratch, 'openapi.json');
    const html = join(scratch, 'index.html');
    writeFileSync(document, JSON.stringify(content.document));
    // Beside redocly.yaml, which turns telemetry off and says what the page shows.
    const command = [cli, 'build-docs', document, '--output', html, '--inlineBundle'];
    const run = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
    if (run.status !== 0) {
      process.stderr.write(`docs: redocly failed\n${run.stdout}${run.stderr}`);
      process.exitCode = 1;
      return;
    }
    const parsed = readDocument(contract);
    const parts = {
      icon: iconUrl(root),
      template: readFileSync(at('docs', 'site', 'page', 'try.html'), 'utf8'),
      style: readFileSync(at('docs', 'site', 'page', 'try.css'), 'utf8'),
      script: await pageScript(root, 'try'),
      part: (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8'),
    };
    writeFileSync(at('docs', 'try.html'), tryPage(parsed, parts));
    writePages(content.pages);
    writeFileSync(at('docs', 'llms.txt'), llmsText(content.info, content.pages));
    copyFileSync(contract, at('docs', CONTRACT_FILES.YAML));
    writeFileSync(at('docs', CONTRACT_FILES.JSON), JSON.stringify(parsed));
    const script = await pageScript(root, 'script');
    // Last, so that an interrupted build is repeated.
    writeFileSync(page, completed(readFileSync(html, 'utf8'), content, root, script));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
