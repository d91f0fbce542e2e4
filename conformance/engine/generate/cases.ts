/** From each clause: valid values on its limit, and values that break it alone, as proved whenever one is generated. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { reasonOf } from '../contract/implied.ts';
import { BYTE_FORMAT, tooLarge, WHOLE_RULES } from '../contract/keywords.ts';
import { matcherOf } from '../contract/patterns.ts';
import { type Contract, groupBy } from '../contract/load.ts';
import { isObject, joinPointer, valueAt } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import { patternIn, shapeAt, shapeOf, strictest, type Shape } from '../contract/shape.ts';
import { holderOf, without } from '../contract/variants.ts';
import { arrayOf, objectOf } from './containers.ts';
import {
  among,
  type Build,
  type Case,
  exactly,
  fits,
  type Mutation,
  realisticOf,
  type Values,
} from './build.ts';
import { someOf } from './choices.ts';
import { accepted, choosingAnew, GaveUp, possible } from './filter.ts';
import { mutationsOf, ofBytes, ofSize } from './mutations.ts';
import { textsOfLength } from './strings.ts';
import { branchAt, embeddedAt, nullButOne, placeOf, remembered } from './valid.ts';

function ofEveryClause(casesOf: typeof boundariesOfClause) {
  return (contract: Contract, pointer: string, hints?: Hints): Case[] =>
    clausesOf(contract, pointer).flatMap((one) =>
      tooLarge(one) ? [] : casesOf(contract, pointer, hints, one),
    );
}

/** What may lie on the limit of a clause. Generating throws `GaveUp` where another rule forbids what this one allows. */
export const boundariesOfClause = remembered(
  (build, schemaPointer, clause: Clause): readonly Case[] => {
    const { root, mutations } = placeOf(build, schemaPointer, clause, limitsOf);
    const all = mutations.map(([label, leaf]): Mutation => [
      label,
      embeddedAt(build, root, clause.path, leaf),
    ]);
    return byLabel(clause, all, 'value on the limit of', (made) => fits(build, root, made));
  },
);

/** One case for each label. @param what its values are, for errors */
function byLabel(
  clause: Clause,
  all: Mutation[],
  what: string,
  isRight: (made: unknown) => boolean,
): Case[] {
  return [...groupBy(all, ([label]) => label)].map(([label, alike]) => {
    const values = fc.oneof(...alike.map(([, whole]) => whole));
    return {
      clause,
      label,
      value: accepted(values, `${what} ${clause.id} (${label})`, isRight),
      kind: alike[0]![2],
    };
  });
}

/** The boundaries of every clause in the order of `clausesOf`; what is beside them follows `hints`. */
export const boundariesOf = ofEveryClause(boundariesOfClause);

/** The limits of each rule. `limit`: what it states, where that is a number. */
type Limits = (build: Build, shape: Shape, clause: Clause, limit: number) => Mutation[];

const LIMITS: readonly (readonly [keyword: RegExp, Limits])[] = [
  [/^type$/, (_, { types }) => (types.has('null') ? [exactly('null', null)] : [])],
  [
    /^enum$/,
    (_, __, { schema }) =>
      someOf(schema['enum'] as unknown[]).map((one) => exactly(JSON.stringify(one), one)),
  ],
  [/^const$/, (_, __, { schema }) => [exactly(JSON.stringify(schema['const']), schema['const'])]],
  [/^m(in|ax)imum$/, (_, __, ___, limit) => [exactly(String(limit), limit)]],
  [
    /^exclusiveMinimum$/,
    (_, __, ___, limit) => [1, 0.5].map((step) => exactly(String(limit + step), limit + step)),
  ],
  [
    /^exclusiveMaximum$/,
    (_, __, ___, limit) => [1, 0.5].map((step) => exactly(String(limit - step), limit - step)),
  ],
  [/^multipleOf$/, (_, __, ___, step) => [0, 1, 2, 3].map((count) => multiple(count * step))],
  [/^(any|one)Of$/, eachBranch],
  [/^x-max-bytes$/, (_, __, ___, limit) => [...ofBytes(limit), ...escaped(limit)]],
  [/^m(in|ax)Length$/, lengthLimits],
  [
    /^pattern$/,
    (build, shape) =>
      Object.entries(realisticOf(build, shape)?.edges ?? {}).map((one) => exactly(...one)),
  ],
  [
    /^m(in|ax)(Items|Properties)$/,
    (build, shape, { keyword }, limit) => ofSize(build, shape, keyword, limit),
  ],
  [
    /^additionalProperties$/,
    (build, shape) => [['every known property', withEveryProperty(build, shape)]],
  ],
  [/^if$/, branchLimits],
];

function limitsOf(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const limits = LIMITS.find(([keyword]) => keyword.test(clause.keyword))?.[1];
  return limits?.(build, shape, clause, clause.schema[clause.keyword] as number) ?? [];
}

const multiple = (value: number) => exactly(String(value), Number(value.toPrecision(12)));

/** They take more bytes in a body. */
function escaped(length: number): Mutation[] {
  const texts = ['"', '\\', '\n'].map((char) => char.repeat(length));
  return among(`${length} bytes in characters that JSON escapes`, texts);
}

