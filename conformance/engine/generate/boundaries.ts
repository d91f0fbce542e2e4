/** From each clause: valid values on its limit. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { exactBound } from '../contract/exact-bounds.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { joinPointer } from '../contract/pointers.ts';
import { type Shape, shapeOf, strictest } from '../contract/shape.ts';
import {
  among,
  type Build,
  type ClauseCase,
  type ClausePlace,
  exactly,
  fits,
  type JsonValues,
  type Mutation,
  realisticOf,
} from './build.ts';
import { someOf } from './choices.ts';
import { casesByLabel, ofEveryClause } from './clause-cases.ts';
import { branchAt, nullButOne } from './conditions.ts';
import { embeddedAt, mutationsAt } from './embedded.ts';
import { possible } from './filter.ts';
import { ofSize } from './mutations/sizes.ts';
import { ofBytes } from './mutations/texts.ts';
import { objectOf } from './objects.ts';
import { textsOfLength, textsOnEdges, widestOfLength } from './strings.ts';
import { whileInUse } from './valid.ts';

/**
 * Values that may lie on the limit of a clause. Generating throws `GaveUp` if another rule forbids
 * what this one allows.
 */
export const boundariesOfClause = whileInUse(
  (build, schemaPointer, clause: Clause): readonly ClauseCase[] => {
    const { root, mutations } = mutationsAt(build, schemaPointer, clause, limitsOf);
    const whole = mutations.map(({ label, values }) => ({
      label,
      values: embeddedAt(build, root, clause.path, values),
    }));
    const isRight = (made: unknown) => fits(build, root, made);
    return casesByLabel(clause, whole, 'value on the limit of', isRight);
  },
);

/**
 * The boundaries of every clause in the order of `clausesOf`; the rest of each value follows
 * `hints`.
 */
export const boundariesOf = ofEveryClause(boundariesOfClause);

/** The limits of a rule. `limit`: the value of the keyword, if it is a number. */
type Limits = (place: ClausePlace, limit: number) => Mutation[];

const LIMITS: Readonly<Record<string, Limits>> = {
  type: nullIfAllowed,
  enum: eachChoice,
  const: theConstant,
  minimum: theLimit,
  maximum: theLimit,
  exclusiveMinimum: insideOf,
  exclusiveMaximum: insideOf,
  multipleOf: (_, step) => [0, step, 2 * step, 3 * step].map(multiple),
  anyOf: eachBranch,
  oneOf: eachBranch,
  'x-max-bytes': byteLimits,
  minLength: lengthLimits,
  maxLength: lengthLimits,
  pattern: patternEdges,
  minItems: sizeLimits,
  maxItems: sizeLimits,
  minProperties: sizeLimits,
  maxProperties: sizeLimits,
  additionalProperties: everyProperty,
  if: branchLimits,
};

function nullIfAllowed({ shape }: ClausePlace): Mutation[] {
  if (shape.types.has('null')) {
    return [exactly('null', null)];
  }
  return [];
}

function limitsOf(place: ClausePlace): Mutation[] {
  const { keyword, schema } = place.clause;
  return LIMITS[keyword]?.(place, schema[keyword] as number) ?? [];
}

function eachChoice({ clause }: ClausePlace): Mutation[] {
  return someOf(clause.schema['enum'] as unknown[]).map(asIs);
}

function theConstant({ clause }: ClausePlace): Mutation[] {
  return [asIs(clause.schema['const'])];
}

function theLimit({ clause }: ClausePlace): Mutation[] {
  const bound = exactBound(clause.schema, clause.keyword);
  const isRounded = typeof bound === 'number' && Number.isInteger(bound) && !isExact(bound);
  return bound === undefined || isRounded ? [] : [asIs(bound)];
}

/** Whether a double is what was written, or may be: a converted contract has no other digits. */
const isExact = (bound: number): boolean =>
  Number.isSafeInteger(bound) || String(bound).includes('e');

