import { describe, expect, test } from 'vitest';
import {
  powerAt,
  runTrial,
  soonAfter,
  type TrialOptions,
} from '../../testing/faults/disk-trial.ts';
import type { Files } from './files.ts';
import { testPowerCuts } from './power-cut.suite.ts';

testPowerCuts(1, 5);

/**
 * A store that omits one of these calls must be noticed: otherwise the tests above would show
 * nothing.
 */
describe('is noticed: a store without', () => {
  const nothing = async () => undefined;
  const without = (call: 'flush' | 'write') => (files: Files) => ({
    ...files,
    open: async (...args: Parameters<Files['open']>) => ({
      ...(await files.open(...args)),
      [call]: nothing,
    }),
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
