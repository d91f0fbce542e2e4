/**
 * Where a rule comes from. The contract says it with `x-origin` (see "Where the rules come from" in its description): one
 * origin for everything below, or a map from keyword to origin with `*` for the rest. The nearest enclosing statement
 * wins; a keyword that it does not name comes from `x-default-origins` of the document, if that names it. A component is
 * asked under its own pointer: what encloses a `$ref` to it says nothing about it.
 */
import type { Contract } from './load.ts';
import { isObject, parsePointer } from './pointers.ts';

/** The result of `originOf` when neither the place nor anything around it states an origin. */
export const UNSTATED = 'unstated';

/** Applicators whose contents state the rule of an applicator: what is under `then` comes from where the `if` does. */
const TELLS_ORIGIN: ReadonlyMap<string, string> = new Map([
  ['if', 'if'],
  ['then', 'if'],
  ['else', 'if'],
  ['oneOf', 'oneOf'],
  ['propertyNames', 'propertyNames'],
]);

/** Whether a rule binds what clients send or what the service sends: some keywords have another origin in each. */
export type Side = 'request' | 'response';

/**
 * The origin of `keyword` in the schema at `schemaPointer`, such as `source §2.5` or `D06`; `UNSTATED` when there is
 * none. Without `keyword`, the origin of the operation, parameter or response at that pointer.
 */
export function originOf(contract: Contract, schemaPointer: string, keyword = '*', side: Side = 'response'): string {
  const segments = parsePointer(schemaPointer);
  // [container, the keyword under which the rule is found from there], outermost first
  const around: [unknown, string][] = [];
  let value: unknown = contract.document;
  for (const [index, segment] of segments.entries()) {
    around.push([value, governing(segments.slice(index), keyword)]);
    value = (value as Record<string, unknown> | null | undefined)?.[segment];
  }
  around.push([value, keyword]);
  for (const [container, name] of around.toReversed()) {
    const origin = isObject(container) ? container['x-origin'] : undefined;
    if (origin === undefined) continue;
    const named = isObject(origin) && Object.hasOwn(origin, name) ? origin[name] : undefined;
    const found = named ?? defaultOrigin(contract, name, side) ?? (isObject(origin) ? origin['*'] : origin);
    if (typeof found === 'string') return found;
  }
  return UNSTATED;
}

function defaultOrigin({ document }: Contract, keyword: string, side: Side): unknown {
  const defaults = document['x-default-origins'] as Record<string, Record<string, unknown> | undefined> | undefined;
  return defaults?.[side]?.[keyword] ?? defaults?.['all']?.[keyword];
}

/** `between`: the segments from a container to the schema that holds the keyword. */
function governing(between: string[], keyword: string): string {
  // A property may be called `if`: only segments that are not names count.
  const applicators = between.map((segment, index) =>
    between[index - 1] === 'properties' ? undefined : TELLS_ORIGIN.get(segment),
  );
  return applicators.find((one) => one !== undefined) ?? keyword;
}
