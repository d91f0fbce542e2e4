/**
 * OpenAPI 3.0 in the words of 3.1, in place: every pointer stays. What differs is `nullable`, exclusive bounds as
 * booleans, and that everything beside a `$ref` is ignored.
 */
import { isObject } from './pointers.ts';

/** What holds examples and values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

export function upgrade(value: unknown, key = ''): void {
  if (Array.isArray(value)) {
    for (const item of value) upgrade(item);
    return;
  }
  if (!isObject(value)) return;
  const isMap = key === 'properties';
  if (!isMap) upgradeSchema(value);
  for (const [name, child] of Object.entries(value)) {
    if (isMap || !(VALUES.has(name) || name.startsWith('x-'))) upgrade(child, isMap ? '' : name);
  }
}

function upgradeSchema(schema: Record<string, unknown>): void {
  if (typeof schema['$ref'] === 'string') {
    for (const name of Object.keys(schema)) if (name !== '$ref') delete schema[name];
    return;
  }
  if (schema['nullable'] === true && typeof schema['type'] === 'string') {
    schema['type'] = [schema['type'], 'null'];
    // A list of values that null is not in refuses null, whatever `nullable` says.
  }
  if (typeof schema['nullable'] === 'boolean') delete schema['nullable'];
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number';
    if (isExclusive) schema[exclusive] = schema[bound];
    else delete schema[exclusive];
    if (isExclusive) delete schema[bound];
  }
}
