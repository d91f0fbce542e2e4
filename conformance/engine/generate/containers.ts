/** Objects and arrays that satisfy the keywords of a shape, also with something given put into them. */
import * as fc from 'fast-check';
import { sendableSize, Unsupported } from '../contract/keywords.ts';
import { matcherOf } from '../contract/patterns.ts';
import { shapeOf, shapeWith, strictest, type Shape } from '../contract/shape.ts';
import { ANY, branchesOf, type Build, fits, ITEMS, type Values } from './build.ts';
import { accepted, aFewOf, distinct, exists, orElse } from './filter.ts';
import { textMatching } from './pattern-texts.ts';

interface ObjectOptions {
  /** Properties that must be there, with what they hold. */
  fixed?: ReadonlyMap<string, Values>;
  /** Properties that must not be there, also when they are required. */
  without?: readonly string[];
  /** The value of one entry under a free name, and the name where that matters. */
  extra?: Values;
  extraName?: fc.Arbitrary<string>;
  /** The exact number of properties; by default any that the schema allows. */
  size?: number;
  /** Around a value that is put in: others cost time, and break rules of their own, so that few are there, and the same ones. */
  sparse?: boolean;
}

const ABSENT = Symbol('absent');

/** With more optional properties than this, each is rare, about six in all: large values cost much and show little. */
const MANY = 10;

type Json = Record<string, unknown>;
type Entries = [string, unknown][];

export function objectOf(
  build: Build,
  shape: Shape,
  options: ObjectOptions = {},
): fc.Arbitrary<Json> {
  if (shape.alternatives.length > 0) {
    const [first, ...others] = branchesOf(build, shape).map((branch) =>
      objectOf(build, branch, options),
    );
    if (!first) {
      throw new Unsupported(`no object satisfies ${shape.roots.join(' and ')}`);
    }
    return fc.oneof(first, ...others);
  }
  const { extra, extraName, fixed, without } = options;
  if (!extra) {
    return entriesOf(build, shape, options).map(Object.fromEntries<unknown>);
  }
  // Many values have the same properties around one that is put in: what makes these is large.
  const make = () => entriesOf(build, shape, options);
  const key = `entries ${options.size} ${options.sparse}`;
  const around = fixed || without ? make() : build.kept(shape, key, make);
  const one = fc.tuple(extraName ?? freeName(build, shape), extra);
  return fc.tuple(around, one).map(([others, own]) => Object.fromEntries([...others, own]));
}

/** The entries of an object, without the one under a free name. */
function entriesOf(build: Build, shape: Shape, options: ObjectOptions): fc.Arbitrary<Entries> {
  const { extra, size, sparse } = options;
  const { needed, optional } = propertiesOf(build, shape, options);
  const forced = needed.size + (extra ? 1 : 0);
  const least = sendableSize(
    size ?? strictest(shape, 'minProperties') ?? 0,
    'items',
    shape.roots.join(' and '),
  );
  const fewest = Math.max(0, least - forced);
  const most = Math.max(0, (size ?? strictest(shape, 'maxProperties') ?? Infinity) - forced);
  const isCounted = fewest > 0 || most < optional.size;
  const absences = sparse
    ? 7
    : optional.size > MANY
      ? Math.max(3, Math.floor(optional.size / 6))
      : 1;
  const single = new Map(needed);
  if (!isCounted) {
    for (const [name, values] of optional) {
      single.set(name, orElse(ABSENT, values, absences, 1));
    }
  }
  const room = { min: Math.max(0, fewest - optional.size), max: Math.max(0, most - optional.size) };
  if (size === undefined) {
    room.max = Math.max(room.min, Math.min(room.max, ITEMS));
  }
  const names = [...single.keys()];
  const own = fc.tuple(...single.values()).map((values) => {
    const all = names.map((name, index): Entries[number] => [name, values[index]]);
    return all.filter(([, value]) => value !== ABSENT);
  });
  const others: fc.Arbitrary<Entries>[] = [];
  if (isCounted) {
    others.push(countedOf(optional, fewest, most));
  }
  if (room.max > 0) {
    others.push(...freeOf(build, shape, room));
  }
  if (others.length === 0) {
    return own;
  }
  return fc.tuple(own, ...others).map((lists) => lists.flat());
}

