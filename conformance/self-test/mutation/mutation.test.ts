/**
 * The mutants that are made of a contract. `.ci/steps/seeds` and `../contracts` show that the suite
 * kills them.
 */
import { expect, it } from 'vitest';
import { matches } from '../../engine/run/id-patterns.ts';
import { KINDS_OF_CHECK } from '../kinds-of-check.ts';
import { bedOf } from '../test-bed.ts';
import { mutantsOf, OPERATORS, sampleOf } from './mutants.ts';
import { subjectOf } from './subject.ts';

const bed = bedOf();
const { contract } = bed;
const mutants = mutantsOf(contract);

it('no two mutants share an id, and no mutant has the id of a requirement', () => {
  const ids = mutants.map(({ id }) => id);
  const sorted = ids.toSorted();
  expect(sorted.filter((id, index) => id === sorted[index - 1])).toEqual([]);
  expect(ids.filter((id) => bed.requirements.includes(id))).toEqual([]);
});

it('each operator makes mutants, and each operation has some', () => {
  const fruitful = new Set(mutants.map(({ operator }) => operator));
  expect(Object.keys(OPERATORS).filter((name) => !fruitful.has(name))).toEqual([]);

  const operationIds = subjectOf(contract).operations.map(({ operationId }) => operationId);
  const broken = new Set(mutants.map(({ at }) => at.split('/')[0]));
  expect(operationIds.filter((id) => !broken.has(id))).toEqual([]);
});

it('a sample depends on the seed alone, and has one mutant of each operator first', () => {
  const ids = (count: number, seed: number) => sampleOf(mutants, count, seed).map(({ id }) => id);
  expect(ids(40, 7)).toEqual(ids(80, 7).slice(0, 40));
  expect(ids(40, 7)).not.toEqual(ids(40, 8));
  const first = sampleOf(mutants, Object.keys(OPERATORS).length, 7).map(({ operator }) => operator);
  expect(new Set(first).size).toBe(first.length);
});

it.each(KINDS_OF_CHECK)('the requirements and operators of "$name" exist', (kind) => {
  const isUnknown = (pattern: string) => !bed.requirements.some((id) => matches(pattern, id));
  expect(kind.requirements.filter(isUnknown)).toEqual([]);
  expect(kind.operators.filter((name) => !(name in OPERATORS))).toEqual([]);
});
