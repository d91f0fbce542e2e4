/** No request of a run names an edge, a route or a subscription that is not the run's own. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { createIndependentService } from '../independent/index.ts';
import { GUARDED } from '../mutant.ts';
import { TestBed } from '../test-bed.ts';
import { recording } from './recorded.ts';

const counting = (prefix: string) => {
  let next = 0;
  return () => `${prefix}${next++}`;
};

/** Another id made from one of these may be that of somebody else. */
test.for([
  ['ids 0, 1, 2, …', counting('')],
  ['long ids that count', counting('edge-of-the-https-module-number-')],
] as const)('a whole run guesses no id: %s', async ([, newId]) => {
  const bed = new TestBed(loadContract());
  const inner = createIndependentService({ ...GUARDED, newId });
  const { service, guessed } = recording(inner);
  const report = await bed.run(service, { seed: 1, runs: 2, level: 'extended', ...GUARDED });
  expect(report.verdict).toBe('conformant');
  expect(guessed).toEqual([]);
});
