/** Valid values that lie exactly on a limit, and so must be accepted. */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import type { Contract } from '../contract/load.ts';
import { joinPointer } from '../contract/pointers.ts';
import { shapeOf, strictest, type Shape } from '../contract/shape.ts';
import { among, type Build, type Case, exactly, fits, type Mutation, realisticOf } from './build.ts';
import { accepted, exists, possible } from './filter.ts';
import { ofSize } from './mutations.ts';
import { objectOf } from './objects.ts';
import { ofBytes } from './scalar-mutations.ts';
import { textsOfLength } from './strings.ts';
import { branchAt, embeddedAt, nullButOne, placeOf, remembered } from './valid.ts';

/** The boundaries of one clause of the schema, made when they are first asked for. */
export const boundariesOfClause = remembered((build, schemaPointer, clause: Clause): readonly Case[] => {
  const { root, mutations } = placeOf(build, schemaPointer, clause, limitsOf);
  const labels = new Set<string>();
  return mutations.flatMap(([label, leaf]) => {
    if (labels.has(label)) return [];
    const value = accepted(
      embeddedAt(build, root, clause.path, leaf),
      `value on the limit of ${clause.id} (${label})`,
      (made) => fits(build, root, made),
    );
    // Another rule may forbid what this one allows.
    if (!exists(value)) return [];
    labels.add(label);
    return [{ clause, label, value }];
  });
});

/**
 * The boundaries of every clause of the schema at `schemaPointer`, in the order of `clausesOf`: the longest text in
 * each width of character, the fullest list, the ends of a range, each listed value, the ends of what a pattern allows,
 * null where it is allowed, both sides of an `if`. The rest of a value follows `hints`; a boundary itself does not. The
 * list is cached by the identity of `hints`.
 */
export function boundariesOf(contract: Contract, schemaPointer: string, hints?: Hints): readonly Case[] {
  return clausesOf(contract, schemaPointer).flatMap((clause) =>
    boundariesOfClause(contract, schemaPointer, hints, clause),
  );
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
        possible((): Mutation => {
          const branch = shapeOf(build.contract, ...shape.roots, joinPointer(clause.pointer, index));
          return [`branch ${index + 1}`, build.arbitraryOf(branch)];
        }),
      );
    case 'x-max-bytes':
      return [
        ...ofBytes(limit),
        // They take more bytes in a body.
        ...among(
          `${limit} bytes in characters that JSON escapes`,
          ['"', '\\', '\n'].map((char) => char.repeat(limit)),
        ),
      ];
    case 'minLength':
    case 'maxLength':
      // Where bytes are limited, that limit is met first.
      if (clause.keyword === 'maxLength' && (strictest(shape, 'x-max-bytes') ?? Infinity) <= limit) return [];
      return among(`${limit} characters`, textsOfLength(build, shape, limit));
    case 'pattern':
      return Object.entries(realisticOf(build, shape)?.edges ?? {}).map(([label, value]) => exactly(label, value));
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return ofSize(build, shape, clause.keyword, limit);
    case 'additionalProperties':
      return [['every known property', withEveryProperty(build, shape)]];
    case 'if':
      return branchLimits(build, shape, clause);
    default:
      return [];
  }
}

/**
 * With any values, and with null for all but one that may be null: where properties exclude each other, few others fit.
 */
function withEveryProperty(build: Build, shape: Shape): fc.Arbitrary<unknown> {
  const choices = [shape, ...nullButOne(shape)].map((one) => {
    const fitting = [...one.properties].filter(([name, { types }]) => one.allows(name) && types.size > 0);
    return objectOf(build, one, { fixed: new Map(fitting.map(([name, child]) => [name, build.arbitraryOf(child)])) });
  });
  return fc.oneof(...choices);
}

/** Values that meet the condition and obey its branch; for `else`, all that obey it. */
function branchLimits(build: Build, shape: Shape, { pointer, name = '' }: Clause): Mutation[] {
  const obeying = branchAt(build, shape, pointer, true);
  return obeying ? [[`${name} holds`, objectOf(build, obeying)]] : [];
}
