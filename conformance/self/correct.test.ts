/** The suite passes correct services. More services, settings and seeds: `correct.e2e.test.ts` and `.ci/steps/seeds`. */
import { expect, it } from 'vitest';
import { alarmsIn, runOn, SETTINGS } from './correct.ts';

it.each([
  // With tokens, nothing is skipped.
  ['independent', 'core, with tokens, all', undefined],
  ['503 with Retry-After in 1 of 300 responses', 'core, open, all', 1],
  ['ids 0, 1, 2, …', 'core, open, all', 1],
])('%s: %s', async (service, name, runs) => {
  const setting = SETTINGS.find((one) => one.name === name)!;
  expect(alarmsIn(await runOn(service, 1, setting, runs), setting)).toEqual([]);
});
