/**
 * What a request costs this server against Express without any validation, in CPU time of the two processes within one
 * run. Bounds are generous, up to twice what is measured: they hold off what would make it slow again.
 */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { BARE_EXPRESS, SERVER } from './kinds.ts';
import { measure, median } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';
import { type Kind, Subject } from './subject.ts';

const ROUNDS = 5;

/** From Node 24 on, what Express does to prototypes costs little: bare Express takes much less there. */
const CHEAP_PROTOTYPES = Number(process.versions.node.split('.')[0]) >= 24;

test.each([
  ['GET edge', CHEAP_PROTOTYPES ? 1.5 : 0.7],
  ['POST edge', CHEAP_PROTOTYPES ? 1.8 : 0.8],
])('%s costs at most %f of what it costs bare Express', async (name, most) => {
  const scenario = SCENARIOS.find((one) => one.name === name)!;
  const logFile = join(await temporaryFolder(), 'log');
  const start = async (kind: Kind) => {
    const subject = await Subject.spawn(kind, logFile);
    onTestFinished(() => subject.end());
    await measure(subject, scenario, 4000);
    return subject;
  };
  const [own, bare] = [await start(SERVER), await start(BARE_EXPRESS)];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const mine = await measure(own, scenario, 1000);
    ratios.push(mine.cpuMicros / (await measure(bare, scenario, 1000)).cpuMicros);
  }
  expect(median(ratios)).toBeLessThan(most);
});
