/**
 * The schemas of the JSON-Schema-Test-Suite through the generators. For each that has a valid instance, valid values are
 * made; for each that has an invalid one, values that break the keyword of its file.
 */
import * as fc from 'fast-check';
import { clausesOf } from '../contract/clauses.ts';
import { impliedClauses } from '../contract/implied.ts';
import { casesOfSuite, type Case } from '../contract/json-schema-suite.test.fixture.ts';
import { Unsupported } from '../contract/keywords.ts';
import { schemasOf } from '../contract/schemas.ts';
import { boundariesOfClause } from './boundaries.ts';
import { GaveUp } from './filter.ts';
import { validValues } from './valid.ts';
import { violationsOfClause } from './violations.ts';

/** `implied`: the reasons why no value breaks a clause alone. `skipped`: why nothing was made where something is due. */
export interface Outcome {
  one: Case;
  negatives: boolean;
  implied: string[];
  skipped: string[];
  /** Errors of the generators. */
  wrong: string[];
}

export interface Extent {
  values: number;
  negatives: number;
  seed: number;
  /** Whether every clause is tried, and its limits, in place of those of the file's own keyword. */
  all: boolean;
}

export function outcomesOf(extent: Extent): Outcome[] {
  return casesOfSuite().map((one) => outcomeOf(one, extent));
}

function outcomeOf(one: Case, { values, negatives, seed, all }: Extent): Outcome {
  const outcome: Outcome = { one, negatives: false, implied: [], skipped: [], wrong: [] };
  const { contract, pointer } = one;
  // `schemas.test.ts` shows that it agrees with every instance of the suite.
  const isValid = (value: unknown) => schemasOf(contract).isValid(pointer, value);
  /** Values of the wrong kind, as far as any are made. A construct that is not known is a reason, not an error. */
  const attempt = (make: () => void): void => {
    try {
      make();
    } catch (error) {
      if (!(error instanceof Unsupported || error instanceof GaveUp)) throw error;
      outcome.skipped.push(error.message);
    }
  };
  const expectAll = (valid: boolean, what: string, made: unknown[]) => {
    const wrong = made.find((value) => isValid(value) !== valid);
    if (wrong !== undefined) outcome.wrong.push(`${what}: ${JSON.stringify(wrong)}`);
  };
  attempt(() => {
    if (one.valid.length === 0) return;
    const made = fc.sample(validValues(contract, pointer), { numRuns: values, seed });
    expectAll(true, 'made as valid', made);
    if (distinct(made) === 1 && distinct(one.valid) > 1)
      outcome.wrong.push(`made as the only valid value: ${JSON.stringify(made[0])}`);
  });
  attempt(() => {
    const clauses = clausesOf(contract, pointer);
    const own = clauses.filter(({ keyword }) => keyword === (one.keyword === 'if-then-else' ? 'if' : one.keyword));
    const due = one.invalid.length === 0 ? [] : own.length > 0 ? own : clauses;
    if (one.invalid.length > 0 && due.length === 0) outcome.skipped.push('It has no clause.');
    const implied = new Map(impliedClauses(contract, pointer).map(({ clause, reason }) => [clause.id, reason]));
    for (const clause of all ? clauses : due)
      attempt(() => {
        const reason = implied.get(clause.id);
        if (reason !== undefined) outcome.implied.push(`${clause.id}: ${reason}`);
        const violations = violationsOfClause(contract, pointer, clause);
        if (violations.length > 0) outcome.negatives = true;
        else if (own.includes(clause) && due.includes(clause) && reason === undefined)
          outcome.skipped.push(`Nothing is found that breaks ${clause.id} alone.`);
        for (const { label, value } of violations)
          expectAll(false, `breaks ${clause.id} (${label})`, fc.sample(value, { numRuns: negatives, seed }));
        for (const { label, value } of all ? boundariesOfClause(contract, pointer, clause) : [])
          expectAll(true, `on the limit of ${clause.id} (${label})`, fc.sample(value, { numRuns: negatives, seed }));
      });
    const isBroken = outcome.negatives || outcome.implied.length > 0 || outcome.skipped.length > 0;
    if (due.length > 0 && !isBroken) outcome.skipped.push('Nothing is found that breaks one of its clauses.');
  });
  return outcome;
}

/** How many values differ in more than the order of their properties. */
function distinct(values: unknown[]): number {
  return new Set(values.map((value) => [...JSON.stringify(value)].toSorted().join(''))).size;
}

/** Cases of the suite that the generators should make and do not, with the reasons. */
export function missingIn(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ one, negatives, implied, skipped }) => {
    const reasons = skipped.length > 0 ? skipped : negatives ? [] : implied;
    return [...new Set(reasons)].map((reason) => `${one.description}: ${reason}`);
  });
}
