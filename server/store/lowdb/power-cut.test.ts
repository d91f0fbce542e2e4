/** The store on a disk that loses what was not flushed: at every moment between two calls, and with calls that fail. */
import { describe, expect, test } from 'vitest';
import { failing, powerAt, runTrial, soonAfter } from '../../testing/faults/disk-trial.ts';
import type { Call } from '../../testing/simulated-disk.ts';
import type { Files } from './files.ts';

test('nothing acknowledged or read is lost, whenever the power fails', async () => {
  const { calls } = await runTrial({ seed: 1 });
  expect(calls).toBeGreaterThan(100);
  for (let number = 1; number <= calls; number += 3) {
    const { violations } = await runTrial({ seed: 1, mishap: powerAt(number) });
    expect({ number, violations }).toEqual({ number, violations: [] });
  }
});

test.for(['EIO', 'ENOSPC'] as const)('nor when a call fails with %s and the power fails later', async (code) => {
  const { calls } = await runTrial({ seed: 2 });
  for (let number = 1; number <= calls; number += 5) {
    const mishap = (call: Call) => (call.number === number ? code : undefined);
    const { violations } = await runTrial({ seed: 2, mishap });
    expect({ number, violations }).toEqual({ number, violations: [] });
  }
});

test('nor when a snapshot fails, and changes come before the next one', async () => {
  const mishap = ({ number }: Call) => (number === 47 ? 'EIO' : number === 52 ? 'power' : undefined);
  expect((await runTrial({ seed: 142, mishap })).violations).toEqual([]);
});

test('nor when a flush fails, the process ends, flushes of the next start fail, and the power fails later', async () => {
  const { calls } = await runTrial({ seed: 3 });
  for (let number = 1; number <= calls; number += 2) {
    const trial = { seed: 3, mishap: soonAfter(number, 1 + (number % 6)), killed: failing(1, number % 60) };
    const { violations } = await runTrial(trial);
    expect({ number, violations }).toEqual({ number, violations: [] });
  }
});

/** A store that leaves out one of these must be noticed: else the tests above would show nothing. */
describe('is noticed: a store without', () => {
  const nothing = async () => undefined;
  const withoutFlush = (files: Files): Files => ({
    ...files,
    open: async (path, how) => ({ ...(await files.open(path, how)), flush: nothing }),
  });
  const withoutWrite = (files: Files): Files => ({
    ...files,
    open: async (path, how) => ({ ...(await files.open(path, how)), write: nothing }),
  });
  test.for<[string, (files: Files) => Files, boolean?]>([
    ['writing the last batch again', withoutWrite, true],
    ['the flush of its files', withoutFlush],
    [
      'the flush of its folder',
      (files) => ({ ...files, flushFolder: (path) => (path.endsWith('edges') ? nothing() : files.flushFolder(path)) }),
    ],
    [
      'the flush of a parent folder',
      (files) => ({ ...files, flushFolder: (path) => (path === '/srv' ? nothing() : files.flushFolder(path)) }),
    ],
  ])('%s', async ([, change, ends = false]) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 40 && found.length === 0; seed++) {
      const trial = ends
        ? { seed, mishap: soonAfter(40 + 3 * seed, 1), killed: () => undefined }
        : { seed, mishap: powerAt(40 + 3 * seed) };
      expect((await runTrial(trial)).violations).toEqual([]);
      found.push(...(await runTrial({ ...trial, change })).violations);
    }
    expect(found).not.toEqual([]);
  });
});
