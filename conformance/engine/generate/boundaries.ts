/** Valid values that lie exactly on a limit, and so must be accepted. */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import { schemasOf } from '../contract/schemas.ts';
import { joinPointer } from '../contract/pointers.ts';
import { shapeAt, shapeOf, strictest, type Shape } from '../contract/shape.ts';
import type { Hints } from '../contract/hints.ts';
import { type Build, realisticOf } from './build.ts';
import { arrayOf } from './arrays.ts';
import { objectOf } from './objects.ts';
import { accepted, exists } from './filter.ts';
import { buildOf, remembered, withoutKnown } from './memo.ts';
import type { Mutation } from './mutation.ts';
import { possible } from './possible.ts';
import { textsOfLength } from './strings.ts';
import { textOfBytes } from './text.ts';
import { branch, embeddedAt } from './values.ts';

export interface Boundary {
  clause: Clause;
  /** Where on the limit the value lies, in a few words; unique for its clause. */
  label: string;
  /** Whole values (bodies), each valid. */
  value: fc.Arbitrary<unknown>;
}

const byClause = remembered(() => new Map<string, readonly Boundary[]>());

/** The boundaries of one clause of the schema, made when they are first asked for. */
export function boundariesOfClause(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
  hints?: Hints,
): readonly Boundary[] {
  const known = byClause(contract, schemaPointer, hints);
  let made = known.get(clause.id);
  if (!made) known.set(clause.id, (made = makeBoundaries(buildOf(contract, hints), schemaPointer, clause)));
  return made;
}

/**
 * The boundaries of every clause of the schema at `schemaPointer`, in the order of `clausesOf`: the longest text in
 * each width of character, the fullest list, the ends of a range, each listed value, the ends of what a pattern allows,
 * null where it is allowed, both sides of an `if`. What stands around follows `hints`; a boundary itself does not.
 * What is made is cached by the identity of `hints`.
 */
export function boundariesOf(contract: Contract, schemaPointer: string, hints?: Hints): readonly Boundary[] {
  return clausesOf(contract, schemaPointer).flatMap((clause) =>
    boundariesOfClause(contract, schemaPointer, clause, hints),
  );
}

function makeBoundaries(build: Build, schemaPointer: string, clause: Clause): Boundary[] {
  const root = shapeOf(build.contract, schemaPointer);
  const target = shapeAt(root, clause.path);
  if (!target) throw new Error(`no place for the clause ${clause.id} in ${schemaPointer}`);
  const schemas = schemasOf(build.contract);
  const labels = new Set<string>();
  return limits(build, target, clause).flatMap(({ label, leaf }) => {
    if (labels.has(label)) return [];
    const value = accepted(
      embeddedAt(build, root, clause.path, leaf),
      `value on the limit of ${clause.id} (${label})`,
      (made) => schemas.isValid(schemaPointer, made),
    );
    // Another rule may forbid what this one allows.
    if (!exists(value)) return [];
    labels.add(label);
    return [{ clause, label, value }];
  });
}

function limits(build: Build, target: Shape, clause: Clause): Mutation[] {
  if (!clause.onNames) return limitsOf(build, target, clause);
  const names = target.names;
  if (!names) return [];
  const value = target.additional ? build.arbitraryOf(target.additional) : fc.constant(0);
  return limitsOf(build, names, clause).map(({ label, leaf }) => ({
    label: `a name: ${label}`,
    leaf: objectOf(build, target, { extra: value, extraName: leaf as fc.Arbitrary<string> }),
  }));
}

