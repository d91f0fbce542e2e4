/** Arrays that satisfy the keywords of a shape, also with a given item in them. */
import { stringifyJson } from '../contract/json-numbers.ts';
import * as fc from 'fast-check';
import { ALL_TYPES } from '../contract/json-types.ts';
import { sendableSize, Unsupported } from '../contract/keywords.ts';
import { placesOf, shapeOf, strictest, type Shape } from '../contract/shape.ts';
import { type Build, ITEMS, type JsonValues, valuesOrAny } from './build.ts';
import { distinct } from './filter.ts';

interface ArrayOptions {
  /** An item that must be there. */
  one?: JsonValues;
  /**
   * The position of that item; default: any place at which the schema has the same rules as at the
   * others.
   */
  at?: number;
  /** The exact number of items; default: a small one that the schema allows. */
  length?: number;
}

export function arrayOf(
  build: Build,
  shape: Shape,
  options: ArrayOptions = {},
): fc.Arbitrary<unknown[]> {
  const { one, at, length } = options;
  const free = at === undefined ? one : undefined;
  const stated = length ?? strictest(shape, 'minItems') ?? 0;
  const least = sendableSize(stated, 'items', placesOf(shape));
  const fewest = Math.max(least, countUpTo(at));
  const head = headOf(build, shape, options, fewest);
  const most = length ?? strictest(shape, 'maxItems') ?? Infinity;
  if (least > most) {
    throw new Unsupported(`no list satisfies ${placesOf(shape)}`);
  }
  if (!free && fewest === 0 && isAlwaysEmpty(build, shape, most)) {
    return fc.constant([]);
  }
  const rest = restOf(build, shape, {
    min: Math.max(0, fewest - head.length),
    max: Math.max(0, Math.min(most, Math.max(fewest, ITEMS)) - head.length),
    one: free,
  });
  // The free item is among the rest, before which all of the head must be.
  const plain = behindHead(head, rest, free ? head.length : fewest);
  if (shape.contained.length === 0) {
    return plain;
  }
  return fc.oneof(plain, withContained(build, shape, plain, length));
}

/** How many items there are up to the position, with the item there. */
const countUpTo = (position: number | undefined): number =>
  position === undefined ? 0 : position + 1;

function isAlwaysEmpty(build: Build, { prefix, items }: Shape, most: number): boolean {
  const isRecursive = prefix.length === 0 && items !== undefined && build.isOpen(items);
  return most === 0 || isRecursive;
}

/** The items by position, as far as there can be any. */
function headOf(
  build: Build,
  shape: Shape,
  { one, at, length = Infinity }: ArrayOptions,
  fewest: number,
): JsonValues[] {
  const head: JsonValues[] = [];
  const end = Math.min(length, Math.max(shape.prefix.length, countUpTo(at)));
  while (head.length < end) {
    const position = head.length;
    const rules = shape.prefix[position] ?? shape.items;
    if (one && position === at) {
      head.push(one);
    } else if (hasItem(build, rules, position < fewest)) {
      head.push(valuesOrAny(build, rules));
    } else {
      break;
    }
  }
  return head;
}

function hasItem(build: Build, rules: Shape | undefined, isNeeded: boolean): boolean {
  if (rules === undefined) {
    return true;
  }
  return rules.types.size > 0 && (isNeeded || !build.isOpen(rules));
}

/** At least `min` of the items by position; the other items only if all of those are there. */
function behindHead(
  head: readonly JsonValues[],
  rest: fc.Arbitrary<unknown[]>,
  min: number,
): fc.Arbitrary<unknown[]> {
  if (head.length === 0) {
    return rest;
  }
  const count = fc.integer({ min: Math.min(min, head.length), max: head.length });
  return fc.tuple(count, fc.tuple(...head), rest).map(([first, items, others]) => {
    if (first === head.length) {
      return [...items, ...others];
    }
    return items.slice(0, first);
  });
}

interface RestOptions {
  min: number;
  max: number;
  /** An item that must be among them. */
  one: JsonValues | undefined;
}

/** The items that have no rule of their position. */
function restOf(
  build: Build,
  shape: Shape,
  { min, max, one }: RestOptions,
): fc.Arbitrary<unknown[]> {
  const { items, parts } = shape;
  if (max === 0 && !one) {
    return fc.constant([]);
  }
  if (items?.types.size === 0) {
    if (one) {
      return one.map((item) => [item]);
    }
    return fc.constant([]);
  }
  const item = valuesOrAny(build, items);
  const isUnique = parts.some(({ schema }) => schema['uniqueItems'] === true);
  if (isUnique && min > distinctItems(items)) {
    throw new Unsupported(`fewer than ${min} items differ at ${placesOf(shape)}`);
  }
  const listOf = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> => {
    if (isUnique) {
      return distinct(item, likeness, minLength, maxLength);
    }
    return fc.array(item, { minLength, maxLength });
  };
  if (!one) {
    return listOf(min, max);
  }
  const others = listOf(Math.max(0, min - 1), Math.max(0, max - 1));
  return fc
    .tuple(others, one, fc.nat({ max: ITEMS }))
    .map(([list, embedded, at]) => list.toSpliced(Math.min(at, list.length), 0, embedded));
}

/** How many items differ at most; Infinity if the types do not say. */
function distinctItems(items: Shape | undefined): number {
  if (items?.choices !== undefined) {
    return new Set(items.choices.map(likeness)).size + Number(items.types.has('null'));
  }
  const types = [...(items?.types ?? ALL_TYPES)];
  const isFinite = types.every((type) => type === 'boolean' || type === 'null');
  return isFinite ? types.reduce((sum, type) => sum + (type === 'null' ? 1 : 2), 0) : Infinity;
}

/**
 * The same for items that differ in case alone: a schema cannot say whether they repeat each other.
 */
const likeness = (item: unknown): string => stringifyJson(item).toLowerCase();

/** The items with as many behind them as each `contains` asks for. */
function withContained(
  build: Build,
  shape: Shape,
  plain: fc.Arbitrary<unknown[]>,
  length = Infinity,
): fc.Arbitrary<unknown[]> {
  const added: JsonValues[] = [];
  for (const { pointer, least } of shape.contained) {
    const item = shapeOf(build.contract, ...(shape.items?.roots ?? []), pointer);
    for (let count = 0; count < least && item.types.size > 0; count += 1) {
      added.push(build.arbitraryOf(item));
    }
  }
  return fc.tuple(plain, fc.tuple(...added)).map(([items, more]) => {
    const kept = items.slice(0, length - more.length);
    return [...kept, ...more];
  });
}
