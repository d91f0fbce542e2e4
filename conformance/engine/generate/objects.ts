/** Objects that satisfy the keywords of a shape, also with given properties in them. */
import * as fc from 'fast-check';
import { sendableSize, supported, Unsupported } from '../contract/keywords.ts';
import { matcherOf } from '../contract/patterns.ts';
import { placesOf, shapeWith, strictest, texts, type Shape } from '../contract/shape.ts';
import {
  ANY,
  branchShapes,
  type Build,
  fits,
  ITEMS,
  type JsonValues,
  valuesOrAny,
} from './build.ts';
import { accepted, aFewOf, distinct, exists, orElse } from './filter.ts';
import { textMatching } from './pattern-texts.ts';

interface ObjectOptions {
  /** The values of properties that must be there. */
  fixed?: ReadonlyMap<string, JsonValues>;
  /** Properties that must not be there, also if they are required. */
  without?: readonly string[];
  /** The value of one entry under a free name. */
  extra?: JsonValues;
  /** The name of that entry; default: any free name. */
  extraName?: fc.Arbitrary<string>;
  /** The exact number of properties; default: any number that the schema allows. */
  size?: number;
  /**
   * Whether other properties are few, with values of a small fixed set: others take time, and might
   * break a rule that is not under test.
   */
  sparse?: boolean;
}

type Json = Record<string, unknown>;
type Entry = [name: string, value: unknown];

export function objectOf(
  build: Build,
  shape: Shape,
  options: ObjectOptions = {},
): fc.Arbitrary<Json> {
  if (shape.alternatives.length > 0) {
    const [first, ...others] = branchShapes(build, shape).map((branch) =>
      objectOf(build, branch, options),
    );
    if (!first) {
      throw new Unsupported(`no object satisfies ${placesOf(shape)}`);
    }
    return fc.oneof(first, ...others);
  }
  const { extra } = options;
  if (!extra) {
    return entriesOf(build, shape, options).map(Object.fromEntries<unknown>);
  }
  const around = entriesAround(build, shape, options);
  const one = fc.tuple(options.extraName ?? freeName(build, shape), extra);
  return fc.tuple(around, one).map(([others, own]) => Object.fromEntries([...others, own]));
}

/**
 * The entries beside one under a free name. Many values have the same ones, whose arbitrary is
 * large: it is kept.
 */
function entriesAround(build: Build, shape: Shape, options: ObjectOptions): fc.Arbitrary<Entry[]> {
  const make = () => entriesOf(build, shape, options);
  if (options.fixed || options.without) {
    return make();
  }
  return build.kept(shape, `entries ${options.size} ${options.sparse}`, make);
}

/** Numbers of properties, both included. */
interface CountRange {
  min: number;
  max: number;
}

/** The entries of an object, without the one under a free name. */
function entriesOf(build: Build, shape: Shape, options: ObjectOptions): fc.Arbitrary<Entry[]> {
  const { needed, optional } = propertiesOf(build, shape, options);
  const left = countsLeft(shape, options, needed.size);
  const isCounted = left.min > 0 || left.max < optional.size;
  const single = new Map(needed);
  const isWide = !isCounted && optional.size > WIDE;
  if (!isCounted && !isWide) {
    const odds = { times: timesAbsent(optional.size, options), others: 1 };
    for (const [name, values] of optional) {
      single.set(name, orElse(ABSENT, values, odds));
    }
  }
  const room = countsOfFree(left, optional.size, options);
  const own = allEntries(single);
  const others: fc.Arbitrary<Entry[]>[] = [];
  if (isCounted) {
    const made = [...optional].filter(([, values]) => exists(values));
    others.push(someEntries(new Map(made), left));
  }
  if (isWide) {
    others.push(fewEntries(optional));
  }
  if (room.max > 0) {
    others.push(...freeEntries(build, shape, room));
  }
  if (others.length === 0) {
    return own;
  }
  return fc.tuple(own, ...others).map((lists) => lists.flat());
}

