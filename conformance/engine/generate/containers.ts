/** Arrays and objects that satisfy the keywords of a shape, also with something given put into them. */
import * as fc from 'fast-check';
import { shapeOf, strictest, type Shape } from '../contract/shape.ts';
import { Unsupported } from '../contract/unsupported.ts';
import { branchesOf, type Build } from './build.ts';
import { accepted, exists } from './filter.ts';
import { fits } from './fits.ts';
import { textMatching } from './matching.ts';

/** How many items and free entries a value has at most, unless its schema asks for more: boundaries go to the limit. */
const ITEMS = 4;

export interface ArrayOptions {
  /** An item that must be there, at any place where the schema has one kind of items. */
  one?: fc.Arbitrary<unknown>;
  /** Items that must be there, by position. */
  at?: ReadonlyMap<number, fc.Arbitrary<unknown>>;
  /** The exact number of items; by default a small one that the schema allows. */
  length?: number;
  /** Whether what the schema says of the items by `contains` is left out. */
  uncontained?: boolean;
}

export function arrayOf(build: Build, shape: Shape, options: ArrayOptions = {}): fc.Arbitrary<unknown[]> {
  const { one, at = new Map<number, fc.Arbitrary<unknown>>(), length } = options;
  const fewest = Math.max(length ?? strictest(shape, 'minItems') ?? 0, ...[...at.keys()].map((index) => index + 1));
  const isEmpty = !one && fewest === 0;
  const head = headOf(build, shape, at, fewest, length);
  const most = length ?? strictest(shape, 'maxItems') ?? Infinity;
  if (isEmpty && (most === 0 || (shape.prefix.length === 0 && shape.items && build.isOpen(shape.items))))
    return fc.constant([]);
  const rest = restOf(build, shape, {
    ...(one ? { one } : {}),
    min: Math.max(0, fewest - head.length),
    max: Math.max(0, Math.min(most, Math.max(fewest, ITEMS)) - head.length),
  });
  const plain = head.length === 0 ? rest : fc.tuple(startOf(head, one ? head.length : fewest), rest).map(joined(head));
  if (shape.contained.length === 0 || options.uncontained) return plain;
  return fc.oneof(plain, withContained(build, shape, options, plain));
}

/** The items by position, as far as there can be any. */
function headOf(
  build: Build,
  shape: Shape,
  at: ReadonlyMap<number, fc.Arbitrary<unknown>>,
  fewest: number,
  length: number | undefined,
): fc.Arbitrary<unknown>[] {
  const head: fc.Arbitrary<unknown>[] = [];
  const end = Math.min(length ?? Infinity, Math.max(shape.prefix.length, ...[...at.keys()].map((index) => index + 1)));
  while (head.length < end) {
    const fixed = at.get(head.length);
    const due = shape.prefix[head.length] ?? shape.items;
    const isPossible = !due || (due.types.size > 0 && (head.length < fewest || !build.isOpen(due)));
    if (!fixed && !isPossible) break;
    head.push(fixed ?? (due ? build.arbitraryOf(due) : ANY));
  }
  return head;
}

/** Values where no rule says what they are. */
export const ANY: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(0, '', null);

function startOf(head: fc.Arbitrary<unknown>[], fewest: number): fc.Arbitrary<unknown[]> {
  const length = fc.integer({ min: Math.min(fewest, head.length), max: head.length });
  return fc.tuple(length, fc.tuple(...head)).map(([count, items]) => items.slice(0, count));
}

/** Other items only behind all of the first ones. */
function joined(head: readonly unknown[]) {
  return ([start, rest]: [unknown[], unknown[]]) => (start.length === head.length ? [...start, ...rest] : start);
}

function restOf(
  build: Build,
  shape: Shape,
  { one, min, max }: { one?: fc.Arbitrary<unknown>; min: number; max: number },
): fc.Arbitrary<unknown[]> {
  const isImpossible = shape.items?.types.size === 0;
  if (max === 0 && !one) return fc.constant([]);
  if (isImpossible) return one ? one.map((item) => [item]) : fc.constant([]);
  const item = shape.items ? build.arbitraryOf(shape.items) : ANY;
  const unique = shape.parts.some(({ schema }) => schema['uniqueItems'] === true);
  const sized = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> =>
    unique ? distinct(item, likeness, minLength, maxLength) : fc.array(item, { minLength, maxLength });
  if (!one) return sized(min, max);
  return fc
    .tuple(sized(Math.max(0, min - 1), Math.max(0, max - 1)), one, fc.nat({ max: ITEMS }))
    .map(([others, embedded, at]) => others.toSpliced(Math.min(at, others.length), 0, embedded));
}

