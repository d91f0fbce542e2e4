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
import ts from 'typescript';
import { ROOT } from './build.js';

const isCheck = process.argv.includes('--check');

/**
 * @typedef {{ description?: string, $ref?: string, oneOf?: Schema[], properties?: Record<string,
 *   Schema> }} Schema
 */
/** @typedef {{ components: { schemas: Record<string, Schema> } }} Contract */

/** The text before the first tab of a line. */
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
  });
  const types = withPlainComments(astToString(ast.flatMap(withNamedSchemas)));
  return `/** The types of openapi.yaml. Made by \`npm run generate\`. */\n\n${types}`;
}

/**
 * Editors show a description as text if it has no tag, and as code if its lines are indented.
 * @param {string} types
 */
function withPlainComments(types) {
  return types.replaceAll('@description ', '').replaceAll(/^( *\* ) {4}/gm, '$1');
}

/**
 * Declares each schema under its own name, and refers to it by that name. Editors then show
 * `HTTPSEdge` and `MatchType`; of `type HTTPSEdge = components['schemas']['HTTPSEdge']` they show
 * all that it consists of, and at a property `components["schemas"]["MatchType"]`.
 * @param {ts.Node} node a declaration of openapi-typescript @returns {ts.Node[]}
 */
function withNamedSchemas(node) {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') {
    return [withReferences(node)];
  }
  const schemas = node.members.find((member) => nameOf(member) === 'schemas');
  const literal = /** @type {ts.TypeLiteralNode} */ (/** @type {any} */ (schemas).type);
  const declarations = literal.members.map((member) => declarationOf(member));
  const names = literal.members.map((member) => {
    const name = nameOf(member);
    const type = ts.factory.createTypeReferenceNode(name);
    return ts.factory.createPropertySignature(undefined, name, undefined, type);
  });
  const others = node.members.filter((member) => member !== schemas);
  const namedSchemas = ts.factory.createPropertySignature(
    undefined,
    'schemas',
    undefined,
    ts.factory.createTypeLiteralNode(names),
  );
  const { modifiers, name, typeParameters, heritageClauses } = node;
  const components = ts.factory.createInterfaceDeclaration(
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    [namedSchemas].concat(/** @type {any} */ (others)),
  );
  return [withReferences(components), ...declarations];
}

/** @param {ts.TypeElement} member of `components.schemas` @returns {ts.Node} */
function declarationOf(member) {
  const { type } = /** @type {{ type: ts.TypeNode }} */ (/** @type {unknown} */ (member));
  const name = nameOf(member);
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member));
  return withReferences(declaration);
}

/** @param {ts.TypeElement} member */
function nameOf({ name }) {
  return name !== undefined && 'text' in name ? name.text : '';
}

/**
 * The node with a name in place of each `components["schemas"]["Name"]`.
 * @param {ts.Node} node
 */
function withReferences(node) {
  /** @type {ts.TransformerFactory<ts.Node>} */
  const named = (context) => {
    /** @param {ts.Node} inner @returns {ts.Node} */
    const visit = (inner) => {
      const name = schemaNameOf(inner);
      if (name === undefined) {
        return ts.visitEachChild(inner, visit, context);
      }
      return ts.factory.createTypeReferenceNode(name);
    };
    return visit;
  };
  const [transformed] = ts.transform(node, [named]).transformed;
  return transformed ?? node;
}

/**
 * The name of the schema that `components["schemas"]["Name"]` is.
 * @param {ts.Node} node
 */
function schemaNameOf(node) {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) {
    return undefined;
  }
  const isSchema = textOf(node.objectType.indexType) === 'schemas';
  if (!isSchema) {
    return undefined;
  }
  return textOf(node.indexType);
}

/** @param {ts.TypeNode} node */
function textOf(node) {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) {
    return node.literal.text;
  }
  return '';
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