/** How many properties there are beside the needed ones. */
function countsLeft(shape: Shape, { extra, size }: ObjectOptions, needed: number): CountRange {
  const forced = needed + (extra ? 1 : 0);
  const stated = size ?? strictest(shape, 'minProperties') ?? 0;
  const least = sendableSize(stated, 'items', placesOf(shape));
  const most = size ?? strictest(shape, 'maxProperties') ?? Infinity;
  return { min: Math.max(0, least - forced), max: Math.max(0, most - forced) };
}

/** How many entries under free names there are, if all optional properties are there. */
function countsOfFree(left: CountRange, optional: number, { size }: ObjectOptions): CountRange {
  const min = Math.max(0, left.min - optional);
  const max = Math.max(0, left.max - optional);
  if (size !== undefined) {
    return { min, max };
  }
  return { min, max: Math.max(min, Math.min(max, ITEMS)) };
}

/**
 * With more optional properties than this, each is rare, about six in all: large values cost much
 * and show little.
 */
const MANY = 10;

/** How often an optional property is absent for each time that it is there. */
function timesAbsent(optional: number, { sparse }: ObjectOptions): number {
  if (sparse) {
    return 7;
  }
  if (optional > MANY) {
    return Math.max(3, Math.floor(optional / 6));
  }
  return 1;
}

/**
 * With more optional properties than this, to ask whether each is there takes longer than all else.
 */
const WIDE = 60;
const FEW = 12;

/** Entries of a few of the properties, about six: no more are looked at. */
function fewEntries(properties: ReadonlyMap<string, JsonValues>): fc.Arbitrary<Entry[]> {
  const all = [...properties];
  const positions = fc.array(fc.nat({ max: all.length - 1 }), { maxLength: FEW });
  return positions.chain((chosen) => {
    const few = new Map<string, JsonValues>();
    for (const [name, values] of all.filter((_, index) => chosen.includes(index))) {
      few.set(name, orElse(ABSENT, values, { times: 0, others: 1 }));
    }
    return allEntries(few);
  });
}

const ABSENT = Symbol('absent');

/** One entry for each of the properties that is not absent. */
function allEntries(properties: ReadonlyMap<string, JsonValues>): fc.Arbitrary<Entry[]> {
  const names = [...properties.keys()];
  return fc.tuple(...properties.values()).map((values) => {
    const entries = names.map((name, index): Entry => [name, values[index]]);
    return entries.filter(([, value]) => value !== ABSENT);
  });
}

/** Entries of so many of the properties. */
function someEntries(
  properties: ReadonlyMap<string, JsonValues>,
  { min, max }: CountRange,
): fc.Arbitrary<Entry[]> {
  const names = [...properties.keys()];
  const minLength = Math.min(min, names.length);
  const maxLength = Math.max(minLength, Math.min(max, names.length));
  const chosen = fc.subarray(names, { minLength, maxLength });
  return fc.tuple(chosen, fc.tuple(...properties.values())).map(([some, values]) => {
    const entries = names.map((name, index): Entry => [name, values[index]]);
    return entries.filter(([name]) => some.includes(name));
  });
}

interface Properties {
  /** The values of properties that must be there. */
  needed: Map<string, JsonValues>;
  /** The values of properties that may be there. */
  optional: Map<string, JsonValues>;
}

function propertiesOf(build: Build, shape: Shape, options: ObjectOptions): Properties {
  const { fixed = new Map(), without = [], sparse = false } = options;
  const needed = new Map<string, JsonValues>(fixed);
  const optional = new Map<string, JsonValues>();
  for (const name of new Set([...shape.properties.keys(), ...shape.required])) {
    if (needed.has(name) || without.includes(name)) {
      continue;
    }
    const child = shape.properties.get(name) ?? shape.property(name);
    if (shape.required.has(name)) {
      if (!shape.properties.has(name) && !shape.allows(name)) {
        throw new Unsupported(`${name} is required and not allowed at ${placesOf(shape)}`);
      }
      needed.set(name, valuesOfProperty(build, child, sparse));
    } else if (child && shape.allows(name) && child.types.size > 0 && !build.isOpen(child)) {
      const values = valuesOfOptional(build, child, sparse);
      if (values) {
        optional.set(name, values);
      }
    }
  }
  return { needed, optional };
}

