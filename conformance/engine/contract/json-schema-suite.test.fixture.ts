/**
 * The cases of the JSON-Schema-Test-Suite (draft 2020-12, required keywords; one of its files on each line of the JSON),
 * each as the request body of a contract of its own: they show whether validator and generators understand JSON Schema.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, parseContract } from './load.ts';

interface Group {
  description: string;
  schema: object | boolean;
  tests: { data: unknown; valid: boolean }[];
}

export type Case = ReturnType<typeof casesOfSuite>[number];

const pointer = '/components/schemas/Case';

/** `keyword`: the file of the suite, which is called after a keyword or its subject; `pointer`: that of the schema. */
export function casesOfSuite() {
  const { files } = JSON.parse(readFileSync(join(import.meta.dirname, 'json-schema-suite.json'), 'utf8')) as {
    files: Record<string, Group[]>;
  };
  return Object.entries(files).flatMap(([keyword, groups]) =>
    groups.map(({ description, schema, tests }) => {
      const [valid, invalid] = [true, false].map((is) =>
        tests.filter((one) => one.valid === is).map(({ data }) => data),
      );
      return { keyword, description, pointer, contract: contractOf(schema), valid: valid!, invalid: invalid! };
    }),
  );
}

/** The contract whose only request has a body of the schema. */
function contractOf(schema: object | boolean): Contract {
  const body = { content: { 'application/json': { schema: { $ref: `#${pointer}` } } } };
  return parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'One schema', version: '1.0.0' },
      paths: { '/cases': { post: { requestBody: body, responses: {} } } },
      components: { schemas: { Case: relocated(schema) } },
    }),
  );
}

/** The schema with references to its place in the contract. */
function relocated(value: unknown, key = ''): unknown {
  if (key === '$ref' && typeof value === 'string') return value.replace('#', `#${pointer}`);
  if (key === 'enum' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => relocated(item));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, relocated(one, name)]));
}
