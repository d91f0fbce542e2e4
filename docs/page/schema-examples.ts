/**
 * Gives each object schema an example out of those of the operations, where it has none of its own: the one that Redoc would
 * make up shows `"string"`, and modules that cannot be set together side by side.
 */
import { isObject, type Json, objectsIn } from './json.ts';

export function withSchemaExamples(document: Json): Json {
  const components = document['components'] as {
    schemas: Record<string, Json>;
    examples: Record<string, { value: unknown }>;
  };
  const found = new Map<string, unknown>();

  /** Notes the value for the schema that is referred to, and its parts for those inside; the first one with most in it wins. */
  const note = (schema: unknown, value: unknown): void => {
    if (!isObject(schema) || value === null || value === undefined) return;
    for (const choice of Array.isArray(schema['oneOf']) ? schema['oneOf'] : []) note(choice, value);
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : undefined;
    if (name !== undefined && isObject(value) && size(value) > size(found.get(name))) found.set(name, value);
    const { properties, items } = name === undefined ? schema : components.schemas[name]!;
    if (Array.isArray(value)) value.forEach((one) => note(items, one));
    if (isObject(value) && isObject(properties))
      for (const [property, inner] of Object.entries(properties)) note(inner, value[property]);
  };

  for (const [, object] of objectsIn(document['paths'])) {
    if (!isObject(object['examples']) || !isObject(object['schema'])) continue;
    for (const { $ref } of Object.values(object['examples']) as { $ref: string }[])
      note(object['schema'], components.examples[$ref.split('/').at(-1)!]!.value);
  }
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    found.has(name) && schema['examples'] === undefined ? { ...schema, examples: [found.get(name)] } : schema,
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function size(value: unknown): number {
  return value === undefined ? -1 : JSON.stringify(value).length;
}
