/** Helpers for tests of cases. */
import * as fc from 'fast-check';
import type { ClauseCase } from './build.ts';

/** The value to which values shrink that do not pass. */
export function smallest<T>(
  values: fc.Arbitrary<T>,
  seed: number,
  passes: (value: T) => boolean = () => false,
): unknown {
  return fc.check(fc.property(values, passes), { seed, numRuns: 2000 }).counterexample?.[0];
}

/** The values of the case. @throws Error if there is no such case */
export function findCase(
  cases: readonly ClauseCase[],
  id: string,
  label: string,
): fc.Arbitrary<unknown> {
  const found = cases.find((one) => one.clause.id === id && one.label === label);
  if (!found) {
    throw new Error(`no case ${id}: ${label}`);
  }
  return found.value;
}
