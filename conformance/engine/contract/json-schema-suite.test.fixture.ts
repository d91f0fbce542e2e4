/**
 * The cases of the JSON-Schema-Test-Suite (draft 2020-12, required keywords; one of its files on each line of the JSON),
 * each as the request body of a contract of its own: they show whether validator and generators understand JSON Schema.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, parseContract } from './load.ts';

export interface Case {
  /** The file of the suite: a keyword, or its subject. */
  keyword: string;
  description: string;
  contract: Contract;
  /** JSON Pointer of the schema. */
  pointer: string;
  schema: object | boolean;
  valid: unknown[];
  invalid: unknown[];
}

interface Group {
  description: string;
  schema: object | boolean;
  tests: { data: unknown; valid: boolean }[];
}

const pointer = '/components/schemas/Case';

export function casesOfSuite(): Case[] {
  const { files } = JSON.parse(readFileSync(join(import.meta.dirname, 'json-schema-suite.json'), 'utf8')) as {
    files: Record<string, Group[]>;
  };
  return Object.entries(files).flatMap(([keyword, groups]) =>
    groups.map(({ description, schema, tests }) => {
      const instances = (isValid: boolean) => tests.filter(({ valid }) => valid === isValid).map(({ data }) => data);
      return {
        ...{ keyword, description, schema, pointer, contract: contractOf(schema) },
        valid: instances(true),
        invalid: instances(false),
      };
    }),
  );
}

/** The contract whose only request has a body of the schema. */
function contractOf(schema: object | boolean): Contract {
  const body = { content: { 'application/json': { schema: { $ref: `#${pointer}` } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'One schema', version: '1.0.0' },
    paths: { '/cases': { post: { requestBody: body, responses: {} } } },
    components: { schemas: { Case: relocated(schema) } },
  };
  return parseContract(JSON.stringify(document));
}

/** The schema with references to its place in the contract. */
function relocated(value: unknown, key = ''): unknown {
  if (key === '$ref' && typeof value === 'string') return value.replace('#', `#${pointer}`);
  if (key === 'enum' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => relocated(item));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, relocated(one, name)]));
}
