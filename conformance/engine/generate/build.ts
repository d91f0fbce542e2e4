/** What the generators of one contract share: files of containers and of their parts need not import each other. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import type { Hints, Realistic } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import { satisfies, schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, shapeWith } from '../contract/shape.ts';

export type Values = fc.Arbitrary<unknown>;

export interface Build {
  contract: Contract;
  /** Whether values of the shape are being made: a part of them with the same schema is left out. */
  isOpen(shape: Shape): boolean;
  hints: Hints;
  /** The same for the same shape. @throws Unsupported where no value satisfies it; GaveUp where no hint does */
  arbitraryOf(shape: Shape): Values;
  /** `make`, called once for each shape and key. */
  kept<T>(shape: Shape, key: string, make: () => T): T;
}

/**
 * A value to put at the path of a clause, which breaks it or just meets it. The caller proves that it does.
 * `kind`: that of values that break the clause in the same way.
 */
export type Mutation = readonly [inAFewWords: string, leaf: Values, kind?: string | undefined];

/** `schemaPointer`: where the schema as a whole is, if the clause is one of it. */
export type Mutate = (
  build: Build,
  shape: Shape,
  clause: Clause,
  schemaPointer?: string,
) => Mutation[];

/** Values that lie on the limit of one clause, or that break it alone. */
export interface Case {
  clause: Clause;
  /** Where on the limit they lie, or what is wrong, in a few words; unique for its clause. */
  label: string;
  value: Values;
  kind?: string | undefined;
}

export const exactly = (label: string, value: unknown, kind?: string): Mutation => [
  label,
  fc.constant(value),
  kind,
];

/** The mutation to one of these values; none where there are no values. */
export function among(label: string, values: readonly unknown[]): Mutation[] {
  return values.length > 0 ? [[label, fc.constantFrom(...values)]] : [];
}

/** How many items and free entries a value has at most, unless its schema asks for more: boundaries go to the limit. */
export const ITEMS = 4;

/** Values where no rule says what they are. */
export const ANY: Values = fc.constantFrom<unknown>(0, '', null);

const LENGTHS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'x-max-bytes']);

/** Whether `value` satisfies the shape, by Ajv; with `butLength`, apart from its length. */
export function fits(
  { contract }: Build,
  { roots }: Shape,
  value: unknown,
  butLength = false,
): boolean {
  if (!butLength) {
    return satisfies(contract, roots, value);
  }
  const { validate } = schemasOf(contract);
  return roots.every((root) => validate(root, value).every(({ keyword }) => LENGTHS.has(keyword)));
}

/** The shape with each branch of its first alternatives; itself where it has none. */
export const branchesOf = (build: Build, shape: Shape): Shape[] =>
  build.kept(shape, 'branches', () => makeBranches(build, shape));

function makeBranches({ contract }: Build, shape: Shape): Shape[] {
  const [branches, ...others] = shape.alternatives;
  if (!branches) {
    return [shape];
  }
  const keyOf = (list: readonly string[]): string => list.join('\n');
  const open = new Set(others.map(keyOf));
  // The roots bring back what the shape has settled.
  const whole = shapeOf(contract, ...shape.roots);
  const settled = new Set(whole.alternatives.map(keyOf).filter((key) => !open.has(key)));
  const gone = whole.conditionals.filter((one) => !shape.conditionals.includes(one));
  const met = new Set(gone.map((one) => one.condition));
  return branches
    .map((pointer) => {
      const one = shapeOf(contract, ...shape.roots, pointer);
      // A branch may have alternatives of its own.
      const alternatives = one.alternatives.filter((list) => !settled.has(keyOf(list)));
      const conditionals = one.conditionals.filter(({ condition }) => !met.has(condition));
      return shapeWith(one, { alternatives, conditionals });
    })
    .filter(isPossible);
}

/** Whether neither the shape nor what it requires contradicts itself. */
function isPossible({ types, properties, required }: Shape): boolean {
  return (
    types.size > 0 &&
    [...properties].every(([name, child]) => child.types.size > 0 || !required.has(name))
  );
}

/** The known values of the shape; none where nothing but null is left. */
export function knownOf({ hints: { known } }: Build, shape: Shape): Values | undefined {
  if (known === undefined || (shape.types.size === 1 && shape.types.has('null'))) {
    return undefined;
  }
  return shape.passed.map((pointer) => known[pointer]).find((one) => one !== undefined);
}

export const realisticOf = ({ hints: { realistic } }: Build, shape: Shape): Realistic | undefined =>
  realistic && shape.passed.map((pointer) => realistic[pointer]).find((one) => one !== undefined);
