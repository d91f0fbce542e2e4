/**
 * One mutation: what to put at the path of a clause so that this clause breaks. Whether it does is proved by the
 * caller.
 */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { Unsupported, WHOLE_RULES } from '../contract/keywords.ts';
import { isObject, joinPointer } from '../contract/pointers.ts';
import { shapeAt, shapeOf, type Shape } from '../contract/shape.ts';
import { holderOf, setAside, without } from '../contract/variants.ts';
import { arrayOf } from './arrays.ts';
import type { Build, Mutation } from './build.ts';
import * as containers from './container-mutations.ts';
import { possible } from './filter.ts';
import { freeName, objectOf } from './objects.ts';
import * as scalars from './scalar-mutations.ts';
import { branchAt, buildOf, embeddedAt } from './valid.ts';

/** `schemaPointer`: where the schema as a whole is, if the clause is one of it. */
type Mutate = (build: Build, shape: Shape, clause: Clause, schemaPointer?: string) => Mutation[];

const MUTATIONS: readonly (readonly [keyword: RegExp, Mutate])[] = [
  [/^type$/, scalars.typeMutations],
  [/^(enum|const)$/, scalars.choiceMutations],
  [/^(m|exclusiveM)(in|ax)imum$/, scalars.boundMutations],
  [/^multipleOf$/, scalars.multipleMutations],
  [/^m(in|ax)Length$/, scalars.lengthMutations],
  [/^pattern$/, scalars.patternMutations],
  [/^format$/, scalars.formatMutations],
  [/^x-max-bytes$/, scalars.byteMutations],
  [/^m(in|ax)(Items|Properties)$/, containers.sizeMutations],
  [/^uniqueItems$/, containers.repeatedMutations],
  [/^required$/, containers.requiredMutations],
  [/^dependentRequired$/, containers.dependentMutations],
  [/^additionalProperties$/, containers.unknownMutations],
  [/^if$/, branchMutations],
];

/** The mutations that may break `clause`, which binds the values of `shape`. Empty when none is known. */
export const mutationsOf: Mutate = (build, shape, clause, schemaPointer) => {
  if (WHOLE_RULES.includes(clause.keyword)) return wholeMutations(build, shape, clause);
  const mutate = MUTATIONS.find(([keyword]) => keyword.test(clause.keyword))?.[1];
  if (!mutate) throw new Error(`no mutations are known for ${clause.keyword} at ${clause.pointer}`);
  return mutate(build, shape, clause, schemaPointer);
};

const VALUES = ['', 0, 1, true, null, [], {}];
const any = fc.constantFrom<unknown>(...VALUES);

/**
 * Values that break a rule about a value as a whole: what is known of such rules, and whatever is right but for it.
 */
function wholeMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const { contract } = build;
  const free = buildOf(without(contract, [clause.pointer]), build.hints);
  const freed = shapeOf(free.contract, ...shape.roots);
  const stated = clause.schema[clause.keyword];
  const branches = [...(Array.isArray(stated) ? stated : []).keys()];
  const inner = setAside(clause.pointer);
  const mutations: Mutation[] = [];
  const add = (label: string, make: () => fc.Arbitrary<unknown>) => {
    mutations.push(...possible(make).map((leaf) => ({ label, leaf })));
  };
  const satisfying = (...pointers: string[]) => free.arbitraryOf(shapeOf(free.contract, ...shape.roots, ...pointers));
  switch (clause.keyword) {
    case 'unevaluatedProperties':
      add('an unknown name', () =>
        fc
          .tuple(
            free.arbitraryOf(freed),
            freed.names ? freeName(free, freed) : fc.constantFrom('colour', 'x-extra'),
            any,
          )
          .map(([value, name, extra]) => (isObject(value) ? { ...value, [name]: extra } : value)),
      );
      break;
    case 'unevaluatedItems':
      add('one more item', () =>
        fc
          .tuple(free.arbitraryOf(freed), any)
          .map(([value, one]) => (Array.isArray(value) ? [...(value as unknown[]), one] : value)),
      );
      break;
    case 'maxContains': {
      const contains = joinPointer(holderOf(clause.pointer), 'contains');
      const contained = shapeOf(contract, ...(shape.items?.roots ?? []), contains);
      const least = (stated as number) + 1;
      add('more of what it contains', () =>
        fc
          .tuple(
            arrayOf(free, freed),
            fc.array(build.arbitraryOf(contained), { minLength: least, maxLength: least + 1 }),
          )
          .map((items) => items.flat()),
      );
      break;
    }
    case 'not':
      add('what must not be', () => free.arbitraryOf(shapeOf(free.contract, inner)));
      add('what must not be, beside the rest', () => satisfying(inner));
      break;
    case 'anyOf':
    case 'oneOf':
      for (const one of branches)
        for (const other of branches.slice(one + 1))
          add(`branches ${one + 1} and ${other + 1} at once`, () =>
            satisfying(joinPointer(inner, one), joinPointer(inner, other)),
          );
      for (const index of branches)
        for (const [label, make] of nearly(free, freed, joinPointer(inner, index)))
          add(`branch ${index + 1}, ${label}`, make);
      break;
    case 'dependentSchemas':
      for (const name of Object.keys(stated as object)) {
        const child = freed.property(name);
        const fixed = new Map([[name, child ? free.arbitraryOf(child) : any]]);
        add(`with ${name}`, () => objectOf(free, freed, { fixed }));
      }
      break;
    default:
  }
  for (const value of VALUES) add(JSON.stringify(value), () => fc.constant(value));
  add('what is right otherwise', () => free.arbitraryOf(freed));
  return mutations;
}

/** For each clause of one more schema: values that are wrong in that respect alone. */
function nearly(build: Build, shape: Shape, pointer: string): [string, () => fc.Arbitrary<unknown>][] {
  const merged = shapeOf(build.contract, ...shape.roots, pointer);
  return clausesOf(build.contract, pointer).flatMap((clause): [string, () => fc.Arbitrary<unknown>][] => {
    const target = shapeAt(merged, clause.path);
    if (!target || clause.onNames || WHOLE_RULES.includes(clause.keyword)) return [];
    const make = () => {
      const [first, ...others] = mutationsOf(build, target, clause).map(({ leaf }) => leaf);
      if (!first) throw new Unsupported(`nothing breaks ${clause.id}`);
      return embeddedAt(build, merged, clause.path, fc.oneof(first, ...others));
    };
    return [[clause.id, make]];
  });
}

/** Values that meet the condition and are valid but for the branch. */
function branchMutations(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const met = branchAt(build, shape, clause.pointer, false);
  if (!met) return [];
  return clausesOf(build.contract, clause.pointer).flatMap((inner) => {
    const target = shapeAt(met, inner.path);
    if (!target || inner.onNames) return [];
    // Any value that is right without the branch may be wrong with it; for limits it seldom is, so that a mutation
    // helps. A mutation leaves out a required property.
    const mutations: Mutation[] = [];
    if (inner.keyword !== 'required')
      mutations.push({ label: 'a value that is allowed otherwise', leaf: build.arbitraryOf(target) });
    if (!['if', 'type', 'enum', 'const'].includes(inner.keyword)) mutations.push(...mutationsOf(build, target, inner));
    return mutations.map(({ label, leaf }) => ({
      label: `${clause.name ?? ''} ${inner.id}: ${label}`,
      leaf: embeddedAt(build, met, inner.path, leaf),
    }));
  });
}
