/** The command serves contracts of other APIs: it passes services that conform, and finds mutants of any operator. */
import { describe, expect, it } from 'vitest';
import { mutantsOf, sampleOf, tryMutant } from '../mutation/mutants.ts';
import { verdictOf } from '../mutation/verdicts.ts';
import { OPEN } from '../tokens.ts';
import { BEDS } from './beds.ts';

const SAMPLE = 60;

describe.each(Object.entries(BEDS))('%s', (_, create) => {
  const bed = create();

  it('conforms', async () => {
    const report = await bed.run(bed.createService(OPEN), { seed: 1 });
    const wrong = report.requirements.filter(({ status }) => status === 'fail' || status === 'error');
    expect(wrong.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
    expect(report.verdict).toBe('conformant');
  });

  it('finds its mutants', { timeout: 300_000 }, async () => {
    const gaps: string[] = [];
    // The services know no tokens: their keys are not bearer tokens, or they have none.
    for (const mutant of sampleOf(
      mutantsOf(bed.contract).filter((one) => !one.needsToken),
      SAMPLE,
      1,
    )) {
      const { found } = await tryMutant(bed, mutant, 1);
      if (found === undefined && verdictOf(mutant.id).kind === 'gap') gaps.push(mutant.id);
    }
    expect(gaps).toEqual([]);
  });
});
