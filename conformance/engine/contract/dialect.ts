/** Schemas of OpenAPI 3.0, and by name, in the words of 3.1: the rest of the suite knows no other. */
import { isObject, joinPointer } from './pointers.ts';

/** Members that hold examples and values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

const SCHEMAS = ['schema', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['schemas', '$defs', 'properties', 'patternProperties', 'dependentSchemas'];

/** Writes schemas in place in the words of OpenAPI 3.1; a `$ref` by `$id` or `$anchor` gets a pointer, and all stay. */
export function toWordsOf31(document: Record<string, unknown>, version: string): void {
  const isOld = version.startsWith('3.0');
  const mayLackType = /^3\.0\.[012]$/.test(version);
  const named = new Map<string, string>();
  const references: Record<string, unknown>[] = [];
  const visit = (value: unknown, pointer: string, key = ''): void => {
    if (typeof value !== 'object' || value === null) return;
    const isMap = MAPS.includes(key);
    const isList = LISTS.includes(key);
    if (!isMap && isObject(value)) {
      if (isOld) upgradeSchema(value, mayLackType);
      delete value['nullable'];
      for (const [word, mark] of Object.entries({ $id: '', $anchor: '#' })) {
        if (typeof value[word] === 'string') named.set(mark + value[word], pointer);
        delete value[word];
      }
      if (typeof value['$ref'] === 'string') references.push(value);
    }
    for (const [name, child] of Object.entries(value)) {
      const at = joinPointer(pointer, name);
      if (child === false && (isMap || isList || SCHEMAS.includes(name)))
        // A rule needs a place of its own, but for `additionalProperties: false`. The name may be `__proto__`.
        Object.defineProperty(value, name, { value: { not: {} } });
      else if (isMap || isList) visit(child, at);
      else if (VALUES.has(name) || name.startsWith('x-')) hide(value as Record<string, unknown>, name);
      else visit(child, at, name);
    }
  };
  visit(document, '');
  for (const reference of references) {
    const [base = '', fragment = ''] = String(reference['$ref']).split('#');
    const pointer = named.get(String(reference['$ref'])) ?? (named.has(base) ? named.get(base) + fragment : undefined);
    if (pointer !== undefined) reference['$ref'] = `#${encodeURI(pointer)}`;
  }
}

/** An example that has schemas of its own in it is none of the contract's: Ajv would take their names for names here. */
function hide(holder: Record<string, unknown>, name: string): void {
  if (/"\$(id|anchor|dynamicAnchor)":/.test(JSON.stringify(holder[name]) ?? ''))
    Object.defineProperty(holder, name, { enumerable: false });
}

/** OpenAPI 3.0 has `nullable` and exclusive bounds as booleans, and ignores everything beside a `$ref`. */
function upgradeSchema(schema: Record<string, unknown>, mayLackType: boolean): void {
  if (typeof schema['$ref'] === 'string') {
    for (const name of Object.keys(schema)) if (name !== '$ref') delete schema[name];
    return;
  }
  // An `enum` without null refuses null, whatever `nullable` says.
  if (schema['nullable'] === true && typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null'];
  // Before 3.0.3, `nullable` beside a reference in `allOf` allowed null, too.
  const [only, ...others] = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
  if (schema['nullable'] === true && mayLackType && only !== undefined && others.length === 0 && !('type' in schema)) {
    schema['oneOf'] = [only, { type: 'null' }];
    delete schema['allOf'];
  }
  for (const bound of ['minimum', 'maximum']) {
    const exclusive = `exclusiveM${bound.slice(1)}`;
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number';
    if (isExclusive) schema[exclusive] = schema[bound];
    delete schema[isExclusive ? bound : exclusive];
  }
}
