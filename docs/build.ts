/**
 * Renders openapi.yaml to docs/index.html, one file that asks no other host for anything.
 *
 *     node dist/docs/build.js [--if-stale]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const contract = join(folder, 'openapi.yaml');
const page = join(folder, 'docs', 'index.html');

const isFresh = existsSync(page) && statSync(page).mtimeMs >= statSync(contract).mtimeMs;
if (!process.argv.includes('--if-stale') || !isFresh) build();

function build(): void {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const run = spawnSync(process.execPath, [cli, 'build-docs', contract, '--output', page, '--inlineBundle'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (run.status !== 0) {
    process.stderr.write(`docs: redocly failed\n${run.stdout}${run.stderr}`);
    process.exit(1);
  }
  writeFileSync(page, withoutRemoteLogo(readFileSync(page, 'utf8')));
}

/** Redoc shows its logo from its own host, even in a page that is otherwise whole. */
function withoutRemoteLogo(html: string): string {
  const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E";
  return html.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]*logo[\w./-]*/g, blank);
}
