/**
 * `node dist/docs/site/build.js [--if-stale]` renders openapi.yaml to docs/index.html and
 * docs/try.html, each one file that loads nothing else, and puts the contract beside them in the
 * forms that the page links to.
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
import { CONTRACT_FILES, pageContent } from './page/document.ts';
import { iconUrl } from './page/icon.ts';
import { readDocument } from './page/json.ts';
import { completed } from './page/redoc.ts';
import { GUIDES } from './page/texts.ts';
import { tryPage } from './page/try.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const at = (...names: string[]): string => join(root, ...names);
const contract = at('openapi.yaml');
const script = at('docs', 'site', 'browser', 'page-script.js');
const page = at('docs', 'index.html');

const SOURCE_FOLDERS = [
  'docs/decisions',
  'docs/site/page',
  'clients/samples',
  'clients/samples/templates',
];

if (!process.argv.includes('--if-stale') || !isFresh()) {
  build();
}

function isFresh(): boolean {
  const files = [contract, script, at('redocly.yaml'), ...GUIDES.map(({ file }) => at(file))];
  for (const folder of SOURCE_FOLDERS) {
    files.push(...readdirSync(at(folder)).map((name) => at(folder, name)));
  }
  if (!existsSync(page)) {
    return false;
  }
  const built = statSync(page).mtimeMs;
  return files.every((file) => statSync(file).mtimeMs <= built);
}

function build(): void {
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
    const part = (name: string) => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8');
    const template = readFileSync(at('docs', 'site', 'page', 'try.html'), 'utf8');
    writeFileSync(at('docs', 'try.html'), tryPage(template, parsed, { icon: iconUrl(root), part }));
    copyFileSync(contract, at('docs', CONTRACT_FILES.YAML));
    writeFileSync(at('docs', CONTRACT_FILES.JSON), JSON.stringify(parsed));
    // Last, so that an interrupted build is repeated.
    writeFileSync(page, completed(readFileSync(html, 'utf8'), content, root));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
