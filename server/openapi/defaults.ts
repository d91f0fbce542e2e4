/**
 * Fills in what a client omitted, as `default` in the contract says, at every depth: also behind `oneOf` with null,
 * where express-openapi-validator does not. Null counts as omitted where the default is something else (D04).
 */
import { isObject, type JsonObject, resolve } from './document.ts';

/** Changes objects and arrays in place, and returns the value: the default where the value itself was omitted. */
export type FillDefaults = (value: unknown) => unknown;

/** For values that are valid already. */
export function compileDefaults(document: JsonObject, schema: JsonObject): FillDefaults {
  return (value) => fill(document, schema, value);
}

function fill(document: JsonObject, schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  const resolved = resolve(document, schema);
  const { default: fallback, properties = {}, additionalProperties, items } = resolved;
  if (fallback !== undefined && (value === undefined || (value === null && fallback !== null)))
    return fill(document, resolved, structuredClone(fallback));
  if (typeof value !== 'object' || value === null) return value;
  for (const part of subschemas(resolved, 'allOf')) fill(document, part, value);
  // The type tells which schema applies; a contract in which it does not stops the start (openapi/support.ts).
  const type = Array.isArray(value) ? 'array' : 'object';
  for (const branch of [...subschemas(resolved, 'oneOf'), ...subschemas(resolved, 'anyOf')])
    if ([resolve(document, branch)['type']].flat().includes(type)) fill(document, branch, value);
  const values = value as JsonObject;
  for (const [name, one] of Object.entries(properties as JsonObject)) {
    const filled = fill(document, one, values[name]);
    if (filled !== undefined) values[name] = filled;
  }
  for (const name of Object.keys(values))
    if (!Object.hasOwn(properties as JsonObject, name))
      values[name] = fill(document, Array.isArray(value) ? items : additionalProperties, values[name]);
  return value;
}

function subschemas(schema: JsonObject, keyword: string): JsonObject[] {
  return (schema[keyword] ?? []) as JsonObject[];
}
