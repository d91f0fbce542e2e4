/** Cases of all clauses of a schema. */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { tooLarge } from '../contract/keywords.ts';
import { type Contract, groupBy } from '../contract/load.ts';
import type { ClauseCase, Mutation } from './build.ts';
import { accepted } from './filter.ts';

type CasesOfClause = (
  contract: Contract,
  pointer: string,
  hints: Hints | undefined,
  clause: Clause,
) => readonly ClauseCase[];

type CasesOfSchema = (contract: Contract, pointer: string, hints?: Hints) => ClauseCase[];

/**
 * The cases of every clause, in the order of `clausesOf`, but for those whose values are too large
 * to send.
 */
export function ofEveryClause(casesOf: CasesOfClause): CasesOfSchema {
  return (contract, pointer, hints) => {
    const clauses = clausesOf(contract, pointer).filter((one) => tooLarge(one) === undefined);
    return clauses.flatMap((clause) => casesOf(contract, pointer, hints, clause));
  };
}

/**
 * One case for each label of the mutations.
 * @param what names the values in errors
 * @param isRight whether a value is what the case promises
 */
export function casesByLabel(
  clause: Clause,
  mutations: readonly Mutation[],
  what: string,
  isRight: (value: unknown) => boolean,
): ClauseCase[] {
  return [...groupBy(mutations, ({ label }) => label)].map(([label, alike]) => {
    const values = fc.oneof(...alike.map((one) => one.values));
    return {
      clause,
      label,
      value: accepted(values, `${what} ${clause.id} (${label})`, isRight),
      kind: alike[0]?.kind,
    };
  });
}
