/** Properties of every generated value, for all schemas and parameters of the contract and of a synthetic one. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { reasonOf } from '../contract/implied.ts';
import { impliedParameterClauses, parameterClauses } from '../contract/parameter-clauses.ts';
import suite from '../contract/json-schema-suite.json' with { type: 'json' };
import { Unsupported } from '../contract/keywords.ts';
import { type Contract, loadContract, parseContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { boundariesOfClause } from './boundaries.ts';
import { proveBreaksOnly } from './proof.ts';
import { violationsOfClause } from './violations.ts';
import { exists, GaveUp } from './filter.ts';
import { parameterBoundaries, parameterViolations } from './parameters.ts';
import { validValues } from './valid.ts';

// Of each generator: samples, and failing runs to see what shrinking meets; of many, one out of so many: it takes long.
// Of the suite: valid values of each schema, and negatives of each label; all its clauses where `clauseOneIn` is 1.
const EXTENTS = {
  light: {
    samples: 5,
    shrinks: 1,
    shrunkOneIn: 5,
    clauseOneIn: 10,
    seed: 1,
    values: 8,
    negatives: 2,
  },
  whole: {
    samples: 10,
    shrinks: 4,
    shrunkOneIn: 25,
    clauseOneIn: 1,
    seed: 42,
    values: 100,
    negatives: 20,
  },
};

type Extent = (typeof EXTENTS)['light'];

/** Samples, and values that are met while shrinking, each run along a path of its own. */
function valuesSeen<T>(arbitrary: fc.Arbitrary<T>, { samples, shrinks, seed }: Extent): T[] {
  const values: T[] = [];
  for (let run = 1; run <= shrinks; run += 1) {
    let count = 0;
    // Passes now and then, so that the shrinker takes turns that a plain failure does not take.
    const property = fc.property(fc.limitShrink(arbitrary, 40), (value) => {
      values.push(value);
      count += 1;
      return count < 6 || (count * (run + 2)) % 5 === 0;
    });
    fc.check(property, { seed: seed + run, numRuns: 10 });
  }
  return [...values, ...fc.sample(arbitrary, { numRuns: samples, seed })];
}

const contract = loadContract();
const componentsOf = ({ document }: Contract, kind = 'schemas') =>
  Object.keys(objectAt(document, `/components/${kind}`)).map(
    (name) => `/components/${kind}/${name}`,
  );

const bodies = new Set(
  operationsOf(contract).flatMap(({ requestBody }) => requestBody?.pointer ?? []),
);

