/** Tests of every generated value, for schemas and parameters of a contract. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { reasonOf } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { impliedParameterClauses, parameterClauses } from '../contract/parameter-clauses.ts';
import { objectAt } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import { boundariesOfClause } from './boundaries.ts';
import type { ClauseCase } from './build.ts';
import { exists } from './filter.ts';
import { parameterBoundaries, parameterViolations } from './parameters.ts';
import { proveBreaksOnly } from './proof.ts';
import { validValues } from './valid.ts';
import { violationsOfClause } from './violations.ts';

/** The extent of the tests. */
export interface Extent {
  seed: number;
  /** Values of each generator. */
  samples: number;
  /** Failing runs of a generator, to see the values that shrinking meets. */
  shrinks: number;
  /** One generator of a clause in so many has failing runs, which take long. */
  shrunkOneIn: number;
  /** One clause in so many is tried. */
  clauseOneIn: number;
}

/** Some clauses with few values. */
export const LIGHT: Extent = {
  seed: 1,
  samples: 5,
  shrinks: 1,
  shrunkOneIn: 5,
  clauseOneIn: 10,
};

/** All clauses with many values. */
export const WHOLE: Extent = {
  seed: 42,
  samples: 10,
  shrinks: 4,
  shrunkOneIn: 25,
  clauseOneIn: 1,
};

export interface Subject {
  contract: Contract;
  hints?: Hints;
  extent: Extent;
}

/** The pointers of all components of a kind, such as `schemas`. */
export function componentsOf({ document }: Contract, kind: string): string[] {
  const names = Object.keys(objectAt(document, `/components/${kind}`));
  return names.map((name) => `/components/${kind}/${name}`);
}

/** Tests that values of these schemas are valid. */
export function testValues({ contract, hints, extent }: Subject, pointers: readonly string[]) {
  test.each(pointers)('values of %s are valid', (pointer) => {
    for (const value of valuesSeen(validValues(contract, pointer, hints), extent)) {
      expect(schemasOf(contract).validate(pointer, value), JSON.stringify(value)).toEqual([]);
    }
  });
}

/** Tests the boundaries and violations of the clauses of these schemas. */
export function testClauses(subject: Subject, pointers: readonly string[]) {
  const { contract, hints, extent } = subject;
  const seen = sometimesShrunk(extent);
  test.each(pointers)(
    'each clause of %s has values on its limits, and values that break it alone',
    (pointer) => {
      const clauses = clausesOf(contract, pointer).filter(
        (_, index) => index % extent.clauseOneIn === 0,
      );
      for (const clause of clauses) {
        const boundaries = boundariesOfClause(contract, pointer, hints, clause).filter(isThere);
        for (const { label, value } of boundaries) {
          const errors = seen(value).flatMap((one) => schemasOf(contract).validate(pointer, one));
          expect(errors, `${clause.id}: ${label}`).toEqual([]);
        }
        const violations = violationsOfClause(contract, pointer, hints, clause).filter(isThere);
        for (const { label, value } of violations) {
          const wrong = seen(value).find((one) => !breaksOnly(contract, pointer, clause, one));
          expect(JSON.stringify(wrong), `${clause.id}: ${label}`).toBe(undefined);
        }
        const isImplied = reasonOf(contract, pointer, clause) !== undefined;
        expect(violations.length === 0, clause.id).toBe(isImplied);
        const labels = violations.map(({ label }) => label);
        expect(new Set(labels).size, clause.id).toBe(labels.length);
      }
    },
  );
}

/** Tests the texts of these parameters. */
export function testParameters({ contract, hints, extent }: Subject, pointers: readonly string[]) {
  test.each(pointers)(
    'each clause of %s has texts that break it, and all texts can be in a URL',
    (pointer) => {
      const violations = parameterViolations(contract, pointer, hints);
      const implied = impliedParameterClauses(contract, pointer);
      const known = new Set([...violations, ...implied].map(({ clause }) => clause.id));
      const all = parameterClauses(contract, pointer).map(({ id }) => id);
      expect([...known].toSorted()).toEqual(all.toSorted());
      const isInPath = objectAt(contract.document, pointer)['in'] === 'path';
      for (const { value } of [...violations, ...parameterBoundaries(contract, pointer, hints)]) {
        for (const text of valuesSeen(value, extent)) {
          expect(readFromUrl(text, isInPath)).toBe(text);
        }
      }
    },
  );
}

/** The text as a service reads it from a URL; undefined if it would make another path. */
function readFromUrl(text: unknown, isInPath: boolean): string | null | undefined {
  const encoded = encodeURIComponent(String(text));
  if (!isInPath) {
    return new URL(`http://a.example/?x=${encoded}`).searchParams.get('x');
  }
  const { pathname } = new URL(`http://a.example/${encoded}`);
  const read = decodeURIComponent(pathname.slice(1));
  return /^\.{0,2}$|\//.test(read) ? undefined : read;
}

export const isThere = ({ value }: ClauseCase): boolean => exists(value);

/** Samples, and values that are met while shrinking, each run along another path. */
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

/** Values of generators, for one generator in some with those that are met while shrinking. */
function sometimesShrunk(extent: Extent): <T>(arbitrary: fc.Arbitrary<T>) => T[] {
  const { seed, samples, shrunkOneIn } = extent;
  let made = seed;
  return (arbitrary) => {
    made += 1;
    if (made % shrunkOneIn === 0) {
      return valuesSeen(arbitrary, extent);
    }
    return fc.sample(arbitrary, { numRuns: samples, seed });
  };
}

/** Keywords whose errors may come with that of another one. */
const MAY_COME_ALONG = ['minLength', 'maxLength', 'x-max-bytes', 'format'];

/** The proof in another way: by the errors themselves, apart from those that must come together. */
function breaksOnly(contract: Contract, pointer: string, clause: Clause, value: unknown): boolean {
  if (!proveBreaksOnly(contract, pointer, clause, value)) {
    return false;
  }
  const errors = schemasOf(contract).validate(pointer, value);
  const isOwn = (error: SchemaError) => {
    if (clause.keyword === 'if') {
      return error.path.length >= clause.path.length;
    }
    return error.pointer === clause.pointer;
  };
  // A value of another type is not one of the listed values, either.
  const isChoice = ['enum', 'const'].includes(clause.keyword);
  const beside = isChoice ? ['type', clause.keyword] : [...MAY_COME_ALONG, clause.keyword];
  const isBeside = ({ keyword }: SchemaError) => beside.includes(keyword);
  return errors.some(isOwn) && errors.every((error) => isOwn(error) || isBeside(error));
}
