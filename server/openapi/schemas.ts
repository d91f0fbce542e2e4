/** Where JSON Schemas stand in an OpenAPI document, and where further schemas stand in a schema. */
import { isObject, type JsonObject } from './document.ts';

const HOLD_ONE = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'];
const HOLD_LIST = ['allOf', 'anyOf', 'oneOf'];
const HOLD_MAP = ['properties', 'dependentSchemas'];

/** Every schema of a document, each once, with its place: `components/schemas/Enabled`, `…/properties/a/items`. */
export function* schemasOf(document: JsonObject): Generator<{ schema: JsonObject; place: string }> {
  const { schemas, ...components } = (document['components'] ?? {}) as { schemas?: JsonObject };
  for (const [name, schema] of Object.entries(schemas ?? {}))
    yield* within(schema as JsonObject, `components/schemas/${name}`);
  yield* besideComponents(components, 'components');
  yield* besideComponents(document['paths'], 'paths');
}

/** In the objects of OpenAPI, a schema stands under `schema`. Examples and extensions are data. */
function* besideComponents(value: unknown, place: string): Generator<{ schema: JsonObject; place: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('x-') || name.startsWith('example')) continue;
    if (name === 'schema' && isObject(inner)) yield* within(inner, `${place}/schema`);
    else yield* besideComponents(inner, `${place}/${name}`);
  }
}

function* within(schema: JsonObject, place: string): Generator<{ schema: JsonObject; place: string }> {
  yield { schema, place };
  for (const [key, inner] of innerSchemas(schema)) yield* within(inner, `${place}/${key}`);
}

/** The schemas that a schema holds directly; not `true` and `false`, which have nothing inside. */
export function innerSchemas(schema: JsonObject): [place: string, schema: JsonObject][] {
  const found: [string, unknown][] = [
    ...HOLD_ONE.map((key): [string, unknown] => [key, schema[key]]),
    ...[...HOLD_LIST, ...HOLD_MAP].flatMap((key) =>
      Object.entries((schema[key] ?? {}) as JsonObject).map(([name, one]): [string, unknown] => [
        `${key}/${name}`,
        one,
      ]),
    ),
  ];
  return found.filter((one): one is [string, JsonObject] => isObject(one[1]));
}