function eachBranch(
  build: Build,
  { roots }: Shape,
  { pointer, keyword, schema }: Clause,
): Mutation[] {
  const valuesOf = (index: number) =>
    build.arbitraryOf(shapeOf(build.contract, ...roots, joinPointer(pointer, index)));
  return [...(schema[keyword] as unknown[]).keys()].flatMap((index) =>
    possible((): Mutation => [`branch ${index + 1}`, valuesOf(index)]),
  );
}

function lengthLimits(build: Build, shape: Shape, { keyword }: Clause, limit: number): Mutation[] {
  // Where bytes are limited, that limit is met first.
  if (keyword === 'maxLength' && (strictest(shape, 'x-max-bytes') ?? Infinity) <= limit) {
    return [];
  }
  return among(`${limit} characters`, textsOfLength(build, shape, limit));
}

/** With any values, and with null for all but one: where properties exclude each other, few others fit. */
function withEveryProperty(build: Build, shape: Shape): Values {
  const choices = [shape, ...nullButOne(shape)].map((one) => {
    const fitting = [...one.properties].filter(
      ([name, { types }]) => one.allows(name) && types.size > 0,
    );
    return objectOf(build, one, {
      fixed: new Map(fitting.map(([name, child]) => [name, build.arbitraryOf(child)])),
    });
  });
  return fc.oneof(...choices);
}

/** Values that meet the condition and obey its branch; for `else`, all that obey it. */
function branchLimits(build: Build, shape: Shape, { pointer, name = '' }: Clause): Mutation[] {
  const obeying = branchAt(build, shape, pointer, true);
  return obeying ? [[`${name} holds`, objectOf(build, obeying)]] : [];
}

/** What may break a clause alone; none for an implied one. Generating throws `GaveUp` where no value of a case does. */
export const violationsOfClause = remembered(
  (build, schemaPointer, clause: Clause): readonly Case[] => {
    if (reasonOf(build.contract, schemaPointer, clause) !== undefined) {
      return [];
    }
    const { root, mutations } = placeOf(build, schemaPointer, clause, mutationsOf);
    const embed = (leaf: Values) => embeddedAt(build, root, clause.path, leaf);
    const direct = mutations.map(([label, leaf, kind]): Mutation => [label, embed(leaf), kind]);
    const all = [...direct, ...inLongLists(build, root, clause, mutations[0])];
    const isProved = (made: unknown) =>
      proveBreaksOnly(build.contract, schemaPointer, clause, made);
    return byLabel(clause, all, 'value that breaks only', isProved);
  },
);

/** The violations of every clause in the order of `clausesOf`; what is beside them is valid and follows `hints`. */
export const violationsOf = ofEveryClause(violationsOfClause);

const LONG = 10;

/** One wrong item among ten: a service may look at the first few only, or name another one. */
function inLongLists(
  build: Build,
  root: Shape,
  { path }: Clause,
  mutation: Mutation | undefined,
): Mutation[] {
  const at = path.lastIndexOf('*');
  const list = at < 0 ? undefined : shapeAt(root, path.slice(0, at));
  if (!mutation || !list?.items) {
    return [];
  }
  const [label, leaf] = mutation;
  const wrong = embeddedAt(build, list.items, path.slice(at + 1), leaf);
  return [0, LONG / 2, LONG - 1].map((index) => {
    const items = fc.tuple(arrayOf(build, list, { length: LONG - 1 }), wrong);
    const whole = items.map(([others, one]) => others.toSpliced(index, 0, one));
    return [
      `${label}, at ${index} of ${LONG} items`,
      embeddedAt(build, root, path.slice(0, at), whole),
      'a long list',
    ];
  });
}

/** Whether all errors of `value` are of this clause, at one place: else a refusal may have another reason. */
export function proveBreaksOnly(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
  value: unknown,
): boolean {
  const errors = schemasOf(contract).validate(schemaPointer, value);
  const [first] = errors;
  if (!first) {
    return false;
  }
  const isBroken = errors.some(({ pointer }) => pointer === clause.pointer);
  const isRightWithout = (...rules: string[]): boolean => {
    const pointers = [clause.pointer, ...rules];
    const others = errors.filter(
      (one) => !pointers.some((rule) => `${one.pointer}/`.startsWith(`${rule}/`)),
    );
    // An error elsewhere stays without these rules, unless one refers to its place, or it is about a value they are in.
    if (others.length === 0) {
      return true;
    }
    const refers = (rule: string) =>
      JSON.stringify(valueAt(contract.document, rule))?.includes('"$ref":');
    if (!others.some(isOfWhole) && !pointers.some(refers)) {
      return false;
    }
    return schemasOf(without(contract, schemaPointer, ...pointers)).isValid(schemaPointer, value);
  };
  // Rules about a whole value fail with errors of many kinds; but without the rule, nothing is wrong.
  if (clause.keyword === 'if') {
    return isRightWithout();
  }
  if (WHOLE_RULES.includes(clause.keyword) && isRightWithout()) {
    return true;
  }
  // Such rules fail together with the rules inside them: without both, nothing may be wrong.
  const whole = errors.filter(isOfWhole);
  const around = whole.filter(({ path }) => liesAt(path, clause.path.slice(0, path.length)));
  if (whole.length > 0) {
    return isBroken && isRightWithout(...around.map(({ pointer }) => pointer));
  }
  const name = clause.name ?? first.name;
  const isEmpty = (first.name ?? valueAt(value, joinPointer('', ...first.path))) === '';
  const isOwn = (error: SchemaError) =>
    isDeepStrictEqual(error.path, first.path) &&
    error.name === name &&
    (error.pointer === clause.pointer || isPart(contract, clause, error, isEmpty));
  return isBroken && liesAt(first.path, clause.path) && errors.every(isOwn);
}

