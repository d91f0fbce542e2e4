/** An OpenAPI document as it was read: its references, the places of its JSON Schemas, and JSON Pointers (RFC 6901). */

export type JsonObject = { [name: string]: unknown };

/** openapi.yaml cannot be used; the message is one line that says why. */
export class ContractError extends Error {
  override name = 'ContractError';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function pointerTo(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pathOf(pointer: string): string[] {
  const [, ...names] = pointer.split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Follows `$ref`s in the document; their siblings win over the target. @throws ContractError if one leads nowhere */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let current = value as JsonObject;
  while (typeof current['$ref'] === 'string') {
    const { $ref, ...siblings } = current;
    let target: unknown = document;
    for (const name of pathOf($ref as string)) {
      target = (target as JsonObject | undefined)?.[name];
    }
    if (!isObject(target)) {
      throw new ContractError(`openapi.yaml has no ${String($ref)}`);
    }
    current = { ...target, ...siblings };
  }
  return current;
}

/** Parameters of a path item apply to each of its operations, unless one has a parameter of the same name and place. */
export function parametersOf(
  document: JsonObject,
  item: JsonObject,
  operation: JsonObject,
): JsonObject[] {
  const all = [item, operation]
    .flatMap(({ parameters = [] }) => parameters)
    .map((one) => resolve(document, one));
  return [
    ...new Map(all.map((one) => [`${String(one['in'])} ${String(one['name'])}`, one])).values(),
  ];
}

const HOLD_ONE = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
];
const HOLD_LIST = ['allOf', 'anyOf', 'oneOf'];
const HOLD_MAP = ['properties', 'dependentSchemas'];

interface PlacedSchema {
  schema: JsonObject;
  /** Such as `components/schemas/Enabled/properties/a/items`. */
  place: string;
}

/** Every schema of a document, each once. */
export function* schemasOf(document: JsonObject): Generator<PlacedSchema> {
  const { schemas, ...components } = (document['components'] ?? {}) as { schemas?: JsonObject };
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    yield* within(schema as JsonObject, `components/schemas/${name}`);
  }
  yield* besideComponents(components, 'components');
  yield* besideComponents(document['paths'], 'paths');
}

/** In the objects of OpenAPI, a schema stands under `schema`. Examples and extensions are data. */
function* besideComponents(value: unknown, place: string): Generator<PlacedSchema> {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('x-') || name.startsWith('example')) {
      continue;
    }
    if (name === 'schema' && isObject(inner)) {
      yield* within(inner, `${place}/schema`);
    } else {
      yield* besideComponents(inner, `${place}/${name}`);
    }
  }
}

function* within(schema: JsonObject, place: string): Generator<PlacedSchema> {
  yield { schema, place };
  for (const [key, inner] of innerSchemas(schema)) {
    yield* within(inner, `${place}/${key}`);
  }
}

/** The schemas that a schema contains directly; not `true` and `false`, which contain none. */
export function innerSchemas(schema: JsonObject): [place: string, schema: JsonObject][] {
  const single = HOLD_ONE.map((key): [string, unknown] => [key, schema[key]]);
  const several = [...HOLD_LIST, ...HOLD_MAP].flatMap((key) =>
    Object.entries(schema[key] ?? {}).map(([name, one]): [string, unknown] => [
      `${key}/${name}`,
      one,
    ]),
  );
  return [...single, ...several].filter((one): one is [string, JsonObject] => isObject(one[1]));
}