/**
 * The values of a property that may be missing. Undefined if none can be made, such as a text for a
 * pattern that is no regular expression: the property is left out then, and the others are tried.
 */
function valuesOfOptional(build: Build, child: Shape, sparse: boolean): JsonValues | undefined {
  const values = supported(
    () => valuesOfProperty(build, child, sparse),
    () => undefined,
  );
  const isDoubtful = texts(child, 'pattern').length > 0;
  const isFound = values !== undefined && (!isDoubtful || exists(values));
  return isFound ? values : undefined;
}

function valuesOfProperty(build: Build, child: Shape | undefined, sparse: boolean): JsonValues {
  if (sparse && child?.types.has('object')) {
    return build.kept(child, 'a few', () => aFewOf(build.arbitraryOf(child)));
  }
  return valuesOrAny(build, child);
}

/** A name that no schema lists, to ask whether any name is allowed. */
const UNLISTED = 'x-unlisted';

/**
 * Entries under free names, if the schema has a rule for their values, or asks for more properties
 * than it lists.
 */
function freeEntries(
  build: Build,
  shape: Shape,
  { min, max }: CountRange,
): fc.Arbitrary<Entry[]>[] {
  const entries: fc.Arbitrary<Entry>[] = [];
  for (const [pattern, child] of shape.patterns) {
    if (child.types.size > 0 && !build.isOpen(child)) {
      entries.push(fc.tuple(nameLike(build, shape, pattern), build.arbitraryOf(child)));
    }
  }
  const { additional } = shape;
  if (additional && additional.types.size > 0) {
    entries.push(fc.tuple(freeName(build, shape), build.arbitraryOf(additional)));
  } else if (!additional && shape.allows(UNLISTED) && needsUnlisted(shape, min)) {
    entries.push(fc.tuple(freeName(build, shape), ANY));
  }
  const [first, ...others] = entries.filter(exists);
  if (!first) {
    return [];
  }
  // Names that differ in case alone are the same header, and no schema can say so.
  const keyOf = ([name]: Entry) => name.toLowerCase();
  return [distinct(fc.oneof(first, ...others), keyOf, min, max)];
}

/**
 * Whether names without a rule are needed: there are too few others, or a `not` needs more than the
 * listed properties.
 */
function needsUnlisted({ parts }: Shape, min: number): boolean {
  return min > 0 || parts.some(({ schema }) => 'not' in schema);
}

/** Names that a schema neither lists nor has a pattern for. */
export function freeName(build: Build, shape: Shape): fc.Arbitrary<string> {
  const names = namesFor(build, shape);
  const matchers = [...shape.patterns.keys()].map((pattern) => matcherOf(pattern));
  const isFree = (name: string) =>
    !shape.properties.has(name) && !matchers.some((matcher) => matcher.test(name));
  return accepted(names, `free name for ${placesOf(shape)}`, isFree);
}

/** Names that `propertyNames` allows. */
function namesFor(build: Build, { names }: Shape): fc.Arbitrary<string> {
  if (!names) {
    const unit = fc.constantFrom(...'abcdefghijk-_XYZ09');
    return fc.string({ unit, minLength: 1, maxLength: 8 });
  }
  const ofText = shapeWith(names, { types: new Set(['string']) });
  return build.arbitraryOf(ofText) as fc.Arbitrary<string>;
}

/** Names that match the pattern, and that the schema does not list. */
export function nameLike(build: Build, shape: Shape, pattern: string): fc.Arbitrary<string> {
  const isRight = (name: string) => {
    // UTF-8 cannot hold a lone surrogate.
    const isNew = name.isWellFormed() && !shape.properties.has(name);
    return isNew && (!shape.names || fits(build, shape.names, name));
  };
  return accepted(textMatching(pattern, 16), `name like ${pattern}`, isRight);
}
