import { describe, expect, it } from 'vitest';
import type { Finding } from './judge.ts';
import { verdictOf } from './verdict.ts';

const opinion = (...findings: Finding[]) => ({ rules: 9, findings });
const none = { accepted: [] };
const planted = opinion({ rule: 'title', text: 'info: is missing' });
const known: Finding = { rule: 'default', text: 'line 7: is never used' };

describe('the word of a judge', () => {
  it('counts, where it finds the planted fault and nothing else', () => {
    expect(verdictOf(none, opinion(), planted)).toEqual({ rules: 9, findings: [], accepted: 0, faults: [] });
  });

  it('is against the contract, where it finds something', () => {
    expect(verdictOf(none, opinion(known), planted)).toMatchObject({ findings: [known], faults: [] });
  });

  it('does not count, where it overlooks the planted fault', () => {
    expect(verdictOf(none, opinion(), opinion()).faults).toEqual(['it overlooks a planted fault']);
    expect(verdictOf({ accepted: [{ rule: 'default', reason: '' }] }, opinion(known), opinion(known)).faults).toEqual([
      'it overlooks a planted fault',
    ]);
  });

  it('does not count, where it has no rules', () => {
    expect(verdictOf(none, { rules: 0, findings: [] }, planted).faults).toEqual(['it holds the contract to no rule']);
    expect(verdictOf(none, { rules: undefined, findings: [] }, planted).faults).toEqual([]);
  });
});

describe('a finding that is let stand', () => {
  it.each([
    { rule: 'default', reason: '' },
    { rule: 'default', text: 'never used', reason: '' },
  ])('is not counted: %o', (one) => {
    expect(verdictOf({ accepted: [one] }, opinion(known), planted)).toMatchObject({
      findings: [],
      accepted: 1,
      faults: [],
    });
  });

  it.each([
    { rule: 'other', reason: '' },
    { rule: 'default', text: 'other', reason: '' },
  ])('is that one alone: %o', (one) => {
    expect(verdictOf({ accepted: [one] }, opinion(known), planted)).toMatchObject({ findings: [known], accepted: 0 });
  });

  it('must come', () => {
    expect(verdictOf({ accepted: [{ rule: 'default', reason: '' }] }, opinion(), planted).faults).toEqual([
      'it does not find default any more, which is still let stand',
    ]);
  });
});
