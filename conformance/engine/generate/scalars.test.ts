import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HINTS } from '../../api/implementation.ts';
import { loadContract } from '../contract/load.ts';
import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { parameterValues, parameterViolations } from './scalars.ts';

const contract = loadContract();

function texts(name: string): string[] {
  return parameterViolations(contract, `/components/parameters/${name}`, HINTS).flatMap(({ value }) =>
    fc.sample(value, { numRuns: 100, seed: 1 }),
  );
}

describe('parameterViolations', () => {
  test('of limit are texts that a lenient reader takes', () => {
    expect(texts('Limit')).toEqual(expect.arrayContaining(['0', '101', '1.5', '1e1', '0x10', 'abc', '', '+1', ' 5']));
    expect(texts('Limit').filter((text) => /^[1-9]\d?$|^100$/.test(text))).toEqual([]);
    expect(texts('Limit').some((text) => /^-\d+$/.test(text))).toBe(true);
  });

  test('of limit shrink to the number next to the limit', () => {
    const value = parameterViolations(contract, '/components/parameters/Limit', HINTS).find(
      ({ clause }) => clause.id === 'limit.maximum',
    )?.value;
    expect(
      value &&
        fc.check(
          fc.property(value, () => false),
          { seed: 1 },
        ).counterexample?.[0],
    ).toBe('101');
  });

  test('of a path parameter are never empty, and too long by one', () => {
    expect(texts('EdgeId')).toContain('a'.repeat(65));
    expect(texts('EdgeId')).not.toContain('');
    expect(texts('SourceType')).toContain('ip_policy_created.v01');
    expect(texts('Cursor')).toContain('');
  });

  test('of a boolean are other words for it', () => {
    expect(
      parameterViolations(SYNTHETIC, '/components/parameters/Verbose').flatMap(({ value }) =>
        fc.sample(value, { numRuns: 50, seed: 1 }),
      ),
    ).toEqual(expect.arrayContaining(['yes', '1', 'TRUE']));
    expect(
      new Set(fc.sample(parameterValues(SYNTHETIC, '/components/parameters/Verbose'), { numRuns: 50, seed: 1 })),
    ).toEqual(new Set(['true', 'false']));
  });
});
