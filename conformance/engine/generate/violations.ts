/**
 * Values that break exactly one clause: a valid value in which the path of the clause exists, with one mutation at that
 * path. Each value is proved when it is generated, and again at every step of shrinking.
 */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { entry } from '../contract/entry.ts';
import { reasonOf } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { shapeAt, shapeOf, type Shape } from '../contract/shape.ts';
import type { Hints } from '../contract/hints.ts';
import type { Build } from './build.ts';
import { arrayOf } from './arrays.ts';
import { objectOf } from './objects.ts';
import { ANY } from './room.ts';
import { accepted, exists } from './filter.ts';
import { buildOf, remembered } from './memo.ts';
import type { Mutation } from './mutation.ts';
import { mutationsOf } from './mutations.ts';
import { proveBreaksOnly } from './proof.ts';
import { embeddedAt } from './values.ts';

export { proveBreaksOnly } from './proof.ts';

export interface Violation {
  clause: Clause;
  /** What is wrong, in a few words; unique for its clause. */
  label: string;
  /** Whole values (bodies), each proved to break the clause and nothing else. */
  value: fc.Arbitrary<unknown>;
}

type ByClause = Map<string, readonly Violation[]>;

const candidates = remembered((): ByClause => new Map());
const violations = remembered((): ByClause => new Map());

/**
 * What may break one clause of the schema, such as that of id `description.type`, alone; nothing for an implied one. A
 * mutation that is right for most schemas may be of no use in this one: then generating throws `GaveUp`. To find that
 * out takes as long as to generate a value.
 */
export function candidatesOfClause(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
  hints?: Hints,
): readonly Violation[] {
  return entry(candidates(contract, schemaPointer, hints), clause.id, () =>
    makeCandidates(buildOf(contract, hints), schemaPointer, clause),
  );
}

/** Those of them that give a value. */
export function violationsOfClause(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
  hints?: Hints,
): readonly Violation[] {
  return entry(violations(contract, schemaPointer, hints), clause.id, () =>
    candidatesOfClause(contract, schemaPointer, clause, hints).filter(({ value }) => exists(value)),
  );
}

/**
 * The violations of every clause of the schema at `schemaPointer` that can be broken alone, in the order of
 * `clausesOf`. What stands around the broken place is valid and follows `hints`. Shrinks to the smallest value that
 * still breaks the clause alone. A clause of which no value is known has none. What is made is cached
 * by the identity of `hints`.
 */
export function violationsOf(contract: Contract, schemaPointer: string, hints?: Hints): readonly Violation[] {
  return clausesOf(contract, schemaPointer).flatMap((clause) =>
    violationsOfClause(contract, schemaPointer, clause, hints),
  );
}

function makeCandidates(build: Build, schemaPointer: string, clause: Clause): Violation[] {
  const root = shapeOf(build.contract, schemaPointer);
  const target = shapeAt(root, clause.path);
  if (!target) throw new Error(`no place for the clause ${clause.id} in ${schemaPointer}`);
  if (reasonOf(build.contract, schemaPointer, clause) !== undefined) return [];
  const byLabel = new Map<string, fc.Arbitrary<unknown>[]>();
  const direct = mutations(build, target, clause);
  for (const { label, leaf } of direct)
    byLabel.set(label, [...(byLabel.get(label) ?? []), embeddedAt(build, root, clause.path, leaf)]);
  for (const { label, whole } of inLongLists(build, root, clause, direct[0])) byLabel.set(label, [whole]);
  return [...byLabel].map(([label, [first, ...others]]) => ({
    clause,
    label,
    value: accepted(fc.oneof(first!, ...others), `value that breaks only ${clause.id} (${label})`, (made) =>
      proveBreaksOnly(build.contract, schemaPointer, clause, made),
    ),
  }));
}

const LONG = 10;

/** One wrong item among ten: a service may look at the first few only, or name another one. */
function inLongLists(build: Build, root: Shape, clause: Clause, mutation: Mutation | undefined) {
  const at = clause.path.lastIndexOf('*');
  const list = at < 0 ? undefined : shapeAt(root, clause.path.slice(0, at));
  if (!mutation || !list?.items) return [];
  const wrong = embeddedAt(build, list.items, clause.path.slice(at + 1), mutation.leaf);
  return [0, LONG / 2, LONG - 1].map((index) => ({
    label: `${mutation.label}, at ${index} of ${LONG} items`,
    whole: embeddedAt(
      build,
      root,
      clause.path.slice(0, at),
      fc.tuple(arrayOf(build, list, { length: LONG - 1 }), wrong).map(([items, one]) => items.toSpliced(index, 0, one)),
    ),
  }));
}

function mutations(build: Build, target: Shape, clause: Clause): Mutation[] {
  if (!clause.onNames) return mutationsOf(build, target, clause);
  const names = target.names;
  if (!names) return [];
  const extra = target.additional ? build.arbitraryOf(target.additional) : ANY;
  return mutationsOf(build, names, clause).map(({ label, leaf }) => {
    const extraName = accepted(leaf as fc.Arbitrary<string>, 'name', (name) => typeof name === 'string');
    return {
      label: `a name: ${label}`,
      leaf: objectOf(build, target, { extraName, extra }),
    };
  });
}
