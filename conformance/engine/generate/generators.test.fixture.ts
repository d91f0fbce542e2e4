/**
 * Properties of every generated value, for all schemas and parameters of the contract and of a synthetic one. A light
 * test tries some clauses with few values, an e2e test all of them with many.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { impliedClauses, impliedParameterClauses, parameterClauses } from '../contract/implied.ts';
import { type Contract, loadContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { boundariesOfClause } from './boundaries.ts';
import { parameterBoundaries, parameterViolations } from './parameters.ts';
import { validValues } from './valid.ts';
import { proveBreaksOnly, violationsOfClause } from './violations.ts';

export interface Extent {
  /** Values of each generator. */
  samples: number;
  /** Failing runs of each generator, to see the values that shrinking meets. */
  shrinks: number;
  seed: number;
  hints: Hints;
  /** One clause out of this many is tried; every one by default. */
  clauseOneIn?: number;
  /** Shrinking takes long: it is watched for one generator out of this many. */
  shrunkOneIn: number;
}

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
  Object.keys(objectAt(document, `/components/${kind}`)).map((name) => `/components/${kind}/${name}`);

const bodies = new Set(operationsOf(contract).flatMap(({ requestBody }) => requestBody?.pointer ?? []));

export function testGenerators(extent: Extent): void {
  const { hints, samples, clauseOneIn = 1, shrunkOneIn, seed } = extent;
  const seen = <T>(arbitrary: fc.Arbitrary<T>): T[] => valuesSeen(arbitrary, extent);
  let made = seed;
  const sometimesShrunk = <T>(arbitrary: fc.Arbitrary<T>): T[] =>
    ++made % shrunkOneIn === 0 ? seen(arbitrary) : fc.sample(arbitrary, { numRuns: samples, seed });
  test.each([contract, SYNTHETIC].flatMap((source) => componentsOf(source).map((pointer) => ({ source, pointer }))))(
    'values of $pointer are valid',
    ({ source, pointer }) => {
      for (const value of seen(validValues(source, pointer, hints)))
        expect(schemasOf(source).validate(pointer, value), JSON.stringify(value)).toEqual([]);
    },
  );

  test.each([
    ...[...bodies].map((pointer) => ({ source: contract, pointer })),
    { source: SYNTHETIC, pointer: '/components/schemas/Everything' },
  ])('each clause of $pointer has values on its limits, and values that break it alone', ({ source, pointer }) => {
    const implied = new Set(impliedClauses(source, pointer).map(({ clause }) => clause.id));
    for (const clause of clausesOf(source, pointer).filter((_, index) => index % clauseOneIn === 0)) {
      for (const { label, value } of boundariesOfClause(source, pointer, hints, clause))
        for (const valid of sometimesShrunk(value))
          expect(schemasOf(source).validate(pointer, valid), `${clause.id}: ${label}`).toEqual([]);
      const violations = violationsOfClause(source, pointer, hints, clause);
      for (const { label, value } of violations) {
        const wrong = sometimesShrunk(value).find((broken) => !breaksOnly(source, pointer, clause, broken));
        if (wrong !== undefined) expect.fail(`${clause.id} (${label}): ${JSON.stringify(wrong)}`);
      }
      expect(violations.length > 0, clause.id).toBe(!implied.has(clause.id));
      expect(new Set(violations.map(({ label }) => label)).size, clause.id).toBe(violations.length);
    }
  });

  test.each(componentsOf(contract, 'parameters'))(
    'each clause of %s has texts that break it, and all texts can be in a URL',
    (pointer) => {
      const violations = parameterViolations(contract, pointer, hints);
      const known = [...violations, ...impliedParameterClauses(contract, pointer)].map(({ clause }) => clause.id);
      const all = parameterClauses(contract, pointer).map(({ id }) => id);
      expect([...new Set(known)].toSorted()).toEqual(all.toSorted());
      const inPath = objectAt(contract.document, pointer)['in'] === 'path';
      for (const text of [...violations, ...parameterBoundaries(contract, pointer, hints)].flatMap(({ value }) =>
        seen(value as fc.Arbitrary<string>),
      )) {
        const url = new URL(`http://a.example/${inPath ? '' : '?x='}${encodeURIComponent(text)}`);
        expect(inPath ? decodeURIComponent(url.pathname.slice(1)) : url.searchParams.get('x')).toBe(text);
        if (inPath) expect(text).not.toMatch(/^\.{0,2}$|\//);
      }
    },
  );
}

/** The proof in another way: by the errors themselves, apart from those that must come together. */
function breaksOnly(source: Contract, pointer: string, clause: Clause, value: unknown): boolean {
  if (!proveBreaksOnly(source, pointer, clause, value)) return false;
  const errors = schemasOf(source).validate(pointer, value);
  const isOwn = (error: (typeof errors)[number]) =>
    clause.keyword === 'if' ? error.path.length >= clause.path.length : error.pointer === clause.pointer;
  // A value of another type is not one of the listed values, either.
  const isChoice = ['enum', 'const'].includes(clause.keyword);
  const beside = isChoice ? ['type'] : ['minLength', 'maxLength', 'x-max-bytes', 'format'];
  return (
    errors.some(isOwn) && errors.every((error) => isOwn(error) || [...beside, clause.keyword].includes(error.keyword))
  );
}
