/** Objects that satisfy the keywords of a shape, also with something given put into them. */
import * as fc from 'fast-check';
import { strictest, type Shape } from '../contract/shape.ts';
import { Unsupported } from '../contract/unsupported.ts';
import { branchesOf, type Build } from './build.ts';
import { distinct } from './distinct.ts';
import { accepted, exists } from './filter.ts';
import { fits } from './fits.ts';
import { textMatching } from './matching.ts';
import { ANY, ITEMS } from './room.ts';

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
  /**
   * Whether optional properties are there seldom: around a value that is put in, they cost time, and break rules of
   * their own.
   */
  sparse?: boolean;
}

const ABSENT = Symbol('absent');

/** With more optional properties than this, each is there seldom: large values cost much and show little. */
const MANY = 10;

/** @param weight how many times more often it is absent */
function option(values: fc.Arbitrary<unknown>, weight: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight, arbitrary: fc.constant(ABSENT) },
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
  const single = new Map(needed);
  if (!bounded)
    for (const [name, values] of optional)
      single.set(name, option(values, options.sparse ? 7 : optional.size > MANY ? 3 : 1));
  const counted = bounded
    ? countedOf(optional, Math.max(0, fewest - forced), Math.max(0, most - forced))
    : fc.constant<Entries>([]);
  const room = { min: Math.max(0, fewest - forced - optional.size), max: Math.max(0, most - forced - optional.size) };
  const free = freeOf(
    build,
    shape,
    size === undefined ? { min: room.min, max: Math.max(room.min, Math.min(room.max, ITEMS)) } : room,
  );
  const one = extra
    ? fc.tuple(options.extraName ?? freeName(build, shape), extra).map((entry): Entries => [entry])
    : fc.constant<Entries>([]);
  const names = [...single.keys()];
  return fc.tuple(fc.tuple(...single.values()), counted, free, one).map(([values, ...others]) => {
    const object: Record<string, unknown> = {};
    for (const [index, value] of values.entries()) if (value !== ABSENT) setProperty(object, names[index]!, value);
    for (const entries of others) for (const [name, value] of entries) setProperty(object, name, value);
    return object;
  });
}

/** To define every property would make objects slow; but to set this one gives the object another prototype. */
function setProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

type Entries = [string, unknown][];

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
      fc.tuple(...values.values()),
    )
    .map(([chosen, all]) =>
      names.flatMap((name, index): Entries => (chosen.includes(name) ? [[name, all[index]]] : [])),
    );
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
