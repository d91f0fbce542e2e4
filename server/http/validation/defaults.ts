/**
 * Fills in what a client omitted, as `default` in the contract says, at every depth: also behind `oneOf` with null, where
 * express-openapi-validator does not. Null counts as omitted where the default is something else (D04).
 *
 * It is for values that are valid already. Where a `oneOf` has several schemas, their types tell which of them applies; a
 * contract in which they do not stops the start (openapi/support.ts).
 */
import { isObject, type JsonObject, resolve } from '../../openapi/document.ts';

/** Changes objects and lists in place, and gives the value: another one where the value itself was omitted. */
export type FillDefaults = (value: unknown) => unknown;

export function compileDefaults(document: JsonObject, schema: JsonObject): FillDefaults {
  const plan = planFor(document, schema, new Map());
  return plan === undefined ? (value) => value : (value) => fill(plan, value);
}

/** The defaults of a schema and of the schemas within it. */
interface Plan {
  /** Undefined where there is none. Frozen, since everyone who leaves it out gets the same one. */
  fallback: unknown;
  properties: [name: string, plan: Plan][];
  /** Of properties without a schema of their own. */
  others: Plan | undefined;
  items: Plan | undefined;
  /** All of them apply. */
  parts: Plan[];
  /** The one applies whose types include that of the value. */
  branches: [types: readonly unknown[], plan: Plan][];
}

/** @param known plans by reference: a component may hold itself */
function planFor(document: JsonObject, schema: unknown, known: Map<string, Plan>): Plan | undefined {
  if (!isObject(schema)) return undefined;
  const ref = Object.keys(schema).length === 1 && typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;
  if (ref !== undefined && known.has(ref)) return known.get(ref);
  const plan: Plan = {
    fallback: undefined,
    properties: [],
    others: undefined,
    items: undefined,
    parts: [],
    branches: [],
  };
  if (ref !== undefined) known.set(ref, plan);
  const resolved = resolve(document, schema);
  const inner = (one: unknown) => planFor(document, one, known);
  const lists = (keyword: string) => (resolved[keyword] ?? []) as JsonObject[];
  for (const [name, one] of Object.entries((resolved['properties'] ?? {}) as JsonObject)) {
    const found = inner(one);
    if (found) plan.properties.push([name, found]);
  }
  plan.others = inner(resolved['additionalProperties']);
  plan.items = inner(resolved['items']);
  plan.parts = lists('allOf').flatMap((one) => inner(one) ?? []);
  plan.branches = [...lists('oneOf'), ...lists('anyOf')].flatMap((one): Plan['branches'] => {
    const found = inner(one);
    return found ? [[[resolve(document, one)['type']].flat(), found]] : [];
  });
  if (resolved['default'] !== undefined) plan.fallback = frozen(fill(plan, structuredClone(resolved['default'])));
  return isEmpty(plan) ? undefined : plan;
}

function isEmpty({ fallback, properties, others, items, parts, branches }: Plan): boolean {
  return fallback === undefined && !others && !items && [...properties, ...parts, ...branches].length === 0;
}

function fill(plan: Plan, value: unknown): unknown {
  if (plan.fallback !== undefined && (value === undefined || (value === null && plan.fallback !== null)))
    return plan.fallback;
  if (typeof value !== 'object' || value === null) return value;
  for (const part of plan.parts) fill(part, value);
  for (const [types, branch] of plan.branches)
    if (types.includes(Array.isArray(value) ? 'array' : 'object')) fill(branch, value);
  if (Array.isArray(value)) {
    if (plan.items) for (const [index, item] of value.entries()) value[index] = fill(plan.items, item);
  } else {
    fillObject(plan, value as JsonObject);
  }
  return value;
}

function fillObject({ properties, others }: Plan, value: JsonObject): void {
  for (const [name, plan] of properties) {
    const before = value[name];
    const after = fill(plan, before);
    if (after !== before) value[name] = after;
  }
  if (others === undefined) return;
  for (const name of Object.keys(value))
    if (!properties.some(([known]) => known === name)) value[name] = fill(others, value[name]);
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
