/** The store on a disk that loses what was not flushed: at every moment between two calls, and with calls that fail. */
import { describe, expect, test } from 'vitest';
import { failing, powerAt, runTrial, soonAfter, type TrialOptions } from '../../testing/faults/disk-trial.ts';
import type { Call, Mishap } from '../../testing/simulated-disk.ts';
import type { Files } from './files.ts';

const code = (mishap: Mishap) => (number: number) => ({
  mishap: (call: Call) => (call.number === number ? mishap : undefined),
});

test.for<[string, number, number, (number: number) => Partial<TrialOptions>]>([
  ['the power fails', 1, 3, code('power')],
  ['a call fails with EIO and the power fails later', 2, 5, code('EIO')],
  ['a call fails with ENOSPC and the power fails later', 2, 5, code('ENOSPC')],
  [
    'a flush fails, the process ends, flushes of the next start fail, and the power fails later',
    3,
    2,
    (number) => ({ mishap: soonAfter(number, 1 + (number % 6)), killed: failing(1, number % 60) }),
  ],
])('nothing acknowledged or read is lost when %s', async ([, seed, step, options]) => {
  const { calls } = await runTrial({ seed });
  expect(calls).toBeGreaterThan(100);
  for (let number = 1; number <= calls; number += step) {
    const { violations } = await runTrial({ seed, ...options(number) });
    expect({ number, violations }).toEqual({ number, violations: [] });
  }
});

/** A store that leaves out one of these must be noticed: else the tests above would show nothing. */
describe('is noticed: a store without', () => {
  const nothing = async () => undefined;
  const without = (call: 'flush' | 'write') => (files: Files) => ({
    ...files,
    open: async (...args: Parameters<Files['open']>) => ({ ...(await files.open(...args)), [call]: nothing }),
  });
  const withoutFolder = (end: string) => (files: Files) => ({
    ...files,
    flushFolder: (path: string) => (path.endsWith(end) ? nothing() : files.flushFolder(path)),
  });
  test.for<[string, (files: Files) => Files, TrialOptions['killed']?]>([
    ['writing the last batch again', without('write'), () => undefined],
    ['the flush of its files', without('flush')],
    ['the flush of its folder', withoutFolder('edges')],
    ['the flush of a parent folder', withoutFolder('/srv')],
  ])('%s', async ([, change, killed]) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 40 && found.length === 0; seed++) {
      const call = 40 + 3 * seed;
      const trial = { seed, mishap: killed ? soonAfter(call, 1) : powerAt(call), killed };
      expect((await runTrial(trial)).violations).toEqual([]);
      found.push(...(await runTrial({ ...trial, change })).violations);
    }
    expect(found).not.toEqual([]);
  });
});
