/** What mutants are made. `.ci/steps/seeds` and `../contracts` show that the suite finds them. */
import { expect, it } from 'vitest';
import { bedOf } from '../test-bed.ts';
import { mutantsOf, OPERATORS, sampleOf } from './mutants.ts';
import { subjectOf } from './operator.ts';

const bed = bedOf();
const { contract } = bed;
const mutants = mutantsOf(contract);

it('mutants have ids of their own, and none has that of a requirement', () => {
  const ids = mutants.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => bed.requirements.includes(id))).toEqual([]);
});

it('mutants come from each operator, for each operation', () => {
  const made = new Set(mutants.map(({ operator }) => operator));
  expect(Object.keys(OPERATORS).filter((name) => !made.has(name))).toEqual([]);
  const { operations } = subjectOf(contract);
  const broken = new Set(mutants.map(({ at }) => at.split('/')[0]));
  expect(operations.map(({ operationId }) => operationId).filter((id) => !broken.has(id))).toEqual(
    [],
  );
});

it('mutants are sampled by the seed, one of each operator first', () => {
  const ids = (count: number, seed: number) => sampleOf(mutants, count, seed).map(({ id }) => id);
  expect(ids(40, 7)).toEqual(ids(80, 7).slice(0, 40));
  expect(ids(40, 7)).not.toEqual(ids(40, 8));
  const first = sampleOf(mutants, Object.keys(OPERATORS).length, 7).map(({ operator }) => operator);
  expect(new Set(first).size).toBe(first.length);
});
