import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { TestBed } from './test-bed.ts';
import { type Fault, GUARDED, OPEN } from './fault.ts';
import { faultsFor } from './faults/index.ts';
import { tryFault, tryWithoutFault } from './trial.ts';
import { UNCAUGHT } from './uncaught.ts';

const bed = new TestBed(loadContract());
const faults = faultsFor(bed.contract);
const requirements = [...bed.requirements.keys()];
const named = new Set(faults.map(({ caughtBy }) => caughtBy));

describe('planted faults', () => {
  it('have ids of their own', () => {
    const ids = faults.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('say their class, and in one sentence what is broken', () => {
    for (const { id, class: kind, promise } of faults) {
      expect(id.startsWith(`${kind}.`), id).toBe(true);
      expect(promise, id).toMatch(/^\S.+\S\.$/);
    }
  });

  it('name requirements that exist', () => {
    expect([...named].filter((id) => !requirements.includes(id))).toEqual([]);
  });

  it('ask for a token where the requirement does', () => {
    const needing = new Set(requirements.filter((id) => /\.(401|403|read-only-token)$|^authentication\./.test(id)));
    expect(
      faults.filter(({ caughtBy, needsToken }) => needing.has(caughtBy) && needsToken !== true).map(({ id }) => id),
    ).toEqual([]);
  });

  it('can be tried alone, also where the id of the requirement begins one of another level', async () => {
    const level = (id: string) => bed.requirements.get(id);
    const begins = (id: string) =>
      requirements.some((other) => other !== id && other.startsWith(id) && level(other) !== level(id));
    const mixed = faults.filter(({ caughtBy }) => begins(caughtBy));
    expect(mixed).not.toEqual([]);
    for (const fault of mixed) expect(await tryFault(bed, fault, 1), fault.id).toMatchObject({ status: 'fail' });
  });
});

describe('coverage', () => {
  it('has a fault for every requirement, or says why not', () => {
    expect(requirements.filter((id) => !named.has(id) && !Object.hasOwn(UNCAUGHT, id))).toEqual([]);
  });

  it('excuses no requirement that is gone or has a fault', () => {
    expect(Object.keys(UNCAUGHT).filter((id) => !requirements.includes(id) || named.has(id))).toEqual([]);
  });
});

// The kill run tries them all; here, another tenth of them each time.
const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 30));
const tenth = faults.filter((_, index) => index % 10 === seed % 10);

describe(`a tenth of the faults (FAULT_SEED=${seed})`, () => {
  it('has some of them', () => {
    console.log(`FAULT_SEED=${seed}: ${tenth.length} of ${faults.length} faults`);
    expect(tenth.length).toBeGreaterThan(0);
  });

  it.each(tenth.map((fault): [string, Fault] => [fault.id, fault]))('%s is caught', async (_, fault) => {
    const trial = await tryFault(bed, fault, seed);
    expect(trial, `${fault.promise} FAULT_SEED=${seed}`).toMatchObject({ status: 'fail' });
  });

  it.each([
    ['an open service', OPEN],
    ['a service with a token', GUARDED],
  ])(
    'the same requirements hold for %s without a fault',
    async (_, tokens) => {
      const tried = [
        ...new Set(
          tenth.filter(({ needsToken }) => (tokens === OPEN) !== (needsToken === true)).map(({ caughtBy }) => caughtBy),
        ),
      ];
      const results = await tryWithoutFault(bed, tried, seed, tokens);
      expect(results.map(({ id }) => id).toSorted()).toEqual(tried.toSorted());
      expect(
        results
          .filter(({ status }) => status !== 'pass')
          .map(({ id, status, reason, failure }) => ({ id, status, reason, got: failure?.got })),
      ).toEqual([]);
    },
    300_000,
  );
});
