import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadContract, parseContract } from '../engine/contract/load.ts';
import { mutantsFor } from './mutants/index.ts';
import { hashOf, readSurvivors } from './survivors.ts';

const contract = loadContract();
const list = readSurvivors(contract);

describe('the list of survivors', () => {
  it('is of this contract and of these mutants', () => {
    expect(
      list.hash,
      'the list is out of date: run `node tools/run.js conformance/self/kill` and commit what it writes',
    ).toBe(hashOf(contract));
    expect(list.mutants).toBe(mutantsFor(contract).length);
  });

  it('names mutants as they are', () => {
    const mutants = new Map(mutantsFor(contract).map((mutant) => [mutant.id, mutant]));
    for (const { id, description, killedBy, survived } of list.survivors) {
      expect(mutants.get(id)).toMatchObject({ description, killedBy });
      expect(survived).toBeGreaterThan(0);
      expect(survived).toBeLessThanOrEqual(list.seeds);
    }
  });
});

describe('its hash', () => {
  const text = readFileSync(contract.path, 'utf8');
  const changed = (from: string, to: string) => {
    expect(text).toContain(from);
    return hashOf(parseContract(text.replace(from, to), contract.path));
  };

  it('changes with a rule of the contract, and not with its prose', () => {
    expect(changed('\n  version: ', '\n  version: 9')).not.toBe(hashOf(contract));
    expect(changed('      summary: ', '      summary: New. ')).toBe(hashOf(contract));
    expect(changed('maxLength: ', 'maxLength: 1')).not.toBe(hashOf(contract));
  });
});
