/** Objects and arrays with too many or too few members, and arrays with an item twice. */
import * as fc from 'fast-check';
import type { Shape } from '../../contract/shape.ts';
import { arrayOf } from '../arrays.ts';
import type { Build, ClausePlace, JsonValues, Mutation } from '../build.ts';
import { objectOf } from '../objects.ts';
import { withoutKnown } from '../valid.ts';

export function sizeMutations({ build, shape, clause }: ClausePlace): Mutation[] {
  const { keyword, schema } = clause;
  const limit = schema[keyword] as number;
  const beyond = keyword.startsWith('min') ? limit - 1 : limit + 1;
  return ofSize(build, shape, keyword, beyond);
}

/** With so many items or properties, as the keyword counts. */
export function ofSize(build: Build, shape: Shape, keyword: string, size: number): Mutation[] {
  if (size < 0) {
    return [];
  }
  if (keyword.endsWith('Properties')) {
    return [{ label: `${size} properties`, values: objectOf(build, shape, { size }) }];
  }
  // A small pool of known values may not hold as many distinct items.
  return [build, withoutKnown(build)].map((one) => ({
    label: `${size} items`,
    values: arrayOf(one, shape, { length: size }),
  }));
}

/** Two numbers that stand for positions in a list. */
const POSITIONS = [fc.nat({ max: 9 }), fc.nat({ max: 9 })] as const;

export function repeatedMutations({ build, shape }: ClausePlace): Mutation[] {
  const mutations: Mutation[] = [];
  const hasRest = shape.items?.types.size !== 0;
  if (hasRest) {
    const item = shape.items ? build.arbitraryOf(shape.items) : fc.constant(0);
    mutations.push({ label: 'one item twice', values: withItemTwice(build, shape, item) });
  }
  // If each position has its own schema, a copy takes the place of another item.
  if (shape.prefix.length > 0) {
    mutations.push({ label: 'one item in place of another', values: withItemCopied(build, shape) });
  }
  return mutations;
}

function withItemTwice(build: Build, shape: Shape, item: JsonValues): JsonValues {
  const lists = arrayOf(build, shape, { one: item });
  return fc.tuple(lists, ...POSITIONS).map(([items, from, to]) => {
    const copy = items[from % items.length];
    return items.toSpliced(to % (items.length + 1), 0, copy);
  });
}

function withItemCopied(build: Build, shape: Shape): JsonValues {
  return fc.tuple(arrayOf(build, shape), ...POSITIONS).map(([items, from, to]) => {
    const copy = items[from % items.length];
    const place = to % items.length;
    return items.map((one, at) => (at === place ? copy : one));
  });
}
