/**
 * The store on a disk that loses what was not flushed: at moments between two calls, and with calls
 * that fail.
 */
import { expect, test } from 'vitest';
import {
  failing,
  type MishapAt,
  powerAt,
  runTrial,
  soonAfter,
} from '../../testing/faults/disk-trial.ts';

const KINDS: [string, mishapAt: (number: number) => MishapAt, killed?: MishapAt][] = [
  ['the power fails', powerAt],
  ['one call fails with EIO', (number) => (call) => (call.number === number ? 'EIO' : undefined)],
  ['the disk is full for a while', (number) => failing('append', number, 6)],
  ['all flushes fail for a while', (number) => failing('flush', number, 4)],
  ['a call fails, and the power soon after', (number) => soonAfter(number, 5)],
  [
    'a call fails, the process ends, and the power fails after the next start',
    (n) => soonAfter(n, 1),
    () => undefined,
  ],
  ['the process ends later', (number) => soonAfter(number, 9), () => undefined],
  [
    'the first flushes of the next start fail, too',
    (number) => soonAfter(number, 2),
    failing('flush', 1, 50),
  ],
];

/** @param step 1 for every call, 5 for every fifth one */
export function testPowerCuts(seeds: number, step: number): void {
  test.for(KINDS)('nothing acknowledged or read is lost when %s', async ([, mishapAt, killed]) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { calls } = await runTrial({ seed });
      expect(calls).toBeGreaterThan(100);
      for (let number = 1; number <= calls; number += step) {
        const { violations } = await runTrial({ seed, mishap: mishapAt(number), killed });
        expect({ seed, number, violations }).toEqual({ seed, number, violations: [] });
      }
    }
  });
}
