/**
 * An OpenAPI document as it was read: its references, the places of its JSON Schemas, and JSON
 * Pointers (RFC 6901).
 */

export type JsonObject = { [name: string]: unknown };

/** openapi.yaml cannot be used; the message is one line that says why. */
export class ContractError extends Error {
  override name = 'ContractError';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The property, if it is an object; otherwise an empty one. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

/** The objects of an array; empty if the property is missing. */
export function listIn(object: JsonObject, name: string): JsonObject[] {
  return (object[name] ?? []) as JsonObject[];
}

export function pointerTo(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pathOf(pointer: string): string[] {
  const [, ...names] = pointer.split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Follows `$ref`s in the document. Properties beside a `$ref` win over those that it leads to.
 *
 * @throws ContractError if a `$ref` leads nowhere
 */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let current = value as JsonObject;
  while (typeof current['$ref'] === 'string') {
    const { $ref, ...siblings } = current;
    current = { ...referenced(document, String($ref)), ...siblings };
  }
  return current;
}

function referenced(document: JsonObject, reference: string): JsonObject {
  let value: unknown = document;
  for (const name of pathOf(reference)) {
    value = (value as JsonObject | undefined)?.[name];
  }
  if (!isObject(value)) {
    throw new ContractError(`openapi.yaml has no ${reference}`);
  }
  return value;
}

/**
 * The parameters of a path item apply to each of its operations, unless an operation has a
 * parameter of the same name and place.
 */
export function parametersOf(
  document: JsonObject,
  pathItem: JsonObject,
  operation: JsonObject,
): JsonObject[] {
  const byPlace = new Map<string, JsonObject>();
  for (const one of [...listIn(pathItem, 'parameters'), ...listIn(operation, 'parameters')]) {
    const parameter = resolve(document, one);
    byPlace.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
  }
  return [...byPlace.values()];
}

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
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

export interface PlacedSchema {
  schema: JsonObject;
  /** Such as `components/schemas/Enabled/properties/a/items`. */
  place: string;
}

/** Every schema of a document, each once. */
export function* schemasOf(document: JsonObject): Generator<PlacedSchema> {
  const { schemas = {}, ...others } = objectIn(document, 'components');
  for (const [name, schema] of Object.entries(schemas as Record<string, JsonObject>)) {
    yield* schemasIn({ schema, place: `components/schemas/${name}` });
  }
  yield* schemasBelow(others, 'components');
  yield* schemasBelow(document['paths'], 'paths');
}

/**
 * The schemas of the objects of OpenAPI: they are under the name `schema`. Examples and extensions
 * are data.
 */
function* schemasBelow(value: unknown, place: string): Generator<PlacedSchema> {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('x-') || name.startsWith('example')) {
      continue;
    }
    if (name === 'schema' && isObject(inner)) {
      yield* schemasIn({ schema: inner, place: `${place}/schema` });
    } else {
      yield* schemasBelow(inner, `${place}/${name}`);
    }
  }
}

/** The schema itself, and all schemas in it. */
function* schemasIn(outer: PlacedSchema): Generator<PlacedSchema> {
  yield outer;
  for (const { schema, place } of innerSchemas(outer.schema)) {
    yield* schemasIn({ schema, place: `${outer.place}/${place}` });
  }
}

/** The schemas that a schema contains directly; not `true` and `false`, which contain nothing. */
export function innerSchemas(schema: JsonObject): PlacedSchema[] {
  const inner: PlacedSchema[] = [];
  const add = (place: string, value: unknown) => {
    if (isObject(value)) {
      inner.push({ schema: value, place });
    }
  };
  for (const keyword of HOLD_ONE) {
    add(keyword, schema[keyword]);
  }
  for (const keyword of [...HOLD_LIST, ...HOLD_MAP]) {
    for (const [name, value] of Object.entries(schema[keyword] ?? {})) {
      add(`${keyword}/${name}`, value);
    }
  }
  return inner;
}
