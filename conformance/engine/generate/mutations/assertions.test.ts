import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { clausesOf } from '../../contract/clauses.ts';
import { A, contractWith } from '../../contract/synthetic.test.fixture.ts';
import { samples } from '../filter.ts';
import { violationsOfClause } from '../violations.ts';
import { assertionMutations } from './assertions.ts';

const POLICY = String.raw`^(?=.*\d)(?!.*admin).{4,}$`;

test.each([
  [POLICY, [String.raw`(?=.*\d)`, '(?!.*admin)']],
  [String.raw`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,20}$`, ['(?=.*[a-z])', '(?=.*[A-Z])']],
  [String.raw`^(\w)\1{2}$`, [String.raw`\1`]],
  [String.raw`^(a|b)-(c|d)-\2\1$`, [String.raw`\2`, String.raw`\1`]],
  [String.raw`^(?<quote>['"])[a-z]+\k<quote>$`, [String.raw`\k<quote>`]],
  [String.raw`^(?P<x>ab|cd)(?P=x)$`, ['(?P=x)']],
  [String.raw`^(?!-)[a-z-]{1,10}(?<!-)$`, ['(?!-)', '(?<!-)']],
  ['^(?!admin$|root$)[a-z]{3,8}$', ['(?!admin$|root$)']],
  ['^(?:(?!--)[a-z-])+$', ['(?!--)']],
  [String.raw`(?<=\$)\d{2}$`, [String.raw`(?<=\$)`]],
  [String.raw`^\w+ \bcat\b`, [String.raw`\b`]],
])('each assertion of %s is broken alone', (pattern, stated) => {
  const mutations = assertionMutations(pattern, { min: 0, max: 40 });
  const labels = mutations.map(({ label }) => label);
  expect(labels).toEqual(
    expect.arrayContaining(stated.map((one) => `a text that breaks ${one} alone`)),
  );
  const native = pattern.replace('(?P<', '(?<').replace('(?P=x)', String.raw`\k<x>`);
  for (const { values } of mutations) {
    for (const text of fc.sample(values, { numRuns: 5, seed: 1 })) {
      expect(text).not.toMatch(new RegExp(native, 'u'));
    }
  }
});

test('the texts keep the other rules of the schema', () => {
  const schema = { type: 'string', pattern: POLICY, minLength: 10, maxLength: 12 };
  const contract = contractWith(schema);
  const pointer = A;
  const clause = clausesOf(contract, pointer).find(({ keyword }) => keyword === 'pattern');
  const violations = clause ? violationsOfClause(contract, pointer, {}, clause) : [];
  const ofAssertions = violations.filter(({ label }) => label.includes('alone'));
  expect(ofAssertions).toHaveLength(2);
  for (const { value } of ofAssertions) {
    for (const text of samples(value, 5) as string[]) {
      expect([...text].length).toBeGreaterThanOrEqual(10);
      expect([...text].length).toBeLessThanOrEqual(12);
    }
  }
});

test('a pattern without assertions has none to break', () => {
  expect(assertionMutations('^[a-z]+(?:x|y)$', { min: 0, max: 9 })).toEqual([]);
});
