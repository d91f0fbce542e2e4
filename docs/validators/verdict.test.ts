import { describe, expect, it } from 'vitest';
import type { Finding } from './validator.ts';
import { verdictOf } from './verdict.ts';

const result = (...findings: Finding[]) => ({ rules: 9, findings });
const none = { accepted: [] };
const broken = result({ rule: 'title', text: 'info: is missing' });
const known: Finding = { rule: 'default', text: 'line 7: is never used' };

describe('what counts as passed', () => {
  it('counts, where it finds the broken fault and nothing else', () => {
    expect(verdictOf(none, result(), broken)).toEqual({ rules: 9, findings: [], accepted: 0, faults: [] });
  });

  it('is against the contract, where it finds something', () => {
    expect(verdictOf(none, result(known), broken)).toMatchObject({ findings: [known], faults: [] });
  });

  it('does not count, where it overlooks the broken fault', () => {
    expect(verdictOf(none, result(), result()).faults).toEqual(['it does not find an error that was made on purpose']);
    expect(verdictOf({ accepted: [{ rule: 'default', reason: '' }] }, result(known), result(known)).faults).toEqual([
      'it does not find an error that was made on purpose',
    ]);
  });

  it('does not count, where it has no rules', () => {
    expect(verdictOf(none, { rules: 0, findings: [] }, broken).faults).toEqual(['it holds the contract to no rule']);
    expect(verdictOf(none, { rules: undefined, findings: [] }, broken).faults).toEqual([]);
  });
});

describe('a finding that is let stand', () => {
  it.each([
    { rule: 'default', reason: '' },
    { rule: 'default', text: 'never used', reason: '' },
  ])('is not counted: %o', (one) => {
    expect(verdictOf({ accepted: [one] }, result(known), broken)).toMatchObject({
      findings: [],
      accepted: 1,
      faults: [],
    });
  });

  it.each([
    { rule: 'other', reason: '' },
    { rule: 'default', text: 'other', reason: '' },
  ])('is that one alone: %o', (one) => {
    expect(verdictOf({ accepted: [one] }, result(known), broken)).toMatchObject({ findings: [known], accepted: 0 });
  });

  it('must come', () => {
    expect(verdictOf({ accepted: [{ rule: 'default', reason: '' }] }, result(), broken).faults).toEqual([
      'it does not find default any more, which is still let stand',
    ]);
  });
});
