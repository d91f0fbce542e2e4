/**
 * Renders openapi.yaml to docs/index.html, one file that asks no other host for anything.
 *
 *     node dist/docs/build.js [--if-stale]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDecisions } from './page/decisions.ts';
import { readerDocument } from './page/document.ts';
import { withoutRemoteLogo, withLinksInPage, withStyle } from './page/html.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const contract = join(folder, 'openapi.yaml');
const records = join(folder, 'docs', 'decisions');
/** What the page shows of it, and how. */
const settings = join(folder, 'redocly.yaml');
const page = join(folder, 'docs', 'index.html');

if (!process.argv.includes('--if-stale') || !isFresh()) build();

function isFresh(): boolean {
  const sources = [
    contract,
    settings,
    ...(existsSync(records) ? readdirSync(records).map((name) => join(records, name)) : []),
  ];
  return existsSync(page) && sources.every((source) => statSync(page).mtimeMs >= statSync(source).mtimeMs);
}

function build(): void {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const scratch = mkdtempSync(join(tmpdir(), 'edge-docs-'));
  try {
    const document = join(scratch, 'openapi.json');
    writeFileSync(document, JSON.stringify(readerDocument(contract, readDecisions(records))));
    const run = spawnSync(process.execPath, [cli, 'build-docs', document, '--output', page, '--inlineBundle'], {
      // Beside redocly.yaml, which turns telemetry off and says what the page shows.
      cwd: folder,
      encoding: 'utf8',
    });
    if (run.status !== 0) {
      process.stderr.write(`docs: redocly failed\n${run.stdout}${run.stderr}`);
      process.exit(1);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writeFileSync(page, withLinksInPage(withStyle(withoutRemoteLogo(readFileSync(page, 'utf8')))));
}
