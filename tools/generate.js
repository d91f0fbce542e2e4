/**
 * Derives generated/ from openapi.yaml: TypeScript types, and the ids of the
 * requirements that the conformance suite makes of it.
 *
 *     npm run generate             writes what differs
 *     npm run generate -- --check  writes nothing, and exits with 1 when a file is stale
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.js';

const check = process.argv.includes('--check');
const flag = check ? ['--check'] : [];
const settings = ['-c', '.openapi-typescript.yaml', '--default-non-nullable=false'];

run(['node_modules/openapi-typescript/bin/cli.js', 'openapi.yaml', '-o', 'generated/openapi.ts', ...settings, ...flag]);
// `--list` writes a line for each requirement, which begins with its id.
const ids = [...run(['tools/run.js', 'conformance/main', '--list']).matchAll(/^[^\t]+(?=\t)/gm)].map(
  ([id]) => `${id}\n`,
);
const content = ids.toSorted().join('');
const path = join(ROOT, 'generated/requirement-ids.txt');
if (!check) writeFileSync(path, content);
else if (readFileSync(path, 'utf8') !== content) {
  process.stderr.write('generated/requirement-ids.txt is stale: run `npm run generate`\n');
  process.exitCode = 1;
}

/** Runs a program of Node; when it fails, so does this one. @param {string[]} command @returns {string} its output */
function run(command) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  process.stderr.write(stderr);
  if (status !== 0) process.exit(1);
  return stdout;
}
