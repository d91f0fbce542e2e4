/** Whole runs against correct services of all kinds. `.ci/steps/seeds` runs the independent one in each setting. */
import { describe, expect, it } from 'vitest';
import { alarmsIn, runOn, SETTINGS } from './correct.ts';
import { createIndependentService } from './independent/index.ts';
import { GUARDED } from './service.ts';
import { COMBINED } from './services/index.ts';
import { recording } from './services/recorded.ts';
import { run } from './test-bed.ts';

const byAllRules = SETTINGS.filter(({ origin }) => origin === 'all');

// Few cases: whatever a service does otherwise than others, each requirement meets it.
it.each([...COMBINED.entries()])('the suite passes service %i: %s', async (index, name) => {
  const setting = byAllRules[index % byAllRules.length]!;
  expect(alarmsIn(await runOn(name, 1, setting, 1), setting)).toEqual([]);
});

describe('a run names no edge, route or subscription that it did not make', () => {
  // Another id made from one of these may be that of somebody else.
  it.each(['', 'edge-of-the-https-module-number-'])(
    'where ids are %j and a number',
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
