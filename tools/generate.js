/**
 * `npm run generate` derives generated/ from openapi.yaml: TypeScript types, and the ids of the suite's requirements; and
 * from the schema of reports. With `-- --check` it writes nothing, and exits with 1 when a file is stale.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { ROOT } from './build.js';

const check = process.argv.includes('--check');

/** @typedef {{ description?: string, $ref?: string, oneOf?: Schema[], properties?: Record<string, Schema> }} Schema */
const contract = /** @type {{ components: { schemas: Record<string, Schema> } }} */ (
  load(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'), { schema: CORE_SCHEMA })
);
// An editor shows the description of a property, and does not look for that of the schema that it refers to.
for (const { properties = {} } of Object.values(contract.components.schemas)) {
  for (const property of Object.values(properties)) {
    const { $ref = '' } = [property, ...(property.oneOf ?? [])].find((schema) => schema.$ref) ?? {};
    const description = contract.components.schemas[$ref.split('/').at(-1) ?? '']?.description;
    if (description !== undefined) {
      property.description ??= description;
    }
  }
}
const rootTypes = { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true };
const types = await openapiTypescript(/** @type {any} */ (contract), {
  defaultNonNullable: false,
  ...rootTypes,
});
update(
  'openapi.ts',
  `/** The types of openapi.yaml. Made by \`npm run generate\`. */\n\n${astToString(types)}`,
);

// `--list` writes a line for each requirement, which begins with its id.
const command = ['tools/run.js', 'conformance/cli/main', '--list'];
const ids =
  execFileSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' }).match(
    /^[^\t\n]+(?=\t)/gm,
  ) ?? [];
update('requirement-ids.txt', `${ids.toSorted().join('\n')}\n`);
const schema = /** @type {{ title: string }} */ (
  load(readFileSync(join(ROOT, 'conformance/engine/report/report.schema.yaml'), 'utf8'))
);
const json = JSON.stringify(schema, undefined, 2);
update('report/schema.json', `${json}\n`);
const components = {
  schemas: JSON.parse(json.replaceAll('#/$defs/', '#/components/schemas/')).$defs,
};
const document = {
  openapi: '3.1.0',
  info: { title: schema.title, version: '1' },
  paths: {},
  components,
};
update('report/types.ts', astToString(await openapiTypescript(document)));

/** @param {string} name @param {string} content */
function update(name, content) {
  const path = join(ROOT, 'generated', name);
  if (!check) {
    return writeFileSync(path, content);
  }
  if (readFileSync(path, 'utf8') === content) {
    return;
  }
  process.stderr.write(`generated/${name} is stale: run \`npm run generate\`\n`);
  process.exitCode = 1;
}
