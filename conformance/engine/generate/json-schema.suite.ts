/**
 * The schemas of the JSON-Schema-Test-Suite through the generators. For each that has a valid instance, valid values are
 * made; for each that has an invalid one, values that break the keyword its file is about. What cannot be made is
 * counted, with its reason, in a table.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { impliedClauses } from '../contract/implied.ts';
import { casesOfSuite, contractOf, type Case } from '../contract/json-schema-suite.test.fixture.ts';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { Unsupported } from '../contract/unsupported.ts';
import { boundariesOfClause } from './boundaries.ts';
import { GaveUp, validValues } from './valid.ts';
import { violationsOfClause } from './violations.ts';

/** `implied`: the reasons why no value breaks a clause alone. `skipped`: why nothing was made where something is due. */
export interface Outcome {
  one: Case;
  values: boolean;
  negatives: boolean;
  implied: string[];
  skipped: string[];
  /** What the generators got wrong. */
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
  return casesOfSuite()
    .filter(({ foreign }) => foreign === undefined)
    .map((one) => outcomeOf(one, extent));
}

function outcomeOf(one: Case, extent: Extent): Outcome {
  const outcome: Outcome = { one, values: false, negatives: false, implied: [], skipped: [], wrong: [] };
  const { contract, pointer } = contractOf(one);
  /** A construct that is not known, and values that are not found, are a reason; anything else is an error. */
  const attempt = (make: () => void): void => {
    try {
      make();
    } catch (error) {
      if (!(error instanceof Unsupported || error instanceof GaveUp)) throw error;
      outcome.skipped.push(error.message);
    }
  };
  attempt(() => {
    const isValid = independentOf(one) ?? ((value: unknown) => schemasOf(contract).isValid(pointer, value));
    if (one.valid.length > 0) attempt(() => tryValues(outcome, contract, pointer, isValid, extent));
    const clauses = clausesOf(contract, pointer);
    const own = clauses.filter(({ keyword }) => keyword === keywordOf(one));
    const due = one.invalid.length === 0 ? [] : own.length > 0 ? own : clauses;
    if (one.invalid.length > 0 && due.length === 0) outcome.skipped.push('It has no clause.');
    for (const clause of extent.all ? clauses : due)
      attempt(() =>
        tryClause(outcome, contract, pointer, clause, isValid, extent, due.includes(clause) && own.includes(clause)),
      );
    const isBroken = outcome.negatives || outcome.implied.length > 0 || outcome.skipped.length > 0;
    if (due.length > 0 && !isBroken) outcome.skipped.push('Nothing is found that breaks one of its clauses.');
  });
  return outcome;
}

function keywordOf({ keyword }: Case): string {
  return keyword === 'if-then-else' ? 'if' : keyword;
}

/** Another validator than that of the suite, where it says of all instances what is expected. */
function independentOf({ schema, valid, invalid }: Case): ((value: unknown) => boolean) | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, validateSchema: false });
  try {
    const validate = ajv.compile(schema as object);
    return valid.every((value) => validate(value)) && !invalid.some((value) => validate(value)) ? validate : undefined;
  } catch {
    return undefined;
  }
}

function tryValues(
  outcome: Outcome,
  contract: Contract,
  pointer: string,
  isValid: (value: unknown) => boolean,
  extent: Extent,
): void {
  const made = fc.sample(validValues(contract, pointer), { numRuns: extent.values, seed: extent.seed });
  outcome.values = true;
  const wrong = made.filter((value) => !isValid(value));
  outcome.wrong.push(...wrong.map((value) => `made as valid: ${JSON.stringify(value)}`));
  if (distinct(made) === 1 && distinct(outcome.one.valid) > 1)
    outcome.wrong.push(`made as the only valid value: ${JSON.stringify(made[0])}`);
}

