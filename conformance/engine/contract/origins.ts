/**
 * Where a rule comes from, by `x-origin` (see "Where the rules come from" in the contract): one origin for everything
 * below, or a map from keyword (`required.id`: one required name) to origin, with `*` for the rest. The nearest
 * enclosing statement wins; what it does not name comes from `x-default-origins`. What encloses a `$ref` does not bind
 * its target.
 */
import type { Contract } from './load.ts';
import { isObject, parsePointer } from './pointers.ts';
import type { SchemaError } from './schemas.ts';

/** The result of `originOf` when neither the place nor anything around it states an origin. */
export const UNSTATED = 'unstated';

/** Applicators whose origin binds their contents: that of `if` also `then`, unless the map has a `then`. */
const TELLS_ORIGIN: ReadonlyMap<string, readonly string[]> = new Map([
  ['if', ['if']],
  ['then', ['then', 'if']],
  ['else', ['else', 'if']],
  ['oneOf', ['oneOf']],
  ['propertyNames', ['propertyNames']],
]);

/** Whether a rule binds what clients send or what the service sends: some keywords have another origin in each. */
export type Side = 'request' | 'response';

/** The origin of a place, of `keyword` in it, or of a `name` that this lists: `source §2.5`, `D06` or `UNSTATED`. */
export function originOf(
  contract: Contract,
  pointer: string,
  keyword = '*',
  side: Side = 'response',
  name?: string,
) {
  if (!contract.statesOrigins) {
    return UNSTATED;
  }
  const segments = parsePointer(pointer);
  const own = [...(name === undefined ? [] : [`${keyword}.${name}`]), keyword];
  /** What is around it, outermost first. */
  const holders: unknown[] = [contract.document];
  for (const segment of segments) {
    holders.push((holders.at(-1) as Record<string, unknown> | null | undefined)?.[segment]);
  }
  for (const [depth, container] of [...holders.entries()].toReversed()) {
    const words = governing(segments.slice(depth)) ?? own;
    const origin = isObject(container) ? container['x-origin'] : undefined;
    if (origin === undefined && container !== contract.document) {
      continue;
    }
    const named = isObject(origin) ? words.map((word) => origin[word]) : [];
    const fallback = isObject(origin) ? origin['*'] : origin;
    const found = [...named, ...words.map((word) => defaultOrigin(contract, word, side)), fallback];
    const first = found.find((one) => typeof one === 'string');
    if (first !== undefined) {
      return first;
    }
  }
  return UNSTATED;
}

/** The origin of the rule that an error found broken: by the pointer of its keyword, and the name that it lists. */
export function originOfError(
  contract: Contract,
  error: Pick<SchemaError, 'pointer' | 'name'>,
  side: Side,
): string {
  const cut = error.pointer.lastIndexOf('/');
  return originOf(
    contract,
    error.pointer.slice(0, cut),
    error.pointer.slice(cut + 1),
    side,
    error.name,
  );
}

function defaultOrigin({ document }: Contract, keyword: string, side: Side): unknown {
  const defaults = document['x-default-origins'] as
    | Record<string, Record<string, unknown> | undefined>
    | undefined;
  return defaults?.[side]?.[keyword] ?? defaults?.['all']?.[keyword];
}

/** `between`: the segments from a container to the schema that holds the keyword. */
function governing(between: string[]): readonly string[] | undefined {
  // A property may be called `if`: only segments that are not names count.
  const isApplicator = (one: string, index: number) =>
    between[index - 1] !== 'properties' && TELLS_ORIGIN.has(one);
  return TELLS_ORIGIN.get(between.find(isApplicator) ?? '');
}
