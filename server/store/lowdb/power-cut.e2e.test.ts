/** As `power-cut.test.ts`, with many seeds, at every call, and with an error before the power fails. */
import { expect, test } from 'vitest';
import { powerAt, runTrial } from '../../testing/faults/disk-trial.ts';
import type { Call, Mishap } from '../../testing/simulated-disk.ts';

const SEEDS = 12;

const KINDS: [string, (number: number) => (call: Call) => Mishap | undefined][] = [
  ['the power fails', powerAt],
  ['one call fails with EIO', (number) => (call) => (call.number === number ? 'EIO' : undefined)],
  ['the disk is full for a while', (number) => full(number, 6)],
  ['all flushes fail for a while', (number) => failing(number, 4)],
  ['a call fails, and the power soon after', (number) => soonAfter(number, 5)],
];

const full = (number: number, calls: number) => (call: Call) =>
  call.name === 'append' && call.number >= number && call.number < number + calls ? 'ENOSPC' : undefined;

const failing = (number: number, calls: number) => (call: Call) =>
  call.name.startsWith('flush') && call.number >= number && call.number < number + calls ? 'EIO' : undefined;

const soonAfter = (number: number, calls: number) => (call: Call) =>
  call.number === number ? 'EIO' : call.number === number + calls ? 'power' : undefined;

test.for(KINDS)('nothing acknowledged or read is lost when %s', async ([, mishapAt]) => {
  let trials = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { calls } = await runTrial({ seed });
    for (let number = 1; number <= calls; number++, trials++) {
      const { violations } = await runTrial({ seed, mishap: mishapAt(number) });
      expect({ seed, number, violations }).toEqual({ seed, number, violations: [] });
    }
  }
  expect(trials).toBeGreaterThan(SEEDS * 100);
});
