/**
 * The contract as readers see it: the same rules, told for people. What the page adds is derived from the contract and the
 * decision records; nothing is written here that is not there.
 */
import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { showConstraints } from './constraints.ts';
import { type Decision, linkDecisions } from './decisions.ts';
import { isData, type Json, mapObjects } from './json.ts';
import { sectionsOf, withMenu } from './menu.ts';
import { showNullable } from './nullable.ts';
import { withSamples } from './operations.ts';
import { showOrigins } from './origins.ts';
import { withSchemaExamples } from './schema-examples.ts';
import { unwrapped } from './text.ts';

export function readerDocument(contract: string, decisions: readonly Decision[]): Json {
  const text = readFileSync(contract, 'utf8');
  let document = load(text, { schema: CORE_SCHEMA }) as Json;
  document = withSamples(withSchemaExamples(document));
  document = withMenu(document, sectionsOf(text), decisions);
  document = showNullable(document);
  document = showConstraints(document);
  document = showOrigins(document);
  document = { ...document, servers: (document['servers'] as Server[]).map(withDefaults) };
  const known = new Set(decisions.map(({ id }) => id));
  return mapObjects(document, (object, path) => {
    const { description } = object;
    return typeof description !== 'string' || isData(path)
      ? undefined
      : { ...object, description: linkDecisions(unwrapped(description), known) };
  }) as Json;
}

interface Server {
  url: string;
  description: string;
  variables?: Record<string, { default: string }>;
}

/** The address that a reader would try first: Redoc puts a bare `{base_url}` behind the address of the page itself. */
function withDefaults({ url, description, variables = {} }: Server): Server {
  return { url: url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]!.default), description };
}