/** Behind the other items as many as each `contains` asks for. */
function withContained(
  build: Build,
  shape: Shape,
  { length }: ArrayOptions,
  plain: fc.Arbitrary<unknown[]>,
): fc.Arbitrary<unknown[]> {
  const added = shape.contained.flatMap(({ pointer, least }) => {
    const item = shapeOf(build.contract, ...(shape.items?.roots ?? []), pointer);
    return item.types.size > 0 ? Array.from({ length: least }, () => build.arbitraryOf(item)) : [];
  });
  return fc
    .tuple(plain, fc.tuple(...added))
    .map(([items, more]) => [...items.slice(0, length === undefined ? Infinity : length - more.length), ...more]);
}

/** Items that differ in case alone are kept apart from each other: whether they repeat is not for a schema to say. */
function likeness(item: unknown): string {
  return JSON.stringify(item).toLowerCase();
}

/**
 * Arrays of items whose `key` differs. `fc.uniqueArray` looks for ever for more distinct items than there are, so that
 * is asked first: where there are too few, the arbitrary throws `GaveUp`.
 */
function distinct<T>(
  item: fc.Arbitrary<T>,
  key: (one: T) => string,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<T[]> {
  const enough =
    minLength <= 1 || new Set(fc.sample(item, { numRuns: 30 * minLength, seed: 1 }).map(key)).size >= minLength;
  if (!enough) return accepted(fc.constant<T[]>([]), `${minLength} distinct items`, () => false);
  return fc.uniqueArray(item, { minLength, maxLength, selector: key });
}

export interface ObjectOptions {
  /** Properties that must be there, with what they hold. */
  fixed?: ReadonlyMap<string, fc.Arbitrary<unknown>>;
  /** Properties that must not be there, also when they are required. */
  without?: ReadonlySet<string>;
  /** What one entry under a free name must hold, and the name where that matters. */
  extra?: fc.Arbitrary<unknown>;
  extraName?: fc.Arbitrary<string>;
  /** The exact number of properties; by default any that the schema allows. */
  size?: number;
  /** Whether optional properties are there seldom. */
  sparse?: boolean;
}

const ABSENT = Symbol('absent');

/** With more optional properties than this, each is there seldom: large values cost much and show little. */
const MANY = 10;

function seldom(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(ABSENT) },
    { weight: 1, arbitrary: values },
  );
}

export function objectOf(
  build: Build,
  shape: Shape,
  options: ObjectOptions = {},
): fc.Arbitrary<Record<string, unknown>> {
  if (shape.alternatives.length > 0) {
    const [first, ...others] = branchesOf(build, shape).map((branch) => objectOf(build, branch, options));
    if (!first) throw new Unsupported(`no object satisfies ${shape.roots.join(' and ')}`);
    return fc.oneof(first, ...others);
  }
  const { fixed = new Map<string, fc.Arbitrary<unknown>>(), without = new Set<string>(), extra, size } = options;
  const needed = new Map(fixed);
  const optional = new Map<string, fc.Arbitrary<unknown>>();
  for (const [name, child] of shape.properties) {
    if (needed.has(name) || without.has(name)) continue;
    if (shape.required.has(name)) needed.set(name, build.arbitraryOf(child));
    else if (shape.allows(name) && child.types.size > 0 && !build.isOpen(child))
      optional.set(name, build.arbitraryOf(child));
  }
  for (const name of shape.required) {
    if (needed.has(name) || without.has(name)) continue;
    if (!shape.allows(name))
      throw new Unsupported(`${name} is required and not allowed at ${shape.roots.join(' and ')}`);
    const due = shape.property(name);
    needed.set(name, due ? build.arbitraryOf(due) : ANY);
  }
  const forced = needed.size + (extra ? 1 : 0);
  const fewest = size ?? strictest(shape, 'minProperties') ?? 0;
  const most = size ?? strictest(shape, 'maxProperties') ?? Infinity;
  const bounded = fewest > forced || most < forced + optional.size;
  const some = bounded
    ? countedOf(optional, Math.max(0, fewest - forced), Math.max(0, most - forced))
    : recordOf(optional, (values) =>
        optional.size > MANY || options.sparse ? seldom(values) : fc.option(values, { nil: ABSENT, freq: 2 }),
      );
  const room = { min: Math.max(0, fewest - forced - optional.size), max: Math.max(0, most - forced - optional.size) };
  const free = freeOf(
    build,
    shape,
    size === undefined ? { min: room.min, max: Math.max(room.min, Math.min(room.max, ITEMS)) } : room,
  );
  const one = extra
    ? fc.tuple(options.extraName ?? freeName(build, shape), extra).map((entry) => [entry])
    : fc.constant([]);
  return fc
    .tuple(
      recordOf(needed, (values) => values),
      some,
      free,
      one,
    )
    .map((groups) => Object.fromEntries((groups.flat() as Entries).filter(([, value]) => value !== ABSENT)));
}