function limitsOf(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const stated = clause.schema[clause.keyword];
  const limit = stated as number;
  switch (clause.keyword) {
    case 'type':
      return shape.types.has('null') ? [exactly('null', null)] : [];
    case 'enum':
      return (stated as unknown[]).map((choice) => exactly(JSON.stringify(choice), choice));
    case 'const':
      return [exactly(JSON.stringify(stated), stated)];
    case 'minimum':
    case 'maximum':
      return [exactly(String(limit), limit)];
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return [1, 0.5].map((step) => {
        const next = limit + (clause.keyword === 'exclusiveMinimum' ? step : -step);
        return exactly(String(next), next);
      });
    case 'multipleOf':
      return [0, 1, 2, 3].map((count) => exactly(String(count * limit), Number((count * limit).toPrecision(12))));
    case 'anyOf':
    case 'oneOf':
      return (stated as unknown[]).flatMap((_, index) =>
        possible(() => ({
          label: `branch ${index + 1}`,
          leaf: build.arbitraryOf(shapeOf(build.contract, ...shape.roots, joinPointer(clause.pointer, index))),
        })),
      );
    case 'x-max-bytes':
      return (
        [1, 2, 3, 4]
          .filter((width) => width <= limit)
          .map((width) => ({ label: `${limit} bytes in characters of ${width}`, leaf: textOfBytes(limit, width) }))
          // Longer as they stand in a body.
          .concat({
            label: `${limit} bytes in characters that JSON escapes`,
            leaf: fc.constantFrom('"', '\\', '\n').map((char) => char.repeat(limit)),
          })
      );
    case 'minLength':
    case 'maxLength':
      return ofLength(build, shape, clause.keyword, limit);
    case 'pattern':
      return Object.entries(realisticOf(build, shape)?.edges ?? {}).map(([label, value]) => exactly(label, value));
    case 'minItems':
    case 'maxItems':
      // A small pool of hints may not hold as many distinct items.
      return [build, withoutKnown(build)].map((one) => ({
        label: `${limit} items`,
        leaf: arrayOf(one, shape, { length: limit }),
      }));
    case 'minProperties':
    case 'maxProperties':
      return [{ label: `${limit} properties`, leaf: objectOf(build, shape, { size: limit }) }];
    case 'additionalProperties':
      return [{ label: 'every known property', leaf: withEveryProperty(build, shape) }];
    case 'if':
      return branchLimits(build, shape, clause);
    default:
      return [];
  }
}

function exactly(label: string, value: unknown): Mutation {
  return { label, leaf: fc.constant(value) };
}

function ofLength(build: Build, shape: Shape, keyword: string, limit: number): Mutation[] {
  // Where bytes are limited, that limit is met first.
  if (keyword === 'maxLength' && (strictest(shape, 'x-max-bytes') ?? Infinity) <= limit) return [];
  const values = textsOfLength(build, shape, limit);
  return values.length > 0 ? [{ label: `${limit} characters`, leaf: fc.constantFrom(...values) }] : [];
}

/** With any values, and with null for all but one that may be null: where properties exclude each other, any values seldom fit. */
function withEveryProperty(build: Build, shape: Shape): fc.Arbitrary<unknown> {
  const every = everyProperty(build, shape);
  const nullable = [...every.keys()].filter((name) => shape.properties.get(name)?.types.has('null'));
  const allNullBut = (name: string): Map<string, fc.Arbitrary<unknown>> =>
    new Map(
      [...every].map(([other, values]) => [
        other,
        other !== name && nullable.includes(other) ? fc.constant(null) : values,
      ]),
    );
  const choices = nullable.length > 1 ? [every, ...nullable.map(allNullBut)] : [every];
  return fc.oneof(...choices.map((fixed) => objectOf(build, shape, { fixed })));
}

function everyProperty(build: Build, shape: Shape): Map<string, fc.Arbitrary<unknown>> {
  return new Map(
    [...shape.properties]
      .filter(([name, { types }]) => shape.allows(name) && types.size > 0)
      .map(([name, child]) => [name, build.arbitraryOf(child)]),
  );
}

/** Values that meet the condition and obey its branch; for `else`, all that obey it. */
function branchLimits(build: Build, shape: Shape, clause: Clause): Mutation[] {
  const rule = shape.conditionals.find(
    ({ whenMet, whenNot }) => whenMet === clause.pointer || whenNot === clause.pointer,
  );
  if (!rule) return [];
  const met = branch(build, shape, rule.whenMet === clause.pointer ? [rule.condition, rule.whenMet] : [rule.whenNot]);
  return [{ label: `${clause.name ?? ''} holds`, leaf: objectOf(build, met) }];
}
