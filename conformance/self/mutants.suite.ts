/** A sample of the mutants that are no known survivors is killed, and what kills them holds on the correct service. */
import { describe, expect, it } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { GUARDED, type Mutant, OPEN } from './mutant.ts';
import { mutantsFor } from './mutants/index.ts';
import { sampleOf } from './sample.ts';
import { readSurvivors } from './survivors.ts';
import { TestBed } from './test-bed.ts';
import { tokensFor, tryMutant, tryWithoutMutant } from './try-mutant.ts';

export function testSample(count: number): void {
  const bed = new TestBed(loadContract());
  const survivors = readSurvivors(bed.contract).survivors.map(({ id }) => id);
  const mutants = mutantsFor(bed.contract).filter(({ id }) => !survivors.includes(id));
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));
  const sample = sampleOf(mutants, count, seed);

  describe(`${count} of ${mutants.length} mutants (SEED=${seed})`, () => {
    it('are as many as were asked for', () => {
      console.log(`mutants: SEED=${seed}`);
      expect(sample).toHaveLength(count);
    });

    it.each(sample.map((mutant): [string, Mutant] => [mutant.id, mutant]))('%s is killed', async (_, mutant) => {
      let result = await tryMutant(bed, mutant, seed);
      // What shows with few values alone may be missed by one seed; how many are, the kill run counts.
      if (!result.killed) result = await tryMutant(bed, mutant, seed + 1);
      expect(result, `${mutant.description} SEED=${seed}`).toMatchObject({ killed: true });
    });

    const services = [
      { service: 'an open service', tokens: OPEN },
      { service: 'a service with a token', tokens: GUARDED },
    ].map(({ service, tokens }) => {
      const some = sample.filter((mutant) => tokensFor(mutant) === tokens).map(({ killedBy }) => killedBy);
      return { service, tokens, tried: [...new Set(some)] };
    });

    it.each(services.filter(({ tried }) => tried.length > 0))(
      'what kills them holds on $service that is correct',
      async ({ tokens, tried }) => {
        const results = await tryWithoutMutant(bed, tried, seed, tokens);
        expect(results.map(({ id }) => id).toSorted()).toEqual(tried.toSorted());
        expect(
          results
            .filter(({ status }) => status !== 'pass')
            .map(({ id, status, reason, failure }) => ({ id, status, reason, got: failure?.got })),
        ).toEqual([]);
      },
      300_000,
    );
  });
}
