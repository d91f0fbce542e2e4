/**
 * The JSON-Schema-Test-Suite (draft 2020-12, required): for each schema that has a valid instance,
 * valid values are made; for each that has an invalid one, values that break the keyword of its
 * file.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { reasonOf } from '../contract/implied.ts';
import suite from '../contract/json-schema-suite.json' with { type: 'json' };
import { stringifyJson } from '../contract/json-numbers.ts';
import { Unsupported } from '../contract/keywords.ts';
import { type Contract, parseContract } from '../contract/load.ts';
import { schemasOf } from '../contract/schemas.ts';
import { boundariesOfClause } from './boundaries.ts';
import { GaveUp } from './filter.ts';
import { isThere } from './generators.test.fixture.ts';
import { validValues } from './valid.ts';
import { violationsOfClause } from './violations.ts';

/** The extent of the tests. */
export interface SuiteExtent {
  seed: number;
  /** Valid values of each schema. */
  values: number;
  /** Values of each case of a clause. */
  negatives: number;
  /**
   * Whether all clauses are tried, with their boundaries, or only violations of those of the
   * keyword of the file.
   */
  allClauses: boolean;
}

/** The schemas for which some values are not made, with the reasons. */
const NOT_MADE = [
  'minContains=1 with contains: minContains: contains alone requires one.',
  'minContains = 0 with maxContains: minContains: No value has fewer than 0.',
  'unevaluatedItems with items: unevaluatedItems: items beside it applies to all others.',
];

export function testSuite(extent: SuiteExtent): void {
  test('schemas of the suite have valid values, and values that break each keyword', () => {
    expect(casesOfSuite().flatMap((one) => problemsOf(one, extent))).toEqual(NOT_MADE);
  });
}

const CASE = '/components/schemas/Case';

/** An instance of the suite. */
interface SuiteTest {
  data: unknown;
  valid: boolean;
}

interface SuiteCase {
  /** The name of the file: a keyword, or a subject. */
  keyword: string;
  description: string;
  tests: readonly SuiteTest[];
  /** A contract with the schema at `CASE`. */
  contract: Contract;
}

function casesOfSuite(): SuiteCase[] {
  return Object.entries(suite.files).flatMap(([keyword, groups]) =>
    groups.map(({ description, schema, tests }) => {
      const document = {
        openapi: '3.1.0',
        info: { title: 'One schema', version: '1.0.0' },
        paths: {},
        components: { schemas: { Case: relocated(schema) } },
      };
      return { keyword, description, tests, contract: parseContract(JSON.stringify(document)) };
    }),
  );
}

/** The schema with references to its place in the contract. */
function relocated(value: unknown, key = ''): unknown {
  if (key === '$ref' && typeof value === 'string') {
    return value.replace('#', `#${CASE}`);
  }
  if (key === 'enum' || typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => relocated(item));
  }
  const members = Object.entries(value).map(([name, one]) => [name, relocated(one, name)] as const);
  return Object.fromEntries(members);
}

/** Values that are wrongly valid or invalid, and the reasons for missing values. */
function problemsOf(one: SuiteCase, extent: SuiteExtent): string[] {
  const problems = new Problems();
  problems.attempt(() => tryValues(one, extent, problems));
  problems.attempt(() => tryClauses(one, extent, problems));
  return [...problems.found].map((problem) => `${one.description}: ${problem}`);
}

class Problems {
  readonly found = new Set<string>();

  /** A construct that is not known is a reason, not an error. */
  attempt(make: () => void): void {
    try {
      make();
    } catch (error) {
      if (!(error instanceof Unsupported || error instanceof GaveUp)) {
        throw error;
      }
      this.found.add(error.message);
    }
  }

  /** Notes a value that is not as valid, or invalid, as it should be. */
  check(values: readonly unknown[], contract: Contract, isValid: boolean, what: string): void {
    const wrong = values.find((value) => schemasOf(contract).isValid(CASE, value) !== isValid);
    if (wrong !== undefined) {
      this.found.add(`${what}: ${stringifyJson(wrong)}`);
    }
  }
}

function tryValues(
  { tests, contract }: SuiteCase,
  { seed, values }: SuiteExtent,
  problems: Problems,
): void {
  for (const { data, valid } of tests) {
    if (schemasOf(contract).isValid(CASE, data) !== valid) {
      problems.found.add(`The validator is wrong about ${stringifyJson(data)}.`);
    }
  }
  const valid = tests.filter((each) => each.valid).map(({ data }) => data);
  if (valid.length === 0) {
    return;
  }
  const made = fc.sample(validValues(contract, CASE), { numRuns: values, seed });
  problems.check(made, contract, true, 'made as valid');
  if (countDistinct(made) === 1 && countDistinct(valid) > 1) {
    problems.found.add(`made as the only valid value: ${stringifyJson(made[0])}`);
  }
}

function tryClauses(one: SuiteCase, extent: SuiteExtent, problems: Problems): void {
  const { contract, keyword, tests } = one;
  const clauses = clausesOf(contract, CASE);
  const named = keyword === 'if-then-else' ? 'if' : keyword;
  const own = clauses.filter((clause) => clause.keyword === named);
  const hasInvalid = tests.some(({ valid }) => !valid);
  if (!hasInvalid && !extent.allClauses) {
    return;
  }
  const toBreak = own.length > 0 ? own : clauses;
  const broken = new Set<Clause>();
  for (const clause of extent.allClauses ? clauses : toBreak) {
    problems.attempt(() => {
      if (tryClause(one, clause, extent, problems)) {
        broken.add(clause);
      } else if (hasInvalid && own.includes(clause) && !isImplied(contract, clause)) {
        problems.found.add(`Nothing is found that breaks ${clause.id} alone.`);
      }
    });
  }
  const isBroken = toBreak.some((clause) => broken.has(clause));
  if (!hasInvalid || isBroken || problems.found.size > 0) {
    return;
  }
  for (const clause of toBreak) {
    const reason = reasonOf(contract, CASE, clause) ?? 'Nothing is found that breaks it alone.';
    problems.found.add(`${clause.id}: ${reason}`);
  }
  if (toBreak.length === 0) {
    problems.found.add('It has no clause.');
  }
}

const isImplied = (contract: Contract, clause: Clause): boolean =>
  reasonOf(contract, CASE, clause) !== undefined;

/** Whether there are values that break the clause. */
function tryClause(
  { contract }: SuiteCase,
  clause: Clause,
  { seed, negatives, allClauses }: SuiteExtent,
  problems: Problems,
): boolean {
  const options = { numRuns: negatives, seed };
  const violations = violationsOfClause(contract, CASE, undefined, clause).filter(isThere);
  for (const { label, value } of violations) {
    const made = fc.sample(value, options);
    problems.check(made, contract, false, `breaks ${clause.id} (${label})`);
  }
  if (allClauses) {
    const boundaries = boundariesOfClause(contract, CASE, undefined, clause).filter(isThere);
    for (const { label, value } of boundaries) {
      const made = fc.sample(value, options);
      problems.check(made, contract, true, `on the limit of ${clause.id} (${label})`);
    }
  }
  return violations.length > 0;
}

/** The number of values that differ in more than the order of their properties. */
function countDistinct(values: readonly unknown[]): number {
  const sorted = values.map((value) => [...stringifyJson(value)].toSorted().join(''));
  return new Set(sorted).size;
}
