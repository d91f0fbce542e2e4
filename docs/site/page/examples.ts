/**
 * Samples of operations and examples of schemas: one sample for each operation, language and
 * example of a body.
 */
import { LANGUAGES, type SampleLanguage, samplesOf } from '../../../clients/samples/index.ts';
import { isObject, type Json, objectsIn } from './json.ts';
import type { PageSamples } from './page-data.ts';

/** Languages that Redoc highlights under another name. */
const HIGHLIGHT: Partial<Record<string, string>> = { curl: 'bash', TypeScript: 'JavaScript' };

export function pageSamples(document: Json): PageSamples {
  const found: PageSamples = {};
  for (const language of Object.keys(LANGUAGES) as SampleLanguage[]) {
    for (const { request, source } of samplesOf(document, language)) {
      const operation = (found[`${request.method} ${request.path}`] ??= {});
      (operation[language] ??= {})[request.body?.example ?? ''] = source;
    }
  }
  return found;
}

/**
 * With a link to the console, and the first sample of each language, which the page's script
 * replaces by others.
 */
export function withSamples(document: Json, samples: PageSamples): Json {
  const paths = structuredClone(document['paths'] as Record<string, Json>);
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const own = samples[`${method.toUpperCase()} ${path}`];
      if (own === undefined) {
        continue;
      }
      addSamples(operation as Operation, own);
    }
  }
  return { ...document, paths };
}

interface Operation extends Json {
  tags: [string];
  operationId: string;
}

function addSamples(operation: Operation, samples: PageSamples[string]): void {
  const { tags, operationId, description } = operation;
  // Behind "?": Redoc does not follow a link whose "#" is like that of one of its operations.
  const place = encodeURI(`${tags[0]}/${operationId}`);
  operation['description'] = `${String(description).trimEnd()}\n\n[Try it](try.html?${place})`;
  operation['x-codeSamples'] = Object.entries(samples).map(([label, byExample]) => {
    const [source] = Object.values(byExample);
    return { lang: HIGHLIGHT[label] ?? label, label, source };
  });
}

/**
 * Object schemas without an example get one from an operation. Redoc would make one from the
 * schema, with `"string"` as values and with modules that exclude each other.
 */
export function withSchemaExamples(document: Json): Json {
  const components = document['components'] as Record<'schemas' | 'examples', Record<string, Json>>;
  const found = new Map<string, unknown>();

  /**
   * Notes the value for the schema that is referred to, and its parts for those inside; the longest
   * one wins.
   */
  const note = (schema: unknown, value: unknown): void => {
    if (!isObject(schema) || value === null || value === undefined) {
      return;
    }
    for (const choice of Array.isArray(schema['oneOf']) ? schema['oneOf'] : []) {
      note(choice, value);
    }
    const name = referredName(schema);
    if (name !== undefined && isObject(value) && size(value) > size(found.get(name))) {
      found.set(name, value);
    }
    const { properties, items } = name === undefined ? schema : (components.schemas[name] ?? {});
    if (Array.isArray(value)) {
      value.forEach((one) => note(items, one));
    }
    if (isObject(value) && isObject(properties)) {
      for (const [property, inner] of Object.entries(properties)) {
        note(inner, value[property]);
      }
    }
  };

  for (const [, { schema, examples }] of objectsIn(document['paths'])) {
    if (!isObject(examples) || !isObject(schema)) {
      continue;
    }
    for (const example of Object.values(examples)) {
      const name = referredName(example as Json) ?? '';
      note(schema, components.examples[name]?.['value']);
    }
  }
  const schemas: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(components.schemas)) {
    const isMissing = found.has(name) && schema['examples'] === undefined;
    schemas[name] = isMissing ? { ...schema, examples: [found.get(name)] } : schema;
  }
  return { ...document, components: { ...components, schemas } };
}

/** The name of the component that an object refers to. */
export function referredName({ $ref }: Json): string | undefined {
  if (typeof $ref !== 'string') {
    return undefined;
  }
  return $ref.split('/').at(-1);
}

const size = (value: unknown): number => (value === undefined ? -1 : JSON.stringify(value).length);
