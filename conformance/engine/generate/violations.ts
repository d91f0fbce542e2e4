/** From each clause: values that break it alone, as is proved whenever one is generated. */
import * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import { reasonOf } from '../contract/implied.ts';
import { type Shape, shapeAt } from '../contract/shape.ts';
import { arrayOf } from './arrays.ts';
import { possible } from './filter.ts';
import { besideFlags } from './flags.ts';
import type { Build, ClauseCase, Mutation } from './build.ts';
import { casesByLabel, ofEveryClause } from './clause-cases.ts';
import { embeddedAt, mutationsAt } from './embedded.ts';
import { mutationsOf } from './mutations/mutations-of.ts';
import { proveBreaksOnly } from './proof.ts';
import { whileInUse } from './valid.ts';

/**
 * Values that may break a clause alone; none for an implied one. Generating throws `GaveUp` if no
 * value of a case does.
 */
export const violationsOfClause = whileInUse(
  (build, schemaPointer, clause: Clause): readonly ClauseCase[] => {
    const { contract } = build;
    if (reasonOf(contract, schemaPointer, clause) !== undefined) {
      return [];
    }
    const { root, mutations } = mutationsAt(build, schemaPointer, clause, mutationsOf);
    const whole = mutations.map(({ label, values, kind }): Mutation => {
      return { label, values: embeddedAt(build, root, clause.path, values), kind };
    });
    const [first] = mutations;
    if (first) {
      // Items that must differ may be too few for a long list.
      whole.push(...possible(() => inLongLists(build, root, clause, first)).flat());
    }
    const isProved = (made: unknown) => proveBreaksOnly(contract, schemaPointer, clause, made);
    const cases = casesByLabel(clause, whole, 'value that breaks only', isProved);
    return cases.map((one): ClauseCase => {
      return { ...one, value: besideFlags(root, clause, one.value, isProved) };
    });
  },
);

/**
 * The violations of every clause in the order of `clausesOf`; the rest of each value is valid and
 * follows `hints`.
 */
export const violationsOf = ofEveryClause(violationsOfClause);

const LONG = 10;

/** One wrong item among ten: a service may look at the first few only, or name another one. */
function inLongLists(
  build: Build,
  root: Shape,
  { path }: Clause,
  { label, values }: Mutation,
): Mutation[] {
  const at = path.lastIndexOf('*');
  if (at < 0) {
    return [];
  }
  const around = path.slice(0, at);
  const list = shapeAt(root, around);
  if (!list?.items) {
    return [];
  }
  const wrong = embeddedAt(build, list.items, path.slice(at + 1), values);
  return [0, LONG / 2, LONG - 1].map((index) => {
    const items = fc.tuple(arrayOf(build, list, { length: LONG - 1 }), wrong);
    const long = items.map(([others, one]) => others.toSpliced(index, 0, one));
    return {
      label: `${label}, at ${index} of ${LONG} items`,
      values: embeddedAt(build, root, around, long),
      kind: 'a long list',
    };
  });
}
