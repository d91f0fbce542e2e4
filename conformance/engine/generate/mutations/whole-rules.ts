/**
 * Values that break a rule about a value as a whole: special ones for each rule, and any values
 * that are valid without it.
 */
import { stringifyJson } from '../../contract/json-numbers.ts';
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../../contract/clauses.ts';
import { WHOLE_RULES } from '../../contract/keywords.ts';
import { isObject, joinPointer } from '../../contract/pointers.ts';
import { type Shape, shapeAt, shapeOf } from '../../contract/shape.ts';
import { holderOf, setAside, without } from '../../contract/variants.ts';
import { arrayOf } from '../arrays.ts';
import type { Build, ClausePlace, JsonValues, Mutate, Mutation } from '../build.ts';
import { embeddedAt } from '../embedded.ts';
import { possible } from '../filter.ts';
import { freeName, objectOf } from '../objects.ts';
import { buildOf } from '../valid.ts';

const VALUES = ['', 0, 1, true, null, [], {}];
const anyValue = fc.constantFrom<unknown>(...VALUES);

/** A rule about a whole value, and the contract without it. */
interface WholeRule {
  /** The build of the contract with the rule. */
  build: Build;
  /** The shape with the rule. */
  shape: Shape;
  clause: Clause;
  /** The value of the keyword. */
  stated: unknown;
  /** The pointer of that value in the contract without the rule. */
  setAside: string;
  /** The build of the contract without the rule. */
  free: Build;
  /** The shape without the rule. */
  freed: Shape;
  mutationsOf: Mutate;
}

/** Values that may break the rule. `make` throws `Unsupported` if there are none. */
interface Attempt {
  label: string;
  make(): JsonValues;
}

/** @param mutationsOf of the clauses of branches */
export function wholeMutations(
  { build, shape, clause, schemaPointer = '' }: ClausePlace,
  mutationsOf: Mutate,
): Mutation[] {
  const free = buildOf(without(build.contract, schemaPointer, clause.pointer), build.hints);
  const rule: WholeRule = {
    build,
    shape,
    clause,
    stated: clause.schema[clause.keyword],
    setAside: setAside(clause.pointer),
    free,
    freed: shapeOf(free.contract, ...shape.roots),
    mutationsOf,
  };
  const attempts = [...(ATTEMPTS[clause.keyword]?.(rule) ?? [])];
  for (const value of VALUES) {
    attempts.push({ label: stringifyJson(value), make: () => fc.constant(value) });
  }
  attempts.push({ label: 'what is right otherwise', make: () => satisfying(rule) });
  return attempts.flatMap(({ label, make }) =>
    possible((): Mutation => ({ label, values: make() })),
  );
}

const ATTEMPTS: Readonly<Record<string, (rule: WholeRule) => Attempt[]>> = {
  unevaluatedProperties: withUnknownName,
  unevaluatedItems: withOneMoreItem,
  maxContains: withMoreContained,
  not: forbidden,
  anyOf: withOtherBranches,
  oneOf: withOtherBranches,
  dependentSchemas: withTriggers,
};

/** Values that satisfy the schema without the rule, and these schemas. */
const satisfying = ({ free, shape }: WholeRule, ...pointers: string[]): JsonValues =>
  free.arbitraryOf(shapeOf(free.contract, ...shape.roots, ...pointers));

function withUnknownName(rule: WholeRule): Attempt[] {
  const { free, freed } = rule;
  const make = () => {
    const values = satisfying(rule);
    const names = freed.names ? freeName(free, freed) : fc.constantFrom('colour', 'x-extra');
    const withName = ([value, name, extra]: [unknown, string, unknown]) =>
      isObject(value) ? { ...value, [name]: extra } : value;
    return fc.tuple(values, names, anyValue).map(withName);
  };
  return [{ label: 'an unknown name', make }, ...withNamesOfBranches(rule)];
}

/** More would take too many requests. */
const MOST_OF_BRANCHES = 12;

/**
 * With a property of a branch or condition. Where that does not apply to the value, nothing
 * evaluates the property (JSON Schema 2020-12, 11.3).
 */