/** The properties that must be there, and those that may be, with what they hold. */
function propertiesOf(
  build: Build,
  shape: Shape,
  { fixed = new Map(), without = [], sparse }: ObjectOptions,
) {
  const needed = new Map<string, Values>(fixed);
  const optional = new Map<string, Values>();
  const fewOf = (child: Shape) =>
    build.kept(child, 'a few', () => aFewOf(build.arbitraryOf(child)));
  const valuesOf = (child: Shape) => {
    if (sparse && child.types.has('object')) {
      return fewOf(child);
    }
    return build.arbitraryOf(child);
  };
  for (const name of new Set([...shape.properties.keys(), ...shape.required])) {
    if (needed.has(name) || without.includes(name)) {
      continue;
    }
    const child = shape.properties.get(name) ?? shape.property(name);
    if (shape.required.has(name)) {
      if (!shape.properties.has(name) && !shape.allows(name)) {
        throw new Unsupported(
          `${name} is required and not allowed at ${shape.roots.join(' and ')}`,
        );
      }
      needed.set(name, child ? valuesOf(child) : ANY);
    } else if (child && shape.allows(name) && child.types.size > 0 && !build.isOpen(child)) {
      optional.set(name, valuesOf(child));
    }
  }
  return { needed, optional };
}

/** Between `min` and `max` of the properties. */
function countedOf(
  values: ReadonlyMap<string, Values>,
  min: number,
  max: number,
): fc.Arbitrary<Entries> {
  const names = [...values.keys()];
  const minLength = Math.min(min, names.length);
  const chosen = fc.subarray(names, {
    minLength,
    maxLength: Math.max(minLength, Math.min(max, names.length)),
  });
  return fc
    .tuple(chosen, fc.tuple(...values.values()))
    .map(([some, all]) =>
      names.flatMap((name, index): Entries => (some.includes(name) ? [[name, all[index]]] : [])),
    );
}

/** Entries under free names, where the schema says what they hold, or asks for more than it lists. */
function freeOf(
  build: Build,
  shape: Shape,
  { min, max }: { min: number; max: number },
): fc.Arbitrary<Entries>[] {
  const entries = [...shape.patterns]
    .filter(([, child]) => child.types.size > 0 && !build.isOpen(child))
    .map(([pattern, child]) => fc.tuple(nameLike(build, shape, pattern), build.arbitraryOf(child)));
  const { additional } = shape;
  if (additional && additional.types.size > 0) {
    entries.push(fc.tuple(freeName(build, shape), build.arbitraryOf(additional)));
  }
  // To break a `not` often takes more than what is listed.
  else if (
    !additional &&
    shape.allows(UNLISTED) &&
    (min > 0 || shape.parts.some(({ schema }) => 'not' in schema))
  ) {
    entries.push(fc.tuple(freeName(build, shape), ANY));
  }
  const [first, ...others] = entries.filter(exists);
  if (!first) {
    return [];
  }
  // Names that differ in case alone are the same header, and no schema can say so.
  return [distinct(fc.oneof(first, ...others), ([name]) => name.toLowerCase(), min, max)];
}

/** A name that no schema lists, to ask whether any name is allowed. */
const UNLISTED = 'x-unlisted';

/** Names that a schema neither lists nor has a pattern for. */
export function freeName(build: Build, shape: Shape): fc.Arbitrary<string> {
  const { names } = shape;
  const made = names
    ? (build.arbitraryOf(shapeWith(names, { types: new Set(['string']) })) as fc.Arbitrary<string>)
    : fc.string({ unit: fc.constantFrom(...'abcdefghijk-_XYZ09'), minLength: 1, maxLength: 8 });
  const patterns = [...shape.patterns.keys()].map((pattern) => matcherOf(pattern));
  const isFree = (name: string) =>
    !shape.properties.has(name) && !patterns.some((pattern) => pattern.test(name));
  return accepted(made, `free name for ${shape.roots.join(' and ')}`, isFree);
}

export function nameLike(build: Build, shape: Shape, pattern: string): fc.Arbitrary<string> {
  const isRight = (name: string) =>
    name.isWellFormed() &&
    !shape.properties.has(name) &&
    (!shape.names || fits(build, shape.names, name));
  return accepted(textMatching(pattern, 16), `name like ${pattern}`, isRight);
}

