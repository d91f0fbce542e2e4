/** A sample of `contracts.e2e.test.ts`: each contract on its service, and a few of its mutants. */
import { describe, expect, it } from 'vitest';
import { mutantsOf, sampleOf, tryMutant } from '../mutation/mutants.ts';
import { OPEN } from '../tokens.ts';
import { BEDS } from './beds.ts';

describe.each(Object.entries(BEDS))('%s', (_, create) => {
  const bed = create();

  it('conforms, and each skip has its reason', async () => {
    const { requirements, verdict, summary } = await bed.run(bed.createService(OPEN), { seed: 1, runs: 3 });
    expect(requirements.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect(verdict).toBe('conformant');
    expect(summary.pass).toBeGreaterThan(30);
    expect(requirements.filter(({ status }) => status === 'skip').every(({ reason }) => reason)).toBe(true);
  });

  it.each(['unchecked-body', 'status', 'forget-delete'])('finds a mutant of %s', async (operator) => {
    const mutants = mutantsOf(bed.contract).filter((one) => one.operator === operator);
    const [mutant] = sampleOf(mutants, 1, 1);
    expect(await tryMutant(bed, mutant!, 1), mutant!.id).toBeDefined();
  });
});
