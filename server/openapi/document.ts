/** An OpenAPI document as it was read, and how to follow its references. */

export type JsonObject = { [name: string]: unknown };

/** openapi.yaml cannot be used; the message is one line that says why. */
export class ContractError extends Error {
  override name = 'ContractError';
}

/**
 * Follows `$ref`s inside the document until an object without one. Siblings of a `$ref` win over its target.
 * @throws ContractError when one leads nowhere
 */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let current = value as JsonObject;
  while (typeof current['$ref'] === 'string') {
    const { $ref, ...siblings } = current;
    current = { ...lookUp(document, $ref as string), ...siblings };
  }
  return current;
}

function lookUp(document: JsonObject, ref: string): JsonObject {
  let value: unknown = document;
  for (const segment of ref.replace(/^#\//, '').split('/')) {
    value = (value as JsonObject | undefined)?.[segment.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (!isObject(value)) throw new ContractError(`openapi.yaml has no ${ref}`);
  return value;
}

/** Parameters of a path item hold for each of its operations, unless one has a parameter of the same name and place. */
export function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): JsonObject[] {
  const all = [...list(item['parameters']), ...list(operation['parameters'])].map((one) => resolve(document, one));
  return [...new Map(all.map((one) => [`${one['in'] as string} ${one['name'] as string}`, one])).values()];
}

function list(value: unknown): unknown[] {
  return (value ?? []) as unknown[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
