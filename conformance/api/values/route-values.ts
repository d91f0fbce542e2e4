/** Bodies for routes. */
import type fc from 'fast-check';
import { validValues } from '../../engine/generate/valid.ts';
import { type Json, type ModuleName, MODULES } from '../modules.ts';
import type { Implementation } from '../../engine/http/implementation.ts';

export const ROUTE_CREATE = '/components/schemas/HTTPSEdgeRouteCreate';
export const ROUTE_UPDATE = '/components/schemas/HTTPSEdgeRouteUpdate';

/** What a route cannot do without. */
export const BARE: Json = { match_type: 'path_prefix', match: '/' };

export function routeBodies(implementation: Implementation): fc.Arbitrary<Json> {
  return validValues(implementation.contract, ROUTE_CREATE, implementation.hints).map((body) =>
    distinctNames(body as Json),
  );
}

export function routePatches(implementation: Implementation): fc.Arbitrary<Json> {
  return validValues(implementation.contract, ROUTE_UPDATE, implementation.hints).map((body) =>
    distinctNames(body as Json),
  );
}

/** Values of one module as sent, never null. */
export function moduleValues(implementation: Implementation, name: ModuleName): fc.Arbitrary<Json> {
  const values = validValues(implementation.contract, `${ROUTE_CREATE}/properties/${name}`, implementation.hints);
  return values.filter((value) => value !== null).map((value) => distinctNames({ [name]: value })[name] as Json);
}

/** The modules that add headers. */
const WITH_HEADERS = Object.entries(MODULES).flatMap(([name, { fields }]) => (fields['add'] ? [name] : []));

/**
 * The body with names of headers that differ by more than case, which no schema can ask for (D23). As many names as
 * before: limits stay limits.
 */
export function distinctNames(body: Json): Json {
  const changed = { ...body };
  for (const name of WITH_HEADERS) {
    const module = body[name] as { add?: unknown; remove?: unknown } | null | undefined;
    if (module == null || typeof module !== 'object') continue;
    const { add, remove } = module;
    changed[name] = {
      ...module,
      ...(isMap(add)
        ? { add: Object.fromEntries(apart(Object.keys(add)).map((to, at) => [to, Object.values(add)[at]])) }
        : {}),
      ...(Array.isArray(remove) ? { remove: apart(remove as string[]) } : {}),
    };
  }
  return changed;
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function apart(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name.slice(0, 250)}-${count}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