/** `light`: some clauses with few values. `whole`: all with many. */
export function testGenerators(name: keyof typeof EXTENTS, hints: Hints): void {
  const extent = EXTENTS[name];
  const { samples, clauseOneIn, shrunkOneIn, seed } = extent;
  const seen = <T>(arbitrary: fc.Arbitrary<T>): T[] => valuesSeen(arbitrary, extent);
  let made = seed;
  const sometimesShrunk = <T>(arbitrary: fc.Arbitrary<T>): T[] => {
    if (++made % shrunkOneIn === 0) {
      return seen(arbitrary);
    }
    return fc.sample(arbitrary, { numRuns: samples, seed });
  };
  const schemas = [contract, SYNTHETIC].flatMap((source) =>
    componentsOf(source).map((pointer) => ({ source, pointer })),
  );
  test.each(schemas)('values of $pointer are valid', ({ source, pointer }) => {
    for (const value of seen(validValues(source, pointer, hints))) {
      expect(schemasOf(source).validate(pointer, value), JSON.stringify(value)).toEqual([]);
    }
  });

  test.each([
    ...[...bodies].map((pointer) => ({ source: contract, pointer })),
    { source: SYNTHETIC, pointer: '/components/schemas/Everything' },
  ])(
    'each clause of $pointer has values on its limits, and values that break it alone',
    ({ source, pointer }) => {
      for (const clause of clausesOf(source, pointer).filter(
        (_, index) => index % clauseOneIn === 0,
      )) {
        for (const { label, value } of boundariesOfClause(source, pointer, hints, clause).filter(
          isThere,
        )) {
          for (const valid of sometimesShrunk(value)) {
            expect(schemasOf(source).validate(pointer, valid), `${clause.id}: ${label}`).toEqual(
              [],
            );
          }
        }
        const violations = violationsOfClause(source, pointer, hints, clause).filter(isThere);
        for (const { label, value } of violations) {
          const wrong = sometimesShrunk(value).find(
            (broken) => !breaksOnly(source, pointer, clause, broken),
          );
          if (wrong !== undefined) {
            expect.fail(`${clause.id} (${label}): ${JSON.stringify(wrong)}`);
          }
        }
        expect(violations.length > 0, clause.id).toBe(
          reasonOf(source, pointer, clause) === undefined,
        );
        expect(new Set(violations.map(({ label }) => label)).size, clause.id).toBe(
          violations.length,
        );
      }
    },
  );

  const parameters = componentsOf(contract, 'parameters');
  test.each(parameters)(
    'each clause of %s has texts that break it, and all texts can be in a URL',
    (pointer) => {
      const violations = parameterViolations(contract, pointer, hints);
      const known = [...violations, ...impliedParameterClauses(contract, pointer)].map(
        ({ clause }) => clause.id,
      );
      const all = parameterClauses(contract, pointer).map(({ id }) => id);
      expect([...new Set(known)].toSorted()).toEqual(all.toSorted());
      const inPath = objectAt(contract.document, pointer)['in'] === 'path';
      const cases = [...violations, ...parameterBoundaries(contract, pointer, hints)];
      for (const text of cases.flatMap(({ value }) => seen(value as fc.Arbitrary<string>))) {
        const url = new URL(`http://a.example/${inPath ? '' : '?x='}${encodeURIComponent(text)}`);
        expect(inPath ? decodeURIComponent(url.pathname.slice(1)) : url.searchParams.get('x')).toBe(
          text,
        );
        if (inPath) {
          expect(text).not.toMatch(/^\.{0,2}$|\//);
        }
      }
    },
  );

  // For each schema that has a valid instance, valid values are made; for each that has an invalid one, values that
  // break the keyword of its file.
  test('the schemas of the JSON-Schema-Test-Suite have valid values, and values that break each keyword alone', () => {
    expect(casesOfSuite().flatMap((one) => problemsOf(one, extent))).toEqual(KNOWN);
  });
}

const CASE = '/components/schemas/Case';
const isThere = ({ value }: { value: fc.Arbitrary<unknown> }) => exists(value);

type Case = ReturnType<typeof casesOfSuite>[number];

/** The JSON-Schema-Test-Suite (draft 2020-12, required). `keyword`: its file, called after a keyword or a subject. */
function casesOfSuite() {
  return Object.entries(suite.files).flatMap(([keyword, groups]) =>
    groups.map(({ description, schema, tests }) => {
      const components = { schemas: { Case: relocated(schema) } };
      const document = {
        openapi: '3.1.0',
        info: { title: 'One schema', version: '1.0.0' },
        paths: {},
        components,
      };
      return { keyword, description, tests, source: parseContract(JSON.stringify(document)) };
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
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, relocated(one, name)]),
  );
}

/** The proof in another way: by the errors themselves, apart from those that must come together. */
function breaksOnly(source: Contract, pointer: string, clause: Clause, value: unknown): boolean {
  if (!proveBreaksOnly(source, pointer, clause, value)) {
    return false;
  }
  const errors = schemasOf(source).validate(pointer, value);
  const isOwn = (error: (typeof errors)[number]) => {
    if (clause.keyword === 'if') {
      return error.path.length >= clause.path.length;
    }
    return error.pointer === clause.pointer;
  };
  // A value of another type is not one of the listed values, either.
  const isChoice = ['enum', 'const'].includes(clause.keyword);
  const beside = isChoice ? ['type'] : ['minLength', 'maxLength', 'x-max-bytes', 'format'];
  const isBeside = ({ keyword }: (typeof errors)[number]) =>
    [...beside, clause.keyword].includes(keyword);
  return errors.some(isOwn) && errors.every((error) => isOwn(error) || isBeside(error));
}

/** Why there are no values of some schemas. */
const KNOWN = [
  'empty enum: the schema at /components/schemas/Case cannot be compiled: enum must have non-empty array',
  'minContains=1 with contains: minContains: contains alone requires one.',
  'minContains = 0 with maxContains: minContains: No value has fewer than 0.',
  'properties whose names are Javascript object property names: ' +
    'a property named __proto__ at /components/schemas/Case is not one that Ajv checks',
  'unevaluatedItems with items: unevaluatedItems: items beside it applies to all others.',
];

/** Values of the wrong kind, and the reasons why there are none where some are due. */
function problemsOf(one: Case, { values, negatives, seed, clauseOneIn }: Extent): string[] {
  const all = clauseOneIn === 1;
  const { source, keyword, tests } = one;
  const valid = tests.filter((each) => each.valid);
  const invalid = tests.filter((each) => !each.valid);
  const problems = new Set<string>();
  /** A construct that is not known is a reason, not an error. */
  const attempt = (make: () => void): void => {
    try {
      make();
    } catch (error) {
      if (!(error instanceof Unsupported || error instanceof GaveUp)) {
        throw error;
      }
      problems.add(error.message);
    }
  };
  const sampled = (
    what: string,
    isValid: boolean,
    arbitrary: fc.Arbitrary<unknown>,
    numRuns: number,
  ) => {
    const made = fc.sample(arbitrary, { numRuns, seed });
    const wrong = made.find((value) => schemasOf(source).isValid(CASE, value) !== isValid);
    if (wrong !== undefined) {
      problems.add(`${what}: ${JSON.stringify(wrong)}`);
    }
    return made;
  };
  attempt(() => {
    const { isValid } = schemasOf(source);
    const misjudged = tests.filter(({ data, valid: is }) => isValid(CASE, data) !== is);
    for (const { data } of misjudged) {
      problems.add(`The validator is wrong about ${JSON.stringify(data)}.`);
    }
    if (valid.length === 0) {
      return;
    }
    const made = sampled('made as valid', true, validValues(source, CASE), values);
    if (distinct(made) === 1 && distinct(valid.map(({ data }) => data)) > 1) {
      problems.add(`made as the only valid value: ${JSON.stringify(made[0])}`);
    }
  });
  attempt(() => {
    const clauses = clausesOf(source, CASE);
    const own = clauses.filter(
      (clause) => clause.keyword === (keyword === 'if-then-else' ? 'if' : keyword),
    );
    const due = invalid.length === 0 ? [] : own.length > 0 ? own : clauses;
    let isBroken = false;
    for (const clause of all ? clauses : due) {
      attempt(() => {
        const { id } = clause;
        const violations = violationsOfClause(source, CASE, undefined, clause).filter(isThere);
        for (const { label, value } of violations) {
          sampled(`breaks ${id} (${label})`, false, value, negatives);
        }
        for (const { label, value } of all
          ? boundariesOfClause(source, CASE, undefined, clause).filter(isThere)
          : []) {
          sampled(`on the limit of ${id} (${label})`, true, value, negatives);
        }
        if (due.includes(clause) && violations.length > 0) {
          isBroken = true;
        } else if (
          due.includes(clause) &&
          own.includes(clause) &&
          reasonOf(source, CASE, clause) === undefined
        ) {
          problems.add(`Nothing is found that breaks ${id} alone.`);
        }
      });
    }
    if (invalid.length === 0 || isBroken || problems.size > 0) {
      return;
    }
    for (const clause of due) {
      problems.add(
        `${clause.id}: ${reasonOf(source, CASE, clause) ?? 'Nothing is found that breaks it alone.'}`,
      );
    }
    if (due.length === 0) {
      problems.add('It has no clause.');
    }
  });
  return [...problems].map((problem) => `${one.description}: ${problem}`);
}

/** How many values differ in more than the order of their properties. */
function distinct(values: unknown[]): number {
  return new Set(values.map((value) => [...JSON.stringify(value)].toSorted().join(''))).size;
}
