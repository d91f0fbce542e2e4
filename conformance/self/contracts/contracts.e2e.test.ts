/** That the command serves contracts which are not those of this package: green on what conforms, red on mutants. */
import { describe, expect, it } from 'vitest';
import { check, killTable, SUBJECTS } from './kill.ts';

describe.each(Object.entries(SUBJECTS))('%s', (_, subject) => {
  it.each([1])('conforms, with seed %i', async (seed) => {
    const report = await check(subject, subject.service(), ['--seed', String(seed)]);
    const wrong = report.requirements.filter(({ status }) => status === 'fail' || status === 'error');
    expect(wrong.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
    expect(report.verdict).toBe('conformant');
  });

  it('kills its mutants', { timeout: 300_000 }, async () => {
    const table = await killTable(subject, ['--seed', '1']);
    expect(table.filter(({ killedBy }) => killedBy.length === 0).map(({ mutant }) => mutant)).toEqual([]);
  });
});