function tryClause(
  outcome: Outcome,
  contract: Contract,
  pointer: string,
  clause: Clause,
  isValid: (value: unknown) => boolean,
  extent: Extent,
  isDue: boolean,
): void {
  const violations = violationsOfClause(contract, pointer, clause);
  const implied = impliedClauses(contract, pointer).find((other) => other.clause.id === clause.id);
  if (implied) outcome.implied.push(`${clause.id}: ${implied.reason}`);
  if (violations.length > 0) outcome.negatives = true;
  else if (isDue && !implied) outcome.skipped.push(`Nothing is found that breaks ${clause.id} alone.`);
  for (const { label, value } of violations) {
    const wrong = fc.sample(value, { numRuns: extent.negatives, seed: extent.seed }).find(isValid);
    if (wrong !== undefined) outcome.wrong.push(`breaks ${clause.id} (${label}): ${JSON.stringify(wrong)}`);
  }
  for (const { label, value } of extent.all ? boundariesOfClause(contract, pointer, clause) : []) {
    const wrong = fc.sample(value, { numRuns: extent.negatives, seed: extent.seed }).find((one) => !isValid(one));
    if (wrong !== undefined) outcome.wrong.push(`on the limit of ${clause.id} (${label}): ${JSON.stringify(wrong)}`);
  }
}

function distinct(values: unknown[]): number {
  return new Set(values.map((value) => JSON.stringify(sorted(value)))).size;
}

/** Objects with their properties in order: in whatever order they stand, they are the same. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

/** What the generators make of the suite, by keyword. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const cases = casesOfSuite();
  const foreign = cases.filter((one) => one.foreign !== undefined);
  const row = (keyword: string, own: readonly Outcome[]): string => {
    const count = (test: (outcome: Outcome) => boolean): number => own.filter(test).length;
    const valid = `${count(({ values }) => values)} of ${count(({ one }) => one.valid.length > 0)}`;
    const invalid = `${count(({ negatives }) => negatives)} of ${count(({ one }) => one.invalid.length > 0)}`;
    const skipped = count((one) => one.skipped.length > 0);
    return `| ${keyword} | ${own.length} | ${valid} | ${invalid} | ${count(isImplied)} | ${skipped} |`;
  };
  const keywords = [...new Set(outcomes.map(({ one }) => one.keyword))];
  const skipped = outcomes.filter((one) => one.skipped.length > 0);
  const share = ((100 * skipped.length) / outcomes.length).toFixed(1);
  const reasons = [...new Set(foreign.map((one) => one.foreign!))];
  return `# What the generators make of the JSON-Schema-Test-Suite

Draft 2020-12, without the optional folder; written by
\`npx vitest run --project unit conformance/engine/generate/json-schema.test.ts -u\`.

- **valid values**: schemas for which values were made, of those that have a valid instance.
- **negatives**: schemas for which values were made that break one clause alone (of the keyword, where it has clauses of
  its own), of those that have an invalid instance.
- **not alone**: nothing breaks the keyword alone, for a reason that follows from the schema.
- **skipped**: something is due that was not made.

Skipped are ${skipped.length} of ${outcomes.length} schemas (${share} %).

| keyword | schemas | valid values | negatives | not alone | skipped |
| --- | --: | --: | --: | --: | --: |
${keywords
  .map((keyword) =>
    row(
      keyword,
      outcomes.filter(({ one }) => one.keyword === keyword),
    ),
  )
  .join('\n')}
${row('all', outcomes)}

## Skipped

${skipped.map(({ one, skipped: why }) => `- ${one.keyword}, ${one.description}: ${[...new Set(why)].join('; ')}`).join('\n')}

## Not alone

${outcomes
  .filter(isImplied)
  .map(({ one, implied }) => `- ${one.keyword}, ${one.description}: ${implied.join(' ')}`)
  .join('\n')}

## Left out

${foreign.length} schemas of the suite are none that a contract holds:

${reasons.map((reason) => `- ${foreign.filter((one) => one.foreign === reason).length}: ${reason}`).join('\n')}
`;
}

function isImplied({ negatives, implied, skipped }: Outcome): boolean {
  return !negatives && implied.length > 0 && skipped.length === 0;
}