const isOfWhole = ({ keyword }: SchemaError): boolean => WHOLE_RULES.includes(keyword);

/** Whether an instance path is one that the path of the clause describes. */
function liesAt(path: readonly string[], described: readonly string[]): boolean {
  if (path.length !== described.length) {
    return false;
  }
  return described.every((segment, index) => {
    const pattern = patternIn(segment);
    const name = path[index]!;
    return (
      segment === '*' ||
      segment === name ||
      (pattern !== undefined && matcherOf(pattern).test(name))
    );
  });
}

/** Rules that can only be broken together count as one. */
function isPart(contract: Contract, clause: Clause, error: SchemaError, isEmpty: boolean): boolean {
  const stated = valueAt(contract.document, error.pointer);
  if (holderOf(error.pointer) === holderOf(clause.pointer)) {
    const isOfBytes = error.keyword === 'format' && BYTE_FORMAT.test(String(stated));
    const most = ['x-max-bytes', 'maxLength'];
    if (most.includes(clause.keyword) && 'x-max-bytes' in clause.schema) {
      return isOfBytes || most.includes(error.keyword);
    }
    if (['type', 'minimum', 'maximum'].includes(clause.keyword)) {
      return error.keyword === 'format';
    }
    if (['pattern', 'format'].includes(clause.keyword) && error.keyword === 'minLength') {
      return isEmpty;
    }
    if (['enum', 'const'].includes(clause.keyword) && error.keyword === 'type') {
      return true;
    }
  }
  // A value of a wrong type is of a wrong type by a condition, too.
  if (clause.keyword === 'type' && error.keyword === 'type') {
    return true;
  }
  if (clause.keyword === 'required') {
    return error.keyword === 'required';
  }
  return (
    error.keyword === clause.keyword && isDeepStrictEqual(stated, clause.schema[clause.keyword])
  );
}

/** Values with the errors of two clauses; undefined for a schema without two that can be broken together. */
export function twoErrors(
  contract: Contract,
  schemaPointer: string,
  hints: Hints,
): fc.Arbitrary<unknown> | undefined {
  // A clause of the body itself, such as its type, leaves no room for another error; a missing property does.
  const isOfPart = ({ path, keyword }: Clause) =>
    path.length > 0 || ['required', 'additionalProperties'].includes(keyword);
  const isPossible = (clause: Clause) =>
    (tooLarge(clause) ?? reasonOf(contract, schemaPointer, clause)) === undefined;
  const clauses = clausesOf(contract, schemaPointer).filter(
    (one) => isOfPart(one) && isPossible(one),
  );
  if (new Set(clauses.map(topOf)).size < 2) {
    return undefined;
  }
  const validate = (value: unknown) => schemasOf(contract).validate(schemaPointer, value);
  // Whether a case has a value is found out once it is chosen: for all cases of a clause, that takes long.
  const valuesFor = (clause: Clause): Values => {
    const cases = violationsOfClause(contract, schemaPointer, hints, clause);
    if (cases.length === 0) {
      throw new GaveUp(`nothing is known that breaks ${clause.id}`);
    }
    return fc.oneof(...cases.map(({ value }) => value));
  };
  const one = choosingAnew(fc.constantFrom(...clauses).chain(valuesFor));
  const merged = fc.tuple(one, one).map(([first, second]) => {
    if (!isObject(first) || !isObject(second)) {
      return undefined;
    }
    const wrong = validate(second);
    const names = wrong.map(({ path: [top], name }) => top ?? name);
    const kept = Object.entries(first).filter(([member]) => !names.includes(member));
    const taken = Object.entries(second).filter(([member]) => names.includes(member));
    const body = Object.fromEntries([...kept, ...taken]);
    const found = validate(body);
    const places = new Set(found.map(({ path, name = '' }) => [...path, name].join('\n')));
    const keys = new Set(found.map(keyOf));
    const hasAll = [...validate(first), ...wrong].every((error) => keys.has(keyOf(error)));
    return places.size > 1 && hasAll ? body : undefined;
  });
  return accepted(merged, 'body with two errors', (body) => body !== undefined);
}

const topOf = ({ path, keyword, name = '' }: Clause) =>
  path[0] ?? (keyword === 'additionalProperties' ? '' : name);

const keyOf = ({ pointer, path, name = '' }: SchemaError) => [pointer, name, ...path].join('\n');
