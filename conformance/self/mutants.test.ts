import { describe, expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { requirementsOf } from '../api/index.ts';
import { mutantsFor } from './mutants/index.ts';
import { testSample } from './mutants.suite.ts';
import { sampleOf } from './sample.ts';

const contract = loadContract();
const mutants = mutantsFor(contract);
const requirements = requirementsOf(contract).map(({ id }) => id);
const named = new Set(mutants.map(({ killedBy }) => killedBy));

describe('mutants', () => {
  it('have ids of their own', () => {
    const ids = mutants.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('have their class in their id, and are described in one sentence', () => {
    for (const { id, class: kind, description } of mutants) {
      expect(id.startsWith(`${kind}.`), id).toBe(true);
      expect(description, id).toMatch(/^\S.+\S\.$/);
    }
  });

  it('name requirements that exist, and each requirement is named', () => {
    expect([...named].filter((id) => !requirements.includes(id))).toEqual([]);
    expect(requirements.filter((id) => !named.has(id))).toEqual([]);
  });

  it('ask for a token where the requirement does', () => {
    const needing = new Set(requirements.filter((id) => /\.(401|403|read-only-token)$|^authentication\./.test(id)));
    expect(
      mutants.filter(({ killedBy, needsToken }) => needing.has(killedBy) && needsToken !== true).map(({ id }) => id),
    ).toEqual([]);
  });
});

describe('a sample', () => {
  const ids = (count: number, seed: number) => sampleOf(mutants, count, seed).map(({ id }) => id);

  it('is the same for the same seed, another one for another seed, and holds each mutant once', () => {
    expect(ids(25, 7)).toEqual(ids(25, 7));
    expect(ids(25, 7)).not.toEqual(ids(25, 8));
    expect(new Set(ids(Infinity, 7)).size).toBe(mutants.length);
  });

  it('has a mutant of every class before it has two of one', () => {
    const classes = new Set(mutants.map((mutant) => mutant.class)).size;
    expect(new Set(sampleOf(mutants, classes, 7).map((mutant) => mutant.class)).size).toBe(classes);
  });
});

testSample(25);
