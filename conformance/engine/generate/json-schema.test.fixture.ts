/**
 * The schemas of the JSON-Schema-Test-Suite through the generators. For each that has a valid instance, valid values are
 * made; for each that has an invalid one, values that break the keyword of its file.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf } from '../contract/clauses.ts';
import { impliedClauses } from '../contract/implied.ts';
import { casesOfSuite, type Case } from '../contract/json-schema-suite.test.fixture.ts';
import { Unsupported } from '../contract/keywords.ts';
import { schemasOf } from '../contract/schemas.ts';
import { boundariesOfClause } from './boundaries.ts';
import { GaveUp } from './filter.ts';
import { validValues } from './valid.ts';
import { violationsOfClause } from './violations.ts';

export interface Extent {
  values: number;
  negatives: number;
  seed: number;
  /** Whether every clause is tried, and its limits, in place of those of the file's own keyword. */
  all: boolean;
}

/** Why there are no values of some schemas. */
const KNOWN = [
  'empty enum: the schema at /components/schemas/Case cannot be compiled: enum must have non-empty array',
  'minContains=1 with contains: minContains: One is what contains asks for by itself.',
  'minContains = 0 with maxContains: minContains: Nothing has fewer than none.',
  'properties whose names are Javascript object property names: ' +
    'a property named __proto__ at /components/schemas/Case is not one that Ajv checks',
  'unevaluatedItems with items: unevaluatedItems: items beside it binds every item.',
];

export function testJsonSchemaSuite(extent: Extent): void {
  test('the schemas of the suite have valid values, and values that break each keyword alone', () => {
    const problems = casesOfSuite().flatMap((one) =>
      [...problemsOf(one, extent)].map((problem) => `${one.description}: ${problem}`),
    );
    expect(problems).toEqual(KNOWN);
  });
}

/** Values of the wrong kind, and the reasons why there are none where some are due. */
function problemsOf(one: Case, { values, negatives, seed, all }: Extent): Set<string> {
  const { contract, pointer, keyword, valid, invalid } = one;
  const problems = new Set<string>();
  /** A construct that is not known is a reason, not an error. */
  const attempt = (make: () => void): void => {
    try {
      make();
    } catch (error) {
      if (!(error instanceof Unsupported || error instanceof GaveUp)) throw error;
      problems.add(error.message);
    }
  };
  const sampled = (what: string, isValid: boolean, arbitrary: fc.Arbitrary<unknown>, numRuns: number) => {
    const made = fc.sample(arbitrary, { numRuns, seed });
    // `schemas.test.ts` shows that the validator agrees with every instance of the suite.
    const wrong = made.find((value) => schemasOf(contract).isValid(pointer, value) !== isValid);
    if (wrong !== undefined) problems.add(`${what}: ${JSON.stringify(wrong)}`);
    return made;
  };
  attempt(() => {
    if (valid.length === 0) return;
    const made = sampled('made as valid', true, validValues(contract, pointer), values);
    if (distinct(made) === 1 && distinct(valid) > 1)
      problems.add(`made as the only valid value: ${JSON.stringify(made[0])}`);
  });
  attempt(() => {
    const clauses = clausesOf(contract, pointer);
    const own = clauses.filter((clause) => clause.keyword === (keyword === 'if-then-else' ? 'if' : keyword));
    const due = invalid.length === 0 ? [] : own.length > 0 ? own : clauses;
    const implied = new Map(impliedClauses(contract, pointer).map(({ clause, reason }) => [clause.id, reason]));
    let isBroken = false;
    for (const clause of all ? clauses : due)
      attempt(() => {
        const { id } = clause;
        const violations = violationsOfClause(contract, pointer, undefined, clause);
        for (const { label, value } of violations) sampled(`breaks ${id} (${label})`, false, value, negatives);
        for (const { label, value } of all ? boundariesOfClause(contract, pointer, undefined, clause) : [])
          sampled(`on the limit of ${id} (${label})`, true, value, negatives);
        if (due.includes(clause) && violations.length > 0) isBroken = true;
        else if (due.includes(clause) && own.includes(clause) && !implied.has(id))
          problems.add(`Nothing is found that breaks ${id} alone.`);
      });
    if (invalid.length === 0 || isBroken || problems.size > 0) return;
    for (const { id } of due) problems.add(`${id}: ${implied.get(id) ?? 'Nothing is found that breaks it alone.'}`);
    if (due.length === 0) problems.add('It has no clause.');
  });
  return problems;
}

/** How many values differ in more than the order of their properties. */
function distinct(values: unknown[]): number {
  return new Set(values.map((value) => [...JSON.stringify(value)].toSorted().join(''))).size;
}
