/** Holds off what would make the server slow again. The bounds are twice the goals of `npm run bench`. */
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { BARE_EXPRESS, OURS } from './candidates.ts';
import { compare } from './compare.ts';
import { find, ratio } from './report.ts';

/** From Node 24 on, what Express does to prototypes costs little: bare Express takes a third there. */
const SCALE = Number(process.versions.node.split('.')[0]) >= 24 ? 3 : 1;

test('CPU time of a read and of a durable create, against bare Express in memory without validation', async () => {
  const { rows } = await compare({
    candidates: [OURS, BARE_EXPRESS],
    connections: [8],
    rounds: 5,
    seconds: 1,
    folder: await temporaryFolder(),
  });
  const costs = (['read', 'create'] as const).map((scenario) =>
    ratio(find(rows, scenario, 8, OURS.name)!, find(rows, scenario, 8, BARE_EXPRESS.name)!, 'cpuMicros'),
  );
  expect(costs[0]).toBeLessThan(1 * SCALE);
  expect(costs[1]).toBeLessThan(2 * SCALE);
});
