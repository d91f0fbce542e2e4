/** Values with a given leaf at one path, valid beside it. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { childAt, patternIn, placesOf, type Shape, shapeAt, shapeOf } from '../contract/shape.ts';
import { arrayOf } from './arrays.ts';
import {
  branchShapes,
  type Build,
  type JsonValues,
  type Mutate,
  type Mutation,
  valuesOrAny,
} from './build.ts';
import { placesFor } from './conditions.ts';
import { accepted } from './filter.ts';
import { nameLike, objectOf } from './objects.ts';
import { textMatching } from './pattern-texts.ts';

/**
 * Values with a leaf at the path, valid beside it, but for rules of the whole.
 * @throws Error for no such path
 */
export function embeddedAt(
  build: Build,
  shape: Shape,
  path: readonly string[],
  leaf: JsonValues,
): JsonValues {
  if (path.length === 0) {
    return leaf;
  }
  const around = build.kept(shape, `around ${path.join('\n')}`, () =>
    surroundingsOf(build, shape, path),
  );
  return fc.tuple(around, leaf).map(([value, one]) => filled(value, one));
}

/**
 * Stands for the leaf: all leaves at a path have the same surroundings, which take long to make.
 */
const HOLE = Symbol('hole');

/** The value with `leaf` in its hole; parts without a hole are the same. */
function filled(value: unknown, leaf: unknown): unknown {
  if (value === HOLE) {
    return leaf;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  for (const [name, one] of Object.entries(value)) {
    const now = filled(one, leaf);
    if (now !== one) {
      if (Array.isArray(value)) {
        return value.with(Number(name), now);
      }
      return { ...value, [name]: now };
    }
  }
  return value;
}

/** Values with a hole at the path. */
function surroundingsOf(build: Build, shape: Shape, path: readonly string[]): JsonValues {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    return fc.constant(HOLE);
  }
  if (shape.alternatives.length > 0) {
    const branches = branchShapes(build, shape).filter((one) => childAt(one, segment));
    const [first, ...others] = branches.map((one) => surroundingsOf(build, one, path));
    if (first) {
      return fc.oneof(first, ...others);
    }
  }
  const child = childAt(shape, segment);
  if (!child) {
    throw new Error(`no ${segment} in the schema at ${placesOf(shape)}`);
  }
  return holderOf(build, shape, segment, surroundingsOf(build, child, rest));
}

/** Values with `inner` at the segment. */
function holderOf(build: Build, shape: Shape, segment: string, inner: JsonValues): JsonValues {
  if (shape.properties.has(segment)) {
    const fixed = new Map([[segment, inner]]);
    const places = placesFor(build, shape, segment);
    const objects = places.map((one) => objectOf(build, one, { fixed, sparse: true }));
    return fc.oneof({ withCrossShrink: true }, ...objects);
  }
  const pattern = patternIn(segment);
  if (pattern !== undefined) {
    return objectOf(build, shape, { extra: inner, extraName: nameLike(build, shape, pattern) });
  }
  if (segment !== '*') {
    return arrayOf(build, shape, { one: inner, at: Number(segment) });
  }
  if (shape.items) {
    return arrayOf(build, shape, { one: inner });
  }
  return objectOf(build, shape, { extra: inner });
}

/** Mutations for the place of a clause of a schema. */
export interface PlacedMutations {
  /** The shape of the schema. */
  root: Shape;
  /**
   * Values for the path of the clause. If the clause binds names, they are objects with such a
   * name.
   */
  mutations: Mutation[];
}

export function mutationsAt(
  build: Build,
  schemaPointer: string,
  clause: Clause,
  mutate: Mutate,
): PlacedMutations {
  const root = shapeOf(build.contract, schemaPointer);
  const holder = shapeAt(root, clause.path);
  if (!holder) {
    throw new Error(`no place for the clause ${clause.id} in ${schemaPointer}`);
  }
  const { names } = holder;
  if (!clause.onNames || !names) {
    return { root, mutations: mutate({ build, shape: holder, clause, schemaPointer }) };
  }
  const ofNames = mutate({ build, shape: names, clause, schemaPointer });
  return { root, mutations: ofNames.map((mutation) => asName(build, holder, mutation)) };
}

/** Objects with a name that is a value of the mutation. */
function asName(build: Build, holder: Shape, { label, values, kind }: Mutation): Mutation {
  const extra = valuesOrAny(build, holder.additional);
  const texts = values as fc.Arbitrary<string>;
  const extraName = accepted(texts, 'name', (name) => typeof name === 'string');
  // If only names like a pattern are allowed, the name begins like one of them.
  const patterned = [...holder.patterns].map(([pattern, child]) => {
    const begun = fc
      .tuple(textMatching(pattern, 4), extraName)
      .map(([start, rest]) => start + rest.slice(start.length));
    return objectOf(build, holder, { extra: build.arbitraryOf(child), extraName: begun });
  });
  const plain = objectOf(build, holder, { extra, extraName });
  return { label: `a name: ${label}`, values: fc.oneof(plain, ...patterned), kind };
}
