/**
 * Types and helpers that generators share, so that those of objects, arrays and their parts need
 * not import each other.
 */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import type { Hints, Realistic } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import { satisfies, schemasOf } from '../contract/schemas.ts';
import { placesOf, type Shape, shapeOf, shapeWith } from '../contract/shape.ts';
import { accepted } from './filter.ts';

/** Generates JSON values of any type. */
export type JsonValues = fc.Arbitrary<unknown>;

export interface Build {
  contract: Contract;
  /**
   * Whether values of the shape are being made: a part of them with the same schema is left out.
   */
  isOpen(shape: Shape): boolean;
  hints: Hints;
  /**
   * The same for the same shape.
   * @throws Unsupported if no value satisfies it; GaveUp if no hint does
   */
  arbitraryOf(shape: Shape): JsonValues;
  /** `make`, called once for each shape and key. */
  kept<T>(shape: Shape, key: string, make: () => T): T;
}

/** A clause, and the shape of the values that it binds. */
export interface ClausePlace {
  build: Build;
  shape: Shape;
  clause: Clause;
  /** The pointer of the schema as a whole, if the clause is one of its clauses. */
  schemaPointer?: string;
}

/**
 * Values to put at the path of a clause, which break it or just meet it. The caller proves that
 * they do.
 */
export interface Mutation {
  /** A few words on the values. */
  label: string;
  values: JsonValues;
  /** The same for mutations that break the clause in the same way. */
  kind?: string | undefined;
}

export type Mutate = (place: ClausePlace) => Mutation[];

/** Values that lie on the limit of one clause, or that break it alone. */
export interface ClauseCase {
  clause: Clause;
  /** Their place on the limit, or their error, in a few words; unique for its clause. */
  label: string;
  value: JsonValues;
  kind?: string | undefined;
}

/** The mutation to this value alone. */
export const exactly = (label: string, value: unknown, kind?: string): Mutation => ({
  label,
  values: fc.constant(value),
  kind,
});

/** The mutation to one of these values; none if there are no values. */
export function among(label: string, values: readonly unknown[]): Mutation[] {
  if (values.length === 0) {
    return [];
  }
  return [{ label, values: fc.constantFrom(...values) }];
}

/**
 * How many items and free entries a value has at most, unless its schema asks for more: boundaries
 * go to the limit.
 */
export const ITEMS = 4;

/** Values for a place without a rule. */
export const ANY: JsonValues = fc.constantFrom<unknown>(0, '', null);

/** Values of the shape; any values if there is none. */
export const valuesOrAny = (build: Build, shape: Shape | undefined): JsonValues =>
  shape ? build.arbitraryOf(shape) : ANY;

/** Whether the value satisfies the shape, by Ajv. */
export const fits = ({ contract }: Build, { roots }: Shape, value: unknown): boolean =>
  satisfies(contract, roots, value);

const LENGTHS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'x-max-bytes']);

/** Whether the value satisfies the shape, by Ajv, except for rules of its length. */
export function fitsApartFromLength(
  { contract }: Build,
  { roots }: Shape,
  value: unknown,
): boolean {
  const { validate } = schemasOf(contract);
  return roots.every((root) => validate(root, value).every(({ keyword }) => LENGTHS.has(keyword)));
}

/** The values that satisfy the shape, by Ajv. Generating throws `GaveUp` if there are none. */
export const fitting = <T>(build: Build, shape: Shape, values: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  accepted(values, `value for ${placesOf(shape)}`, (value) => fits(build, shape, value));

/** The shape with each branch of its first alternatives; itself if it has none. */
export const branchShapes = (build: Build, shape: Shape): Shape[] =>
  build.kept(shape, 'branches', () => makeBranches(build, shape));

function makeBranches({ contract }: Build, shape: Shape): Shape[] {
  const [branches, ...others] = shape.alternatives;
  if (!branches) {
    return [shape];
  }
  const keyOf = (list: readonly string[]): string => list.join('\n');
  const open = new Set(others.map(keyOf));
  // Shapes of the roots have again all alternatives that this shape has resolved.
  const whole = shapeOf(contract, ...shape.roots);
  const settled = new Set(whole.alternatives.map(keyOf).filter((key) => !open.has(key)));
  const gone = whole.conditionals.filter((one) => !shape.conditionals.includes(one));
  const met = new Set(gone.map((one) => one.condition));
  const shapes = branches.map((pointer) => {
    const one = shapeOf(contract, ...shape.roots, pointer);
    // A branch may have alternatives, too.
    const alternatives = one.alternatives.filter((list) => !settled.has(keyOf(list)));
    const conditionals = one.conditionals.filter(({ condition }) => !met.has(condition));
    return shapeWith(one, { alternatives, conditionals });
  });
  return shapes.filter(isPossible);
}

/** Whether neither the shape nor what it requires contradicts itself. */
function isPossible({ types, properties, required }: Shape): boolean {
  const hasValue = ([name, child]: [string, Shape]) => child.types.size > 0 || !required.has(name);
  return types.size > 0 && [...properties].every(hasValue);
}

/** The known values of the shape; undefined if there are none, and if only null is left. */
export function knownOf({ hints: { known } }: Build, shape: Shape): JsonValues | undefined {
  const isNull = shape.types.size === 1 && shape.types.has('null');
  if (isNull) {
    return undefined;
  }
  return hintFor(known, shape);
}

/** The realistic values that are known for the shape. */
export const realisticOf = ({ hints: { realistic } }: Build, shape: Shape): Realistic | undefined =>
  hintFor(realistic, shape);

/** The hint for the outermost schema of the shape that has one. */
function hintFor<T>(hints: Readonly<Record<string, T>> | undefined, shape: Shape): T | undefined {
  if (hints === undefined) {
    return undefined;
  }
  return shape.passed.map((pointer) => hints[pointer]).find((one) => one !== undefined);
}
