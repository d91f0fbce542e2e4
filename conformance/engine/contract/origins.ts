/**
 * The origin of a rule, by `x-origin` (see "Where the rules come from" in the contract): one origin
 * for everything below, or a map from keyword (`required.id`: one required name) to origin, with
 * `*` for the rest. The nearest enclosing statement wins; the origin of a keyword that it does not
 * name comes from `x-default-origins`. A statement around a `$ref` does not bind its target.
 */
import { memberOf } from './by-name.ts';
import type { Contract } from './load.ts';
import { isObject, parsePointer } from './pointers.ts';
import type { SchemaError } from './schemas.ts';

/** The result of `originOf` if neither the place nor anything around it states an origin. */
export const UNSTATED = 'unstated';

/**
 * Applicators whose origin binds their contents: that of `if` also `then`, unless the map has a
 * `then`.
 */
const TELLS_ORIGIN: ReadonlyMap<string, readonly string[]> = new Map([
  ['if', ['if']],
  ['then', ['then', 'if']],
  ['else', ['else', 'if']],
  ['oneOf', ['oneOf']],
  ['propertyNames', ['propertyNames']],
]);

/**
 * Whether a rule binds what clients send or what the service sends: some keywords have another
 * origin in each.
 */
export type Side = 'request' | 'response';

/** A rule of a schema. */
export interface RuleName {
  /** Default: the schema as a whole. */
  keyword?: string;
  /** Default: 'response'. */
  side?: Side;
  /** A name that the keyword lists. */
  name?: string | undefined;
}

/** The origin of a place, or of a rule in it: `source §2.5`, `D06` or `UNSTATED`. */
export function originOf(
  contract: Contract,
  pointer: string,
  { keyword = '*', side = 'response', name }: RuleName = {},
): string {
  if (!contract.statesOrigins) {
    return UNSTATED;
  }
  const segments = parsePointer(pointer);
  const own = [keyword];
  if (name !== undefined) {
    own.unshift(`${keyword}.${name}`);
  }
  for (const [height, holder] of holdersOf(contract, segments).toReversed().entries()) {
    const stated = isObject(holder) ? holder['x-origin'] : undefined;
    if (stated === undefined && holder !== contract.document) {
      continue;
    }
    const below = segments.slice(segments.length - height);
    const words = governing(below) ?? own;
    const origin = originIn(stated, words, (word) => defaultOrigin(contract, word, side));
    if (origin !== undefined) {
      return origin;
    }
  }
  return UNSTATED;
}

/** The values on the way to a place, the document first, the place last. */
function holdersOf({ document }: Contract, segments: readonly string[]): unknown[] {
  let holder: unknown = document;
  const holders = [holder];
  for (const segment of segments) {
    holder = memberOf(Object(holder) as Record<string, unknown>, segment);
    holders.push(holder);
  }
  return holders;
}

/**
 * The origin that an `x-origin` states for the first of the words, else the default one, else that
 * of all the rest.
 */
function originIn(
  stated: unknown,
  words: readonly string[],
  defaultFor: (word: string) => unknown,
): string | undefined {
  // One origin for everything is that of the rest.
  const origins: Record<string, unknown> = isObject(stated) ? stated : { '*': stated };
  const named = words.map((word) => origins[word]);
  const candidates = [...named, ...words.map(defaultFor), origins['*']];
  return candidates.find((one) => typeof one === 'string');
}

/** A component that states no origin takes the origin of the operation that uses it. */
export function originOfComponent(contract: Contract, pointer: string, inherited: string): string {
  const own = originOf(contract, pointer);
  return own === UNSTATED ? inherited : own;
}

/**
 * The origin of the rule that an error found broken: by the pointer of its keyword, and the name
 * that it lists.
 */
export function originOfError(
  contract: Contract,
  error: Pick<SchemaError, 'pointer' | 'name'>,
  side: Side,
): string {
  const { pointer, name } = error;
  const cut = pointer.lastIndexOf('/');
  const keyword = pointer.slice(cut + 1);
  return originOf(contract, pointer.slice(0, cut), { keyword, side, name });
}

function defaultOrigin({ document }: Contract, keyword: string, side: Side): unknown {
  type DefaultOrigins = Record<string, Record<string, unknown> | undefined>;
  const defaults = document['x-default-origins'] as DefaultOrigins | undefined;
  return defaults?.[side]?.[keyword] ?? defaults?.['all']?.[keyword];
}

/**
 * The words in an `x-origin` that bind everything below an applicator.
 * @param between the segments from the holder of the `x-origin` to the schema that holds the
 * keyword
 */
function governing(between: string[]): readonly string[] | undefined {
  // A property may be called `if`: only segments that are not names count.
  const isApplicator = (one: string, index: number) =>
    between[index - 1] !== 'properties' && TELLS_ORIGIN.has(one);
  return TELLS_ORIGIN.get(between.find(isApplicator) ?? '');
}