function withNamesOfBranches(rule: WholeRule): Attempt[] {
  const { free, freed } = rule;
  const conditions = freed.conditionals.flatMap(({ condition, whenMet, whenNot }) => [
    condition,
    whenMet,
    whenNot,
  ]);
  const places = [...freed.alternatives.flat(), ...conditions].filter((one) => one !== undefined);
  const members = new Map<string, Shape>();
  for (const shape of places.flatMap((one) => possible(() => shapeOf(free.contract, one)))) {
    for (const [name, member] of shape.properties) {
      const isOwn = Object.hasOwn(Object(rule.clause.schema['properties']) as object, name);
      if (!isOwn && !members.has(name) && members.size < MOST_OF_BRANCHES) {
        members.set(name, member);
      }
    }
  }
  return [...members].map(([name, member]) => ({
    label: `${name}, which its branch does not allow here`,
    make: () => {
      const one = fc.tuple(satisfying(rule), free.arbitraryOf(member));
      return one.map(([value, extra]) => (isObject(value) ? { ...value, [name]: extra } : value));
    },
  }));
}

function withOneMoreItem(rule: WholeRule): Attempt[] {
  const withItem = ([value, one]: [unknown, unknown]) =>
    Array.isArray(value) ? [...(value as unknown[]), one] : value;
  const make = () => fc.tuple(satisfying(rule), anyValue).map(withItem);
  return [{ label: 'one more item', make }];
}

function withMoreContained({ build, shape, clause, stated, free, freed }: WholeRule): Attempt[] {
  const contains = joinPointer(holderOf(clause.pointer), 'contains');
  const contained = shapeOf(build.contract, ...(shape.items?.roots ?? []), contains);
  const minLength = (stated as number) + 1;
  const make = () => {
    const more = fc.array(build.arbitraryOf(contained), { minLength, maxLength: minLength + 1 });
    return fc.tuple(arrayOf(free, freed), more).map((items) => items.flat());
  };
  return [{ label: 'more of what it contains', make }];
}

function forbidden(rule: WholeRule): Attempt[] {
  const { free } = rule;
  return [
    {
      label: 'what must not be',
      make: () => free.arbitraryOf(shapeOf(free.contract, rule.setAside)),
    },
    {
      label: 'what must not be, beside the rest',
      make: () => satisfying(rule, rule.setAside),
    },
  ];
}

/** Values that satisfy two branches at once, or a branch but for one of its clauses. */
function withOtherBranches(rule: WholeRule): Attempt[] {
  const branches = (rule.stated as unknown[]).map((_, index) => joinPointer(rule.setAside, index));
  const attempts: Attempt[] = [];
  for (const [one, pointer] of branches.entries()) {
    for (const [other, beside] of branches.entries()) {
      if (one < other) {
        const label = `branches ${one + 1} and ${other + 1} at once`;
        attempts.push({ label, make: () => satisfying(rule, pointer, beside) });
      }
    }
  }
  for (const [index, pointer] of branches.entries()) {
    for (const { label, make } of nearly(rule, pointer)) {
      attempts.push({ label: `branch ${index + 1}, ${label}`, make });
    }
  }
  return attempts;
}

/** Of a branch with more clauses, the ways to break a clause share one attempt. */
const MANY_CLAUSES = 100;

/** For each clause of one more schema: values that are wrong in that respect alone. */
function nearly({ free, freed, mutationsOf }: WholeRule, pointer: string): Attempt[] {
  const merged = shapeOf(free.contract, ...freed.roots, pointer);
  const clauses = clausesOf(free.contract, pointer);
  const attempts: Attempt[] = [];
  for (const clause of clauses) {
    const shape = shapeAt(merged, clause.path);
    if (!shape || clause.onNames || WHOLE_RULES.includes(clause.keyword)) {
      continue;
    }
    const within = (values: JsonValues) => embeddedAt(free, merged, clause.path, values);
    const mutations = possible(() => mutationsOf({ build: free, shape, clause })).flat();
    if (clauses.length > MANY_CLAUSES && mutations.length > 0) {
      const any = fc.oneof(...mutations.map(({ values }) => values));
      attempts.push({ label: clause.id, make: () => within(any) });
      continue;
    }
    for (const { label, values } of mutations) {
      attempts.push({ label: `${clause.id}, ${label}`, make: () => within(values) });
    }
  }
  return attempts;
}

/** Values with each property that makes another schema apply. */
function withTriggers({ stated, free, freed }: WholeRule): Attempt[] {
  return Object.keys(stated as object).map((name) => {
    const child = freed.property(name);
    const fixed = new Map([[name, child ? free.arbitraryOf(child) : anyValue]]);
    return { label: `with ${name}`, make: () => objectOf(free, freed, { fixed }) };
  });
}