/** Values inside an exclusive bound, a whole step and half a step from it. */
function insideOf({ clause }: ClausePlace): Mutation[] {
  const bound = exactBound(clause.schema, clause.keyword);
  const direction = clause.keyword === 'exclusiveMinimum' ? 1 : -1;
  if (typeof bound === 'bigint') {
    return [asIs(bound + BigInt(direction))];
  }
  if (bound === undefined) {
    return [];
  }
  return [asIs(bound + direction), asIs(bound + direction / 2)];
}

const asIs = (value: unknown): Mutation => exactly(stringifyJson(value), value);

/** The number without the digits that come from binary fractions. */
const multiple = (value: number): Mutation => exactly(String(value), Number(value.toPrecision(12)));

/** Some texts take more bytes in a body than they have. */
function byteLimits(_: ClausePlace, limit: number): Mutation[] {
  const escaped = ['"', '\\', '\n'].map((char) => char.repeat(limit));
  return [...ofBytes(limit), ...among(`${limit} bytes in characters that JSON escapes`, escaped)];
}

function eachBranch({ build, shape, clause }: ClausePlace): Mutation[] {
  const { pointer, keyword, schema } = clause;
  const branches = schema[keyword] as unknown[];
  return [...branches.keys()].flatMap((index) =>
    possible((): Mutation => {
      const branch = shapeOf(build.contract, ...shape.roots, joinPointer(pointer, index));
      return { label: `branch ${index + 1}`, values: build.arbitraryOf(branch) };
    }),
  );
}

function lengthLimits({ build, shape, clause }: ClausePlace, limit: number): Mutation[] {
  const mostBytes = strictest(shape, 'x-max-bytes') ?? Infinity;
  const isUnreachable = clause.keyword === 'maxLength' && mostBytes <= limit;
  if (isUnreachable) {
    return [];
  }
  const texts = textsOfLength(build, shape, limit);
  const mutations = among(`${limit} characters`, texts);
  if (clause.keyword === 'maxLength') {
    mutations.push(...widest(build, shape, limit));
  }
  return mutations;
}

/** The longest text as often as others: a service may count its bytes, or UTF-16 units. */
function widest(build: Build, shape: Shape, limit: number): Mutation[] {
  const text = widestOfLength(build, shape, limit);
  if (text === undefined) {
    return [];
  }
  return [exactly(`${limit} characters of several bytes`, text)];
}

function patternEdges({ build, shape }: ClausePlace): Mutation[] {
  const realistic = realisticOf(build, shape);
  if (realistic?.edges !== undefined) {
    const edges = Object.entries(realistic.edges);
    return edges.map(([label, value]) => exactly(label, value));
  }
  return textsOnEdges(build, shape).map((text) => exactly(JSON.stringify(text), text));
}

function sizeLimits({ build, shape, clause }: ClausePlace, limit: number): Mutation[] {
  return ofSize(build, shape, clause.keyword, limit);
}

/**
 * With any values, and with null for all but one: if properties exclude each other, few others fit.
 */
function everyProperty({ build, shape }: ClausePlace): Mutation[] {
  const shapes = [shape, ...nullButOne(shape)];
  const values = fc.oneof(...shapes.map((one) => withEveryProperty(build, one)));
  return [{ label: 'every known property', values }];
}

function withEveryProperty(build: Build, shape: Shape): JsonValues {
  const fixed = new Map<string, JsonValues>();
  for (const [name, child] of shape.properties) {
    if (shape.allows(name) && child.types.size > 0) {
      fixed.set(name, build.arbitraryOf(child));
    }
  }
  return objectOf(build, shape, { fixed });
}

/** Values that meet the condition and obey its branch; for `else`, all that obey it. */
function branchLimits({ build, shape, clause }: ClausePlace): Mutation[] {
  const obeying = branchAt(build, shape, clause.pointer, true);
  if (!obeying) {
    return [];
  }
  return [{ label: `${clause.name ?? ''} holds`, values: objectOf(build, obeying) }];
}
