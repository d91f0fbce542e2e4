/**
 * Shrinking by the value alone, led by its schema. An arbitrary of fast-check shrinks within the choice that it made
 * first (this branch of an `if`, this alternative of a list of realistic names), which leaves parts in a counterexample
 * that have nothing to do with the failure. The values tried here do not depend on how a value was made.
 */
import * as fc from 'fast-check';
import { isObject } from '../contract/pointers.ts';
import { isPatterned, strictest, type Shape } from '../contract/shape.ts';
import { type Build, fits, knownOf, realisticOf } from './build.ts';
import { arbitraryFrom } from './filter.ts';
import { rangeOf } from './numbers.ts';
import { text } from './text.ts';

/** The values of `source`, shrunk to simpler ones that satisfy `shape`. */
export function shrinking<T>(build: Build, shape: Shape, source: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const isRight = (value: unknown): value is T => fits(build, shape, value);
  return arbitraryFrom<T>({
    generate: (random, bias) => new fc.Value(source.generate(random, bias).value, undefined),
    canShrinkWithoutContext: isRight,
    shrink: (value) =>
      fc
        .stream(simpler(build, shape, value))
        .filter(isRight)
        .map((candidate) => new fc.Value(candidate as T, undefined)),
  });
}

/**
 * Values that are simpler in one respect, the boldest first; not all satisfy the shape. No chain of them is endless.
 */
function* simpler(build: Build, shape: Shape, value: unknown): Generator<unknown> {
  if (value === null) return;
  if (shape.types.has('null')) yield null;
  const known = knownOf(build, shape);
  if (known) {
    if (known.canShrinkWithoutContext(value)) for (const { value_ } of known.shrink(value, undefined)) yield value_;
  } else if (shape.choices) {
    yield* shape.choices.slice(0, Math.max(0, shape.choices.indexOf(value)));
  } else if (typeof value === 'string') {
    const real = realisticOf(build, shape);
    const simplest = real?.simplest ?? [];
    const rank = simplest.indexOf(value);
    yield* simplest.slice(0, rank < 0 ? simplest.length : rank);
    if (rank < 0 && !real?.ofLength) yield* isPatterned(shape) ? shorter(value) : plainer(value);
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

function* plainer(value: string): Generator<string> {
  const any = text({ min: 0, max: Infinity, maxBytes: Infinity });
  for (const { value_ } of any.shrink(value, undefined)) yield value_;
}

/** Characters that many patterns allow, the simplest first. */
const SIMPLE = ['a', 'b', 'c', '0', '1'];

function* shorter(value: string): Generator<string> {
  const chars = [...value];
  // Every place is tried only where there are few.
  const step = (size: number): number => (chars.length > 40 ? size : 1);
  for (let size = Math.ceil(chars.length / 2); size >= 1; size = size <= 4 ? size - 1 : Math.ceil(size / 2)) {
    for (let start = 0; start + size <= chars.length; start += step(size)) yield chars.toSpliced(start, size).join('');
  }
  if (chars.length > 40) return;
  for (const [index, char] of chars.entries()) {
    const rank = SIMPLE.indexOf(char);
    for (const simple of rank < 0 ? SIMPLE : SIMPLE.slice(0, rank)) yield chars.with(index, simple).join('');
  }
}

function* smaller(shape: Shape, value: number): Generator<number> {
  const { min, max } = rangeOf(shape);
  if (!Number.isInteger(value)) {
    yield Math.trunc(value);
    return;
  }
  const integers = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  if (integers.canShrinkWithoutContext(value)) for (const { value_ } of integers.shrink(value, undefined)) yield value_;
}

function* fewer(build: Build, shape: Shape, items: unknown[]): Generator<unknown[]> {
  const least = strictest(shape, 'minItems') ?? 0;
  for (let drop = items.length - least; drop >= 1; drop = drop === 1 ? 0 : Math.ceil(drop / 2)) {
    for (let start = 0; start + drop <= items.length; start += drop) yield items.toSpliced(start, drop);
  }
  if (!shape.items) return;
  const keys = items.map((item) => JSON.stringify(item));
  for (const [index, item] of items.entries()) {
    // Equal items may fail because they are equal: they shrink together before they shrink one by one.
    const repeated = keys.indexOf(keys[index] ?? '') === index && keys.includes(keys[index] ?? '', index + 1);
    for (const candidate of simpler(build, shape.items, item)) {
      if (repeated) yield items.map((other, at) => (keys[at] === keys[index] ? candidate : other));
      yield items.with(index, candidate);
    }
  }
}

function* barer(build: Build, shape: Shape, object: Record<string, unknown>): Generator<Record<string, unknown>> {
  const entries = Object.entries(object);
  const kept = entries.filter(([name]) => shape.required.has(name));
  if (kept.length < entries.length) yield Object.fromEntries(kept);
  for (const [index, [name, value]] of entries.entries()) {
    if (!shape.required.has(name)) yield Object.fromEntries(entries.toSpliced(index, 1));
    const child = shape.properties.get(name) ?? shape.additional;
    if (!child) continue;
    for (const candidate of simpler(build, child, value))
      yield Object.fromEntries(entries.with(index, [name, candidate]));
  }
}
