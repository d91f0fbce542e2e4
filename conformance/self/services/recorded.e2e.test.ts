/** No request of a run names an edge, a route or a subscription that is not the run's own. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { createIndependentService } from '../independent/index.ts';
import { GUARDED } from '../mutant.ts';
import { TestBed } from '../test-bed.ts';
import { recording } from './recorded.ts';

test('a whole run guesses no id', async () => {
  const bed = new TestBed(loadContract());
  const { service, guessed } = recording(createIndependentService(GUARDED));
  const report = await bed.run(service, { seed: 1, runs: 2, level: 'extended', ...GUARDED });
  expect(report.verdict).toBe('conformant');
  expect(guessed).toEqual([]);
});
