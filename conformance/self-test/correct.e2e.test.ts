/**
 * Whole runs against correct services of all kinds. `.ci/steps/seeds` runs the independent one in
 * each setting.
 */
import { describe, expect, it } from 'vitest';
import { alarmsIn, runOn, SETTINGS } from './correct.ts';
import { createIndependentService } from './independent/index.ts';
import { GUARDED } from './service.ts';
import { COMBINED } from './services/index.ts';
import { recording } from './services/recorded.ts';
import { run } from './test-bed.ts';

const byAllRules = SETTINGS.filter(({ origin }) => origin === 'all');

const trials = COMBINED.map((service, index) => {
  const setting = byAllRules[index % byAllRules.length]!;
  return { index, service, setting };
});

// One case of each property is enough: whatever differs in a service, each requirement meets it.
it.each(trials)('the suite passes service $index: $service', async ({ service, setting }) => {
  expect(alarmsIn(await runOn(service, 1, setting, 1), setting)).toEqual([]);
});

describe('a run names no edge, route or subscription that it did not create', () => {
  // Another id made from one of these may be that of somebody else.
  it.each(['', 'edge-of-the-https-module-number-'])(
    'if ids are %j and a number',
    async (prefix) => {
      let next = 0;
      const { service, guessed } = recording(
        createIndependentService({ ...GUARDED, newId: () => `${prefix}${next++}` }),
      );
      const { verdict } = await run(service, { seed: 1, runs: 2, level: 'extended', ...GUARDED });
      expect(verdict).toBe('conformant');
      expect(guessed).toEqual([]);
    },
  );
});
