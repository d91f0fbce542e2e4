import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContract, parseContract } from '../engine/contract/load.ts';
import { valueAt } from '../engine/contract/pointers.ts';
import { mutantsFor } from './mutants.ts';
import { fits, hashOf, readSurvivors, readVerdicts, verdictOf } from './survivors.ts';

const contract = loadContract();
const list = readSurvivors(contract);
const verdicts = readVerdicts(contract);
const mutants = new Map(mutantsFor(contract).map((mutant) => [mutant.id, mutant]));

describe('the list of survivors', () => {
  it('is of this contract and of these mutants', () => {
    expect(
      list.hash,
      'the list is out of date: run `node tools/run.js conformance/self/kill` and commit what it writes',
    ).toBe(hashOf(contract));
    expect(list.mutants).toBe(mutants.size);
    expect(list.killed.core + list.killed.extended + list.survivors.length).toBe(list.tried);
  });

  it('names mutants as they are, and says of each what the verdicts say', () => {
    for (const { id, description, survived, kind, why, clause } of list.survivors) {
      expect(mutants.get(id)).toMatchObject({ description });
      expect(survived).toBeGreaterThan(0);
      expect(survived).toBeLessThanOrEqual(list.seeds);
      expect({ id, kind, why, clause }).toEqual({ id, why: undefined, clause: undefined, ...verdictOf(verdicts, id) });
    }
  });

  it('has its counts in the README', () => {
    const readme = readFileSync(join(dirname(contract.path), 'conformance', 'self', 'README.md'), 'utf8');
    const count = (kind: string) => list.survivors.filter((one) => one.kind === kind).length;
    const { core, extended } = list.killed;
    expect(readme).toContain(
      `${list.tried} of ${list.mutants} mutants tried: ${core} killed at core, ${extended} at extended, ` +
        `${count('equivalent')} equivalent, ${count('not promised')} not promised, ${count('gap')} gaps`,
    );
  });
});

describe('verdicts', () => {
  const decisions = join(dirname(contract.path), 'docs', 'decisions');
  const records = readdirSync(decisions).map((file) => readFileSync(join(decisions, file), 'utf8'));

  it.each(verdicts.map((verdict) => [verdict.mutants.join(' '), verdict] as const))(
    '%s: has its reason',
    (_, verdict) => {
      expect(verdict.why).toMatch(/^\S.+\S\.$/);
      const { kind, clause } = verdict;
      if (kind !== 'not promised') return;
      const isThere = /^D\d\d$/.test(clause ?? '')
        ? records.some((text) => new RegExp(`^#+ ${clause}\\b`, 'm').test(text))
        : clause !== undefined && valueAt(contract.document, clause) !== undefined;
      expect(isThere, `${clause} is neither a place in the contract nor a decision`).toBe(true);
    },
  );

  it('are of mutants that there are', () => {
    const patterns = verdicts.flatMap((verdict) => verdict.mutants);
    expect(patterns.filter((pattern) => ![...mutants.keys()].some((id) => fits(pattern, id)))).toEqual([]);
    expect(existsSync(decisions)).toBe(true);
  });

  it('match by the whole id, with a star for any text', () => {
    expect(fits('a/*/c.d', 'a/b/x/c.d')).toBe(true);
    expect(fits('a/*/c.d', 'a/b/c.de')).toBe(false);
    expect(fits('a/*/c.d', 'a/b/cxd')).toBe(false);
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
