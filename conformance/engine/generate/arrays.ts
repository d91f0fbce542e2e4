/** Arrays that satisfy the keywords of a shape, also with something given put into them. */
import * as fc from 'fast-check';
import { shapeOf, strictest, type Shape } from '../contract/shape.ts';
import { ANY, type Build, ITEMS, type Values } from './build.ts';
import { distinct } from './filter.ts';

interface ArrayOptions {
  /** An item that must be there: at this position, or else at any place where the schema has one kind of items. */
  one?: Values;
  at?: number;
  /** The exact number of items; by default a small one that the schema allows. */
  length?: number;
}

export function arrayOf(build: Build, shape: Shape, options: ArrayOptions = {}): fc.Arbitrary<unknown[]> {
  const { one, at, length } = options;
  const free = at === undefined ? one : undefined;
  const fewest = Math.max(length ?? strictest(shape, 'minItems') ?? 0, (at ?? -1) + 1);
  const head = headOf(build, shape, options, fewest);
  const most = length ?? strictest(shape, 'maxItems') ?? Infinity;
  const isClosed = most === 0 || (shape.prefix.length === 0 && shape.items && build.isOpen(shape.items));
  if (!free && fewest === 0 && isClosed) return fc.constant([]);
  const max = Math.max(0, Math.min(most, Math.max(fewest, ITEMS)) - head.length);
  const rest = restOf(build, shape, Math.max(0, fewest - head.length), max, free);
  const count = fc.integer({ min: Math.min(free ? head.length : fewest, head.length), max: head.length });
  // Other items only behind all of the first ones.
  const behind = fc
    .tuple(count, fc.tuple(...head), rest)
    .map(([first, items, others]) => (first === head.length ? [...items, ...others] : items.slice(0, first)));
  const plain = head.length === 0 ? rest : behind;
  if (shape.contained.length === 0) return plain;
  return fc.oneof(plain, withContained(build, shape, plain, length));
}

/** The items by position, as far as there can be any. */
function headOf(build: Build, shape: Shape, { one, at, length = Infinity }: ArrayOptions, fewest: number): Values[] {
  const head: Values[] = [];
  const end = Math.min(length, Math.max(shape.prefix.length, (at ?? -1) + 1));
  while (head.length < end) {
    const fixed = head.length === at ? one : undefined;
    const due = shape.prefix[head.length] ?? shape.items;
    const isPossible = !due || (due.types.size > 0 && (head.length < fewest || !build.isOpen(due)));
    if (!fixed && !isPossible) break;
    head.push(fixed ?? (due ? build.arbitraryOf(due) : ANY));
  }
  return head;
}

function restOf(
  build: Build,
  { items, parts }: Shape,
  min: number,
  max: number,
  one?: Values,
): fc.Arbitrary<unknown[]> {
  if (max === 0 && !one) return fc.constant([]);
  if (items?.types.size === 0) return one ? one.map((item) => [item]) : fc.constant([]);
  const item = items ? build.arbitraryOf(items) : ANY;
  const unique = parts.some(({ schema }) => schema['uniqueItems'] === true);
  const sized = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> =>
    unique ? distinct(item, likeness, minLength, maxLength) : fc.array(item, { minLength, maxLength });
  if (!one) return sized(min, max);
  return fc
    .tuple(sized(Math.max(0, min - 1), Math.max(0, max - 1)), one, fc.nat({ max: ITEMS }))
    .map(([others, embedded, at]) => others.toSpliced(Math.min(at, others.length), 0, embedded));
}

/** Behind the other items as many as each `contains` asks for. */
function withContained(build: Build, shape: Shape, plain: fc.Arbitrary<unknown[]>, length = Infinity) {
  const added = shape.contained.flatMap(({ pointer, least }) => {
    const item = shapeOf(build.contract, ...(shape.items?.roots ?? []), pointer);
    return item.types.size > 0 ? Array.from({ length: least }, () => build.arbitraryOf(item)) : [];
  });
  return fc.tuple(plain, fc.tuple(...added)).map(([items, more]) => [...items.slice(0, length - more.length), ...more]);
}

/** Items that differ in case alone are kept apart from each other: whether they repeat is not for a schema to say. */
function likeness(item: unknown): string {
  return JSON.stringify(item).toLowerCase();
}
