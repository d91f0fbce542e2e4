/**
 * Contracts in the words that the rest of the suite knows, in place: every pointer stays. Of OpenAPI 3.0 differ
 * `nullable`, exclusive bounds as booleans, and that everything beside a `$ref` is ignored.
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

const SCHEMAS = ['schema', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['schemas', '$defs', 'properties', 'patternProperties', 'dependentSchemas'];

/**
 * `false` as a schema becomes `{not: {}}`, which says the same and is a rule with a place of its own. What a closed
 * object or list says (`additionalProperties: false`) stays.
 */
export function spellOut(value: unknown, key = ''): void {
  if (typeof value !== 'object' || value === null) return;
  const isMap = MAPS.includes(key);
  const isList = LISTS.includes(key);
  for (const [name, child] of Object.entries(value)) {
    if (child === false && (isMap || isList || SCHEMAS.includes(name)))
      Object.defineProperty(value, name, { value: { not: {} }, enumerable: true, configurable: true, writable: true });
    else if (isMap || isList) spellOut(child);
    else if (!VALUES.has(name) && !name.startsWith('x-')) spellOut(child, name);
  }
}