type Entries = [string, unknown][];

function recordOf(
  values: ReadonlyMap<string, fc.Arbitrary<unknown>>,
  each: (one: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Entries> {
  const names = [...values.keys()];
  return fc
    .tuple(...[...values.values()].map(each))
    .map((made) => made.map((value, index): [string, unknown] => [names[index] ?? '', value]));
}

/** Between `min` and `max` of the properties. */
function countedOf(
  values: ReadonlyMap<string, fc.Arbitrary<unknown>>,
  min: number,
  max: number,
): fc.Arbitrary<Entries> {
  const names = [...values.keys()];
  const least = Math.min(min, names.length);
  return fc
    .tuple(
      fc.subarray(names, { minLength: least, maxLength: Math.max(least, Math.min(max, names.length)) }),
      recordOf(values, (one) => one),
    )
    .map(([chosen, all]) => all.filter(([name]) => chosen.includes(name)));
}

/** Entries under free names, where the schema says what they hold, or asks for more than it lists. */
function freeOf(build: Build, shape: Shape, { min, max }: { min: number; max: number }): fc.Arbitrary<Entries> {
  if (max === 0) return fc.constant([]);
  const entries = [...shape.patterns]
    .filter(([, child]) => child.types.size > 0 && !build.isOpen(child))
    .map(([pattern, child]) => fc.tuple(nameLike(build, shape, pattern), build.arbitraryOf(child)));
  const { additional } = shape;
  if (additional && additional.types.size > 0)
    entries.push(fc.tuple(freeName(build, shape), build.arbitraryOf(additional)));
  // What must not be often takes more than what is listed.
  else if (!additional && shape.allows(UNLISTED) && (min > 0 || shape.parts.some(({ schema }) => 'not' in schema)))
    entries.push(fc.tuple(freeName(build, shape), ANY));
  const [first, ...others] = entries.filter(exists);
  if (!first) return fc.constant([]);
  // Names that differ in case alone are the same header, and no schema can say so.
  return distinct(fc.oneof(first, ...others), ([name]) => name.toLowerCase(), min, max);
}

/** A name that no schema lists, to ask whether any name is allowed. */
const UNLISTED = 'x-unlisted';

/** Names that a schema neither lists nor has a pattern for. */
export function freeName(build: Build, shape: Shape): fc.Arbitrary<string> {
  const { names } = shape;
  const made = names
    ? (build.arbitraryOf(
        Object.create(names, { types: { value: new Set(['string']) } }) as Shape,
      ) as fc.Arbitrary<string>)
    : fc.string({ unit: fc.constantFrom(...'abcdefghijk-_XYZ09'), minLength: 1, maxLength: 8 });
  const patterns = [...shape.patterns.keys()].map((pattern) => new RegExp(pattern, 'u'));
  return accepted(
    made,
    `free name for ${shape.roots.join(' and ')}`,
    (name) => !shape.properties.has(name) && !patterns.some((pattern) => pattern.test(name)),
  );
}

/** Names that match the pattern of `patternProperties`. */
export function nameLike(build: Build, shape: Shape, pattern: string): fc.Arbitrary<string> {
  return accepted(
    textMatching(pattern, 16),
    `name like ${pattern}`,
    (name) => name.isWellFormed() && !shape.properties.has(name) && (!shape.names || fits(build, shape.names, name)),
  );
}
