/**
 * The cases of the JSON-Schema-Test-Suite (draft 2020-12, required keywords; one of its files on each line of the JSON),
 * each as the request body of a contract of its own: they show whether validator and generators understand JSON Schema.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsOf } from './operations.ts';
import { parseContract, type Contract } from './load.ts';
import { isObject } from './pointers.ts';

export interface Case {
  /** The file of the suite: a keyword, or what it is about. */
  keyword: string;
  description: string;
  schema: unknown;
  valid: unknown[];
  invalid: unknown[];
  /** Why an OpenAPI contract does not hold such a schema. */
  foreign: string | undefined;
}

interface Suite {
  files: Record<string, { description: string; schema: unknown; tests: { data: unknown; valid: boolean }[] }[]>;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Keywords that name schemas in another way than by their place in the document. */
const NAMES = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'];

export function casesOfSuite(): Case[] {
  const { files } = JSON.parse(readFileSync(join(import.meta.dirname, 'json-schema-suite.json'), 'utf8')) as Suite;
  return Object.entries(files).flatMap(([keyword, groups]) =>
    groups.map(({ description, schema, tests }) => ({
      keyword,
      description,
      schema,
      valid: tests.filter(({ valid }) => valid).map(({ data }) => data),
      invalid: tests.filter(({ valid }) => !valid).map(({ data }) => data),
      foreign: foreign(keyword, schema),
    })),
  );
}

function foreign(keyword: string, schema: unknown): string | undefined {
  if (keyword === 'format') return 'There a format is an annotation; here it is a rule.';
  if (isObject(schema) && ![DRAFT, undefined].includes(schema['$schema'] as string))
    return 'It has a dialect of its own.';
  const found = [...schemasIn(schema)];
  const name = NAMES.find((one) => found.some((inner) => one in inner));
  if (name) return `It names schemas by ${name}; a contract refers to them by their place.`;
  const remote = found.some(({ $ref }) => typeof $ref === 'string' && !/^#(\/|$)/.test($ref));
  return remote ? 'It refers to another document.' : undefined;
}

const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const VALUES = ['const', 'enum', 'default', 'examples'];

/** The schema objects in a schema, itself among them. */
function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
  if (!isObject(schema)) return;
  yield schema;
  for (const [keyword, value] of Object.entries(schema)) {
    if (VALUES.includes(keyword)) continue;
    const inner = MAPS.includes(keyword) ? Object.values(value as object) : LISTS.includes(keyword) ? value : [value];
    for (const one of inner as unknown[]) yield* schemasIn(one);
  }
}

/** The contract whose only request has a body of the schema, and the pointer of that schema. */
export function contractOf({ schema }: Case): { contract: Contract; pointer: string } {
  const embedded = structuredClone(schema);
  for (const inner of schemasIn(embedded)) {
    if (typeof inner['$ref'] === 'string') inner['$ref'] = inner['$ref'].replace('#', '#/components/schemas/Case');
  }
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Case' } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'One schema', version: '1.0.0' },
    paths: { '/cases': { post: { requestBody: body, responses: {} } } },
    components: { schemas: { Case: embedded } },
  };
  const contract = parseContract(JSON.stringify(document));
  return { contract, pointer: operationsOf(contract)[0]!.requestBody!.pointer };
}
