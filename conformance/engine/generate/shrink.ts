/**
 * Shrinking by value and schema alone: fast-check stays within the first choice, such as the branch
 * of an `if`.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import * as fc from 'fast-check';
import { isObject } from '../contract/pointers.ts';
import { strictest, type Shape } from '../contract/shape.ts';
import { type Build, fits, knownOf, realisticOf } from './build.ts';
import { alone, arbitraryFrom } from './filter.ts';
import { rangeOf } from './numbers.ts';

/** The values of `source`, shrunk to simpler ones that satisfy `shape`. */
export function shrinking<T>(build: Build, shape: Shape, source: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const isRight = (value: unknown): value is T => fits(build, shape, value);
  return arbitraryFrom<T>({
    generate: (random, bias) => alone(source.generate(random, bias).value),
    canShrinkWithoutContext: isRight,
    shrink: (value) => {
      const right = fc.stream(simpler(build, shape, value)).filter(isRight);
      return right.map(alone);
    },
  });
}

/**
 * Values that are simpler in one respect, the boldest first; not all satisfy the shape. No chain of
 * them is endless.
 */
function* simpler(build: Build, shape: Shape, value: unknown): Generator<unknown> {
  if (value === null) {
    return;
  }
  if (shape.types.has('null')) {
    yield null;
  }
  const known = knownOf(build, shape);
  if (known) {
    yield* shrunkBy(known, value);
  } else if (shape.choices) {
    yield* shape.choices.slice(0, Math.max(0, shape.choices.indexOf(value)));
  } else if (typeof value === 'string') {
    yield* simplerText(build, shape, value);
  } else if (typeof value === 'number') {
    yield* smaller(shape, value);
  } else if (value === true) {
    yield false;
  } else if (Array.isArray(value)) {
    yield* fewer(build, shape, value as unknown[]);
  } else if (isObject(value)) {
    yield* barer(build, shape, value);
  }
}

/** The values to which the arbitrary shrinks the value, if it can make the value. */
function* shrunkBy<T>(arbitrary: fc.Arbitrary<T>, value: unknown): Generator<T> {
  if (!arbitrary.canShrinkWithoutContext(value)) {
    return;
  }
  for (const { value_ } of arbitrary.shrink(value, undefined)) {
    yield value_;
  }
}

function* simplerText(build: Build, shape: Shape, value: string): Generator<string> {
  const { simplest = [], ofLength } = realisticOf(build, shape) ?? {};
  yield* before(value, simplest);
  if (!simplest.includes(value) && !ofLength) {
    yield* plainer(value);
  }
}

/** Those of the list that are simpler than the value: all, if it is not one of them. */
function before(value: string, list: readonly string[]): readonly string[] {
  if (!list.includes(value)) {
    return list;
  }
  return list.slice(0, list.indexOf(value));
}

/** Characters that many patterns allow, the simplest first. */
const SIMPLE = ['a', 'b', 'c', '0', '1'];

function* plainer(value: string): Generator<string> {
  const chars = [...value];
  const bytes = Buffer.byteLength(value);
  const bytesInJson = Buffer.byteLength(JSON.stringify(value).slice(1, -1));
  // A failure that depends on the number of bytes alone, in JSON or out of it, is shown best in
  // ASCII.
  if (bytesInJson > chars.length) {
    for (const length of [bytesInJson, bytes, chars.length]) {
      yield 'a'.repeat(length);
    }
  }
  for (const shrunk of simplerList(chars, 0, (char) => before(char, SIMPLE).values())) {
    yield shrunk.join('');
  }
}

/** Fewer of the items, or one of them in a simpler form. */
function* simplerList<T>(
  items: T[],
  minLength: number,
  simplerItem: (item: T) => IterableIterator<T>,
): Generator<T[]> {
  const item = arbitraryFrom<T>({
    generate: () => {
      throw new Error('these items are shrunk only');
    },
    canShrinkWithoutContext: (value): value is T => value !== undefined,
    shrink: (value) => fc.stream(simplerItem(value)).map(alone),
  });
  for (const { value_ } of fc.array(item, { minLength }).shrink(items, undefined)) {
    yield value_;
  }
}

function* smaller(shape: Shape, value: number): Generator<number> {
  const { min, max } = rangeOf(shape);
  if (Number.isInteger(value)) {
    yield* shrunkBy(fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), value);
  } else {
    yield Math.trunc(value) + 0;
  }
}

function* fewer(build: Build, shape: Shape, items: unknown[]): Generator<unknown[]> {
  const { items: rules } = shape;
  const simplerItem = (item: unknown): IterableIterator<unknown> => {
    if (rules === undefined) {
      return [].values();
    }
    return simpler(build, rules, item);
  };
  // Equal items may fail because they are equal: they shrink together before they shrink one by
  // one.
  const keys = items.map((item) => stringifyJson(item));
  for (const [index, key] of keys.entries()) {
    const isFirst = keys.indexOf(key) === index;
    const isRepeated = keys.includes(key, index + 1);
    if (!isFirst || !isRepeated) {
      continue;
    }
    for (const candidate of simplerItem(items[index])) {
      yield items.map((other, at) => (keys[at] === key ? candidate : other));
    }
  }
  yield* simplerList(items, strictest(shape, 'minItems') ?? 0, simplerItem);
}

/** Fewer of the properties, or one of them with a simpler value. */
function* barer(
  build: Build,
  shape: Shape,
  object: Record<string, unknown>,
): Generator<Record<string, unknown>> {
  const entries = Object.entries(object);
  const kept = entries.filter(([name]) => shape.required.has(name));
  if (kept.length < entries.length) {
    yield Object.fromEntries(kept);
  }
  for (const [index, [name, value]] of entries.entries()) {
    if (!shape.required.has(name)) {
      yield Object.fromEntries(entries.toSpliced(index, 1));
    }
    const child = shape.properties.get(name) ?? shape.additional;
    if (!child) {
      continue;
    }
    for (const candidate of simpler(build, child, value)) {
      yield Object.fromEntries(entries.with(index, [name, candidate]));
    }
  }
}
