/** Bodies for routes: any that the service must accept, and modules with texts that services tend to change. */
import type fc from 'fast-check';
import type { Contract } from '../../engine/contract/load.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { validValues } from '../../engine/generate/valid.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { type Json, type ModuleName, MODULES } from '../modules.ts';
import { ODD_TEXT } from './edges.ts';

export const ROUTE_CREATE = '/components/schemas/HTTPSEdgeRouteCreate';
export const ROUTE_UPDATE = '/components/schemas/HTTPSEdgeRouteUpdate';

/** The properties that a route must have. */
export const BARE: Json = { match_type: 'path_prefix', match: '/' };

const valuesOf = (schema: string) => (implementation: Implementation) =>
  validValues(implementation.contract, schema, implementation.hints).map((body) => distinctNames(body as Json));
export const routeBodies = valuesOf(ROUTE_CREATE);
export const routePatches = valuesOf(ROUTE_UPDATE);

/** Values of one module as sent, never null. */
export function moduleValues(implementation: Implementation, name: ModuleName): fc.Arbitrary<Json> {
  const values = validValues(implementation.contract, `${ROUTE_CREATE}/properties/${name}`, implementation.hints);
  return values.filter((value) => value !== null).map((value) => distinctNames({ [name]: value })[name] as Json);
}

/** The modules that add headers. */
const WITH_HEADERS = Object.entries(MODULES).flatMap(([name, { fields }]) => (fields['add'] ? [name] : []));

/** Pointers to the maps of a route, of which what was sent is all that is shown. */
export const HEADER_MAPS = WITH_HEADERS.map((name) => `/${name}/add`);

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

/** The forms of a module that take odd texts, with one in each place whose schema takes any text. */
export function oddForms(contract: Contract, name: ModuleName): Json[] {
  const { full, hard } = MODULES[name];
  const schemas = schemasOf(contract);
  const odd = [full, ...hard].flatMap((value) => {
    const changed = pathsOfTexts(value).reduce((now, path) => {
      const next = withOddText(now, path) as Json;
      return schemas.isValid(`${ROUTE_CREATE}/properties/${name}`, next) ? next : now;
    }, value);
    return changed === value ? [] : [changed];
  });
  return [...new Map(odd.map((value) => [JSON.stringify(value), value])).values()];
}

/** Its schema takes any text, and the contract says that it is XML. */
const XML = 'idp_metadata';

function pathsOfTexts(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === XML ? [] : pathsOfTexts(inner, [...path, name])));
}

function withOddText(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return ODD_TEXT;
  if (Array.isArray(value)) return value.with(Number(name), withOddText(value[Number(name)], rest));
  return { ...(value as Json), [name]: withOddText((value as Json)[name], rest) };
}
