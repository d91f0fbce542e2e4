/** A sample of the mutants that the last kill run has killed is killed. */
import { describe, expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import type { Level, Mutant } from './mutant.ts';
import { mutantsFor } from './mutants.ts';
import { sampleOf } from './sample.ts';
import { readSurvivors } from './survivors.ts';
import { TestBed } from './test-bed.ts';
import { tryMutant } from './try-mutant.ts';

export function testSample(count: number, levels: readonly Level[]): void {
  const bed = new TestBed(loadContract());
  const { survivors, extendedOnly, tried, seed: seedOfList } = readSurvivors(bed.contract);
  const others = new Set(survivors.map(({ id }) => id));
  // An extended run takes far longer than a core run.
  if (!levels.includes('extended')) for (const id of extendedOnly) others.add(id);
  // The kill run takes the mutants in this order, so that a run which did not come to its end is a sample, too.
  const killed = sampleOf(mutantsFor(bed.contract), tried, seedOfList).filter(
    ({ id, level }) => !others.has(id) && levels.includes(level),
  );
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));
  const sample = sampleOf(killed, count, seed);

  describe(`${sample.length} of ${killed.length} mutants of level ${levels.join(' and ')} (SEED=${seed})`, () => {
    it('are as many as were asked for, or all that there are', () => {
      console.log(`mutants: SEED=${seed}`);
      expect(killed.length).toBeGreaterThan(0);
      expect(sample).toHaveLength(Math.min(count, killed.length));
    });

    it.each(sample.map((mutant): [string, Mutant] => [mutant.id, mutant]))(
      '%s is killed',
      async (_, mutant) => {
        let result = await tryMutant(bed, mutant, seed);
        // What shows with few values alone may be missed by one seed; how many are, the kill run counts.
        if (!result.killed) result = await tryMutant(bed, mutant, seed + 1);
        expect(result, `${mutant.description} SEED=${seed}`).toMatchObject({ killed: true });
      },
      300_000,
    );
  });
}
