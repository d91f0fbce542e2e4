/** Arrays and objects that satisfy the keywords of a shape, also with something given put into them. */
import * as fc from 'fast-check';
import { strictest, type Shape } from '../contract/shape.ts';
import { Unsupported } from '../contract/unsupported.ts';
import { branchesOf, type Build } from './build.ts';
import { accepted } from './filter.ts';

/** How many items and free entries a value has at most, unless its schema asks for more: boundaries go to the limit. */
const ITEMS = 4;

export interface ArrayOptions {
  /** An item that must be there, at any place. */
  one?: fc.Arbitrary<unknown>;
  /** The exact number of items; by default a small one that the schema allows. */
  length?: number;
}

export function arrayOf(build: Build, shape: Shape, { one, length }: ArrayOptions = {}): fc.Arbitrary<unknown[]> {
  if (shape.items && build.isOpen(shape.items) && !one && (length ?? strictest(shape, 'minItems') ?? 0) === 0)
    return fc.constant([]);
  const item = shape.items ? build.arbitraryOf(shape.items) : fc.constantFrom<unknown>(0, '', null);
  const min = length ?? strictest(shape, 'minItems') ?? 0;
  const max = length ?? Math.max(min, Math.min(strictest(shape, 'maxItems') ?? ITEMS, ITEMS));
  const unique = shape.parts.some(({ schema }) => schema['uniqueItems'] === true);
  const sized = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> =>
    unique ? distinct(item, likeness, minLength, maxLength) : fc.array(item, { minLength, maxLength });
  if (!one) return sized(min, max);
  return fc
    .tuple(sized(Math.max(0, min - 1), Math.max(0, max - 1)), one, fc.nat({ max: ITEMS }))
    .map(([others, embedded, at]) => others.toSpliced(Math.min(at, others.length), 0, embedded));
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
    needed.set(name, shape.additional ? build.arbitraryOf(shape.additional) : fc.constant(0));
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
    ? fc.tuple(options.extraName ?? nameOf(build, shape), extra).map((entry) => [entry])
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

/** Entries under free names, where the schema says what they hold. */
function freeOf(build: Build, shape: Shape, { min, max }: { min: number; max: number }): fc.Arbitrary<Entries> {
  if (!shape.additional || max === 0) return fc.constant([]);
  const entry = fc.tuple(nameOf(build, shape), build.arbitraryOf(shape.additional));
  // Names that differ in case alone are the same header, and no schema can say so.
  return distinct(entry, ([name]) => name.toLowerCase(), min, max);
}

function nameOf(build: Build, shape: Shape): fc.Arbitrary<string> {
  const names = shape.names
    ? (build.arbitraryOf(
        Object.create(shape.names, { types: { value: new Set(['string']) } }) as Shape,
      ) as fc.Arbitrary<string>)
    : fc.string({ unit: fc.constantFrom(...'abcdefghijk-_XYZ09'), minLength: 1, maxLength: 8 });
  return accepted(names, `free name for ${shape.roots.join(' and ')}`, (name) => !shape.properties.has(name));
}
