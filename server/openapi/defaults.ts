/** Fills in each `default`, also behind `oneOf` with null; null counts as omitted where it is something else (D04). */
import { isObject, type JsonObject, resolve } from './document.ts';

/** Changes objects and arrays in place, and returns the value: the default where the value itself was omitted. */
export type FillDefaults = (value: unknown) => unknown;

type Compile = (schema: unknown) => FillDefaults;

const leave: FillDefaults = (value) => value;

/** A schema without any of them fills nothing in. */
const FILLING = [
  'default',
  'properties',
  'additionalProperties',
  'items',
  'allOf',
  'oneOf',
  'anyOf',
];

/** For values that are valid already. */
export function compileDefaults(document: JsonObject, schema: JsonObject): FillDefaults {
  const compiled = new Map<JsonObject, FillDefaults>();
  const compile: Compile = (one) => {
    if (!isObject(one) || !FILLING.some((keyword) => keyword in resolve(document, one))) {
      return leave;
    }
    let fill: FillDefaults | undefined;
    // When it is first needed: a schema may contain itself.
    if (!compiled.has(one)) {
      compiled.set(one, (value) => (fill ??= fillerOf(document, one, compile))(value));
    }
    return compiled.get(one)!;
  };
  return compile(schema);
}

function fillerOf(document: JsonObject, schema: JsonObject, compile: Compile): FillDefaults {
  const resolved = resolve(document, schema);
  const { default: fallback, additionalProperties, items } = resolved;
  const subschemas = (keyword: string) => (resolved[keyword] ?? []) as JsonObject[];
  const parts = subschemas('allOf').map(compile);
  // The type tells which schema applies; a contract in which it does not stops the start (openapi/support.ts).
  const branches = [...subschemas('oneOf'), ...subschemas('anyOf')].map((branch) => ({
    types: [resolve(document, branch)['type']].flat(),
    fill: compile(branch),
  }));
  const declared = Object.entries((resolved['properties'] ?? {}) as JsonObject);
  const names = new Set(declared.map(([name]) => name));
  const properties = declared
    .map(([name, one]) => [name, compile(one)] as const)
    .filter(([, fill]) => fill !== leave);
  const fillItem = compile(items);
  const fillOther = compile(additionalProperties);
  return (sent) => {
    const isOmitted =
      fallback !== undefined && (sent === undefined || (sent === null && fallback !== null));
    const value = !isOmitted
      ? sent
      : typeof fallback === 'object'
        ? structuredClone(fallback)
        : fallback;
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    for (const fill of parts) {
      fill(value);
    }
    const type = Array.isArray(value) ? 'array' : 'object';
    for (const { types, fill } of branches) {
      if (types.includes(type)) {
        fill(value);
      }
    }
    const values = value as JsonObject;
    for (const [name, fill] of properties) {
      const filled = fill(values[name]);
      if (filled !== undefined) {
        values[name] = filled;
      }
    }
    const fill = type === 'array' ? fillItem : fillOther;
    if (fill !== leave) {
      for (const name of Object.keys(values)) {
        if (!names.has(name)) {
          values[name] = fill(values[name]);
        }
      }
    }
    return value;
  };
}