interface ArrayOptions {
  /** An item that must be there: at this position, or else at any place where the schema has one kind of items. */
  one?: Values;
  at?: number;
  /** The exact number of items; by default a small one that the schema allows. */
  length?: number;
}

export function arrayOf(
  build: Build,
  shape: Shape,
  options: ArrayOptions = {},
): fc.Arbitrary<unknown[]> {
  const { one, at, length } = options;
  const free = at === undefined ? one : undefined;
  const least = sendableSize(
    length ?? strictest(shape, 'minItems') ?? 0,
    'items',
    shape.roots.join(' and '),
  );
  const fewest = Math.max(least, (at ?? -1) + 1);
  const head = headOf(build, shape, options, fewest);
  const most = length ?? strictest(shape, 'maxItems') ?? Infinity;
  const isClosed =
    most === 0 || (shape.prefix.length === 0 && shape.items && build.isOpen(shape.items));
  if (!free && fewest === 0 && isClosed) {
    return fc.constant([]);
  }
  const max = Math.max(0, Math.min(most, Math.max(fewest, ITEMS)) - head.length);
  const rest = restOf(build, shape, Math.max(0, fewest - head.length), max, free);
  const count = fc.integer({
    min: Math.min(free ? head.length : fewest, head.length),
    max: head.length,
  });
  // Other items only behind all of the first ones.
  const behind = fc.tuple(count, fc.tuple(...head), rest).map(([first, items, others]) => {
    if (first === head.length) {
      return [...items, ...others];
    }
    return items.slice(0, first);
  });
  const plain = head.length === 0 ? rest : behind;
  if (shape.contained.length === 0) {
    return plain;
  }
  return fc.oneof(plain, withContained(build, shape, plain, length));
}

/** The items by position, as far as there can be any. */
function headOf(
  build: Build,
  shape: Shape,
  { one, at, length = Infinity }: ArrayOptions,
  fewest: number,
): Values[] {
  const head: Values[] = [];
  const end = Math.min(length, Math.max(shape.prefix.length, (at ?? -1) + 1));
  while (head.length < end) {
    const fixed = head.length === at ? one : undefined;
    const due = shape.prefix[head.length] ?? shape.items;
    const isPossible = !due || (due.types.size > 0 && (head.length < fewest || !build.isOpen(due)));
    if (!fixed && !isPossible) {
      break;
    }
    head.push(fixed ?? (due ? build.arbitraryOf(due) : ANY));
  }
  return head;
}

function restOf(
  build: Build,
  shape: Shape,
  min: number,
  max: number,
  one?: Values,
): fc.Arbitrary<unknown[]> {
  const { items, parts } = shape;
  if (max === 0 && !one) {
    return fc.constant([]);
  }
  if (items?.types.size === 0) {
    return one ? one.map((item) => [item]) : fc.constant([]);
  }
  const item = items ? build.arbitraryOf(items) : ANY;
  const unique = parts.some(({ schema }) => schema['uniqueItems'] === true);
  const sized = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> => {
    if (unique) {
      return distinct(item, likeness, minLength, maxLength);
    }
    return fc.array(item, { minLength, maxLength });
  };
  if (!one) {
    return sized(min, max);
  }
  return fc
    .tuple(sized(Math.max(0, min - 1), Math.max(0, max - 1)), one, fc.nat({ max: ITEMS }))
    .map(([others, embedded, at]) => others.toSpliced(Math.min(at, others.length), 0, embedded));
}

/** Behind the other items as many as each `contains` asks for. */
function withContained(
  build: Build,
  shape: Shape,
  plain: fc.Arbitrary<unknown[]>,
  length = Infinity,
) {
  const added = shape.contained.flatMap(({ pointer, least }) => {
    const item = shapeOf(build.contract, ...(shape.items?.roots ?? []), pointer);
    if (item.types.size > 0) {
      return Array.from({ length: least }, () => build.arbitraryOf(item));
    }
    return [];
  });
  return fc
    .tuple(plain, fc.tuple(...added))
    .map(([items, more]) => [...items.slice(0, length - more.length), ...more]);
}

/** Items that differ in case alone are kept apart from each other: whether they repeat is not for a schema to say. */
const likeness = (item: unknown) => JSON.stringify(item).toLowerCase();
