/**
 * Derives generated/ from openapi.yaml: TypeScript types, and the ids of the
 * requirements that the conformance suite makes of it. The schema of reports
 * is written in YAML, and read as JSON.
 *
 *     npm run generate             writes what differs
 *     npm run generate -- --check  writes nothing, and exits with 1 when a file is stale
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { ROOT } from './build.js';

const check = process.argv.includes('--check');
const flag = check ? ['--check'] : [];
const settings = ['-c', '.openapi-typescript.yaml', '--default-non-nullable=false'];

run(['node_modules/openapi-typescript/bin/cli.js', 'openapi.yaml', '-o', 'generated/openapi.ts', ...settings, ...flag]);
// `--list` writes a line for each requirement, which begins with its id.
const ids = [...run(['tools/run.js', 'conformance/main', '--list']).matchAll(/^[^\t]+(?=\t)/gm)].map(
  ([id]) => `${id}\n`,
);
update('requirement-ids.txt', ids.toSorted().join(''));
const schema = /** @type {{ title: string }} */ (
  load(readFileSync(join(ROOT, 'conformance/engine/report/report.schema.yaml'), 'utf8'))
);
const json = JSON.stringify(schema, undefined, 2);
update('report/schema.json', `${json}\n`);
const components = { schemas: JSON.parse(json.replaceAll('#/$defs/', '#/components/schemas/')).$defs };
const document = { openapi: '3.1.0', info: { title: schema.title, version: '1' }, paths: {}, components };
update('report/types.ts', astToString(await openapiTypescript(document)));

/** @param {string} name @param {string} content */
function update(name, content) {
  const path = join(ROOT, 'generated', name);
  if (!check) return writeFileSync(path, content);
  if (readFileSync(path, 'utf8') === content) return;
  process.stderr.write(`generated/${name} is stale: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

/** Runs a program of Node; when it fails, so does this one. @param {string[]} command @returns {string} its output */
function run(command) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  process.stderr.write(stderr);
  if (status !== 0) process.exit(1);
  return stdout;
}
