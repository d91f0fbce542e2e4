/** A sample of `contracts.e2e.test.ts`: each contract on its service, and a few of its mutants. */
import { describe, expect, it } from 'vitest';
import { check, killTable, SUBJECTS } from './kill.ts';

describe.each(Object.entries(SUBJECTS))('%s', (_, subject) => {
  it('conforms, and what is skipped says why', async () => {
    const { requirements, verdict, summary } = await check(subject, subject.service(), ['--seed', '1', '--runs', '3']);
    expect(requirements.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect(verdict).toBe('conformant');
    expect(summary.pass).toBeGreaterThan(30);
    expect(requirements.filter(({ status }) => status === 'skip').every(({ reason }) => reason)).toBe(true);
  });

  it('fails a service that does not check one rule, one whose responses lack a property, and one that forgets', async () => {
    const names = Object.keys(subject.mutants);
    const chosen = [names[2]!, names.find((name) => name.startsWith('responses without'))!];
    if (names.includes('a change is forgotten')) chosen.push('a change is forgotten');
    const table = await killTable(subject, ['--seed', '1', '--runs', '3'], chosen);
    expect(table.filter(({ killedBy }) => killedBy.length === 0)).toEqual([]);
  });
});
