import { describe, expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { mutantsFor } from './mutants/index.ts';
import { testSample } from './mutants.suite.ts';
import { TestBed } from './test-bed.ts';
import { tryMutant } from './try-mutant.ts';

describe('a mutant', () => {
  it('is tried alone, also where the id of its requirement begins one of another level', async () => {
    const bed = new TestBed(loadContract());
    const ids = [...bed.requirements.keys()];
    const level = (id: string) => bed.requirements.get(id);
    const begins = (id: string) =>
      ids.some((other) => other !== id && other.startsWith(id) && level(other) !== level(id));
    const mixed = mutantsFor(bed.contract).filter(({ killedBy }) => begins(killedBy));
    expect(mixed).not.toEqual([]);
    for (const mutant of mixed) expect(await tryMutant(bed, mutant, 1), mutant.id).toMatchObject({ killed: true });
  });
});

// About two minutes on a busy machine. The kill run (kill.ts) tries them all.
testSample(300);
