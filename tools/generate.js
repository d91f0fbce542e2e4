/**
 * `npm run generate` derives generated/: from openapi.yaml, TypeScript types and the ids of the
 * suite's requirements; from the schema of reports, its JSON and its types. With `-- --check` it
 * writes nothing, and exits with 1 if a file is stale.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { ROOT } from './build.js';

const isCheck = process.argv.includes('--check');

/**
 * @typedef {{ description?: string, $ref?: string, oneOf?: Schema[], properties?: Record<string,
 *   Schema> }} Schema
 */
/** @typedef {{ components: { schemas: Record<string, Schema> } }} Contract */

/** What is before the first tab of a line. */
const FIRST_CELL = /^[^\t\n]+(?=\t)/gm;

update('openapi.ts', await contractTypes());
update('requirement-ids.txt', requirementIds());
const report = await reportSchema();
update('report/schema.json', report.json);
update('report/types.ts', report.types);

async function contractTypes() {
  const text = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
  const contract = /** @type {Contract} */ (load(text, { schema: CORE_SCHEMA }));
  describeProperties(contract.components.schemas);
  const ast = await openapiTypescript(/** @type {any} */ (contract), {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
  });
  return `/** The types of openapi.yaml. Made by \`npm run generate\`. */\n\n${astToString(ast)}`;
}

/**
 * Gives properties the description of the schema to which they refer, since editors do not look for
 * it there.
 * @param {Record<string, Schema>} schemas
 */
function describeProperties(schemas) {
  for (const { properties = {} } of Object.values(schemas)) {
    for (const property of Object.values(properties)) {
      const description = schemas[referenceIn(property)]?.description;
      if (description !== undefined) {
        property.description ??= description;
      }
    }
  }
}

/**
 * The name of the schema to which a property refers, alone or beside null; empty if there is none.
 * @param {Schema} property
 */
function referenceIn(property) {
  const referring = [property, ...(property.oneOf ?? [])].find(({ $ref }) => $ref);
  return referring?.$ref?.split('/').at(-1) ?? '';
}

/** `--list` writes a line for each requirement, which begins with its id. */
function requirementIds() {
  const command = ['tools/run.js', 'conformance/cli/main', '--list'];
  const list = execFileSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  const ids = list.match(FIRST_CELL) ?? [];
  return `${ids.toSorted().join('\n')}\n`;
}

/** The schema of reports, as JSON and as types. */
async function reportSchema() {
  const text = readFileSync(join(ROOT, 'conformance/engine/report/report.schema.yaml'), 'utf8');
  const schema = /** @type {{ title: string }} */ (load(text));
  const json = JSON.stringify(schema, undefined, 2);
  const schemas = JSON.parse(json.replaceAll('#/$defs/', '#/components/schemas/')).$defs;
  const document = {
    openapi: '3.1.0',
    info: { title: schema.title, version: '1' },
    paths: {},
    components: { schemas },
  };
  return { json: `${json}\n`, types: astToString(await openapiTypescript(document)) };
}

/** Writes a file, or reports that it is stale. @param {string} name @param {string} content */
function update(name, content) {
  const path = join(ROOT, 'generated', name);
  if (!isCheck) {
    writeFileSync(path, content);
    return;
  }
  if (readFileSync(path, 'utf8') !== content) {
    process.stderr.write(`generated/${name} is stale: run \`npm run generate\`\n`);
    process.exitCode = 1;
  }
}
