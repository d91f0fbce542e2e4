import { describe, expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { requirementsOf } from '../api/index.ts';
import { OPERATIONS } from './mutate/operation.ts';
import { mutantsFor } from './mutants.ts';
import { handWritten } from './mutants/index.ts';
import { testSample } from './mutants.suite.ts';
import { OPERATORS, operatorMutants } from './operators/index.ts';
import { sampleOf } from './sample.ts';

const contract = loadContract();
const mutants = mutantsFor(contract);

describe('mutants', () => {
  it('have ids of their own', () => {
    const ids = mutants.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('have their operator or group in their id, and are described in one sentence', () => {
    for (const { id, group, description } of mutants) {
      expect(id.startsWith(`${group}/`), id).toBe(true);
      expect(description, id).toMatch(/^\S.+\S\.$/);
    }
  });

  it('name no requirement', () => {
    const requirements = new Set(requirementsOf(contract).map(({ id }) => id));
    for (const mutant of mutants)
      expect(
        Object.values(mutant).filter((value) => typeof value === 'string' && requirements.has(value)),
        mutant.id,
      ).toEqual([]);
  });

  it('are written by hand where no operator makes them, and those are few', () => {
    expect(handWritten.length).toBeLessThanOrEqual(250);
  });
});

describe('operators', () => {
  const made = operatorMutants(contract);

  it('make mutants of this contract, each of them', () => {
    const groups = new Set(made.map(({ group }) => group));
    expect(OPERATORS.map(({ name }) => name).filter((name) => !groups.has(name))).toEqual([]);
  });

  it('break each operation of the contract', () => {
    const operations = operationsOf(contract).map(({ operationId }) => operationId);
    expect(OPERATIONS.toSorted()).toEqual(operations.toSorted());
    const broken = new Set(made.map(({ id }) => id.split('/')[1]));
    expect(operations.filter((operation) => !broken.has(operation))).toEqual([]);
  });
});

describe('a sample', () => {
  const ids = (count: number, seed: number) => sampleOf(mutants, count, seed).map(({ id }) => id);

  it('is the same for the same seed, another one for another seed, and holds each mutant once', () => {
    expect(ids(25, 7)).toEqual(ids(25, 7));
    expect(ids(25, 7)).not.toEqual(ids(25, 8));
    expect(new Set(ids(Infinity, 7)).size).toBe(mutants.length);
  });

  it('is the beginning of a larger one', () => {
    expect(ids(50, 7).slice(0, 25)).toEqual(ids(25, 7));
  });

  it('has a mutant of every operator before it has two of one', () => {
    const groups = new Set(mutants.map(({ group }) => group)).size;
    expect(new Set(sampleOf(mutants, groups, 7).map(({ group }) => group)).size).toBe(groups);
  });
});

testSample(25, ['core']);
