/** What this server is held to, as ratios within one run: times of one machine say nothing of another. */
import { BARE_EXPRESS, manyOperations, SERVER } from './kinds.ts';
import type { Result } from './result.ts';

export interface Target {
  name: string;
  value: number;
  most: number;
}

const RATIOS = [
  [BARE_EXPRESS.name, 0.4],
  ['Fastify 5', 1.3],
  ['Prism', 0.25],
  // As much as with ten of them, but for the noise of measuring.
  [manyOperations('').name, 1.1],
] as const;

/** Ready within a second, and nobody waits for compilers: the first request takes at most three times as long as later ones. */
const MOST_READY_MS = 1000;
const MOST_FIRST = 3;

/** Of the servers that were measured. */
export function targets({ scenarios, starts }: Result): Target[] {
  const cpu = (scenario: string, server: string) => scenarios[scenario]?.[server]?.cpuMicros.median;
  const ratios = ['POST edge', 'GET edge'].flatMap((scenario) =>
    RATIOS.flatMap(([other, most]) => {
      const [own, theirs] = [cpu(scenario, SERVER.name), cpu(scenario, other)];
      return own === undefined || theirs === undefined
        ? []
        : [{ name: `${scenario}: CPU against ${other}`, value: own / theirs, most }];
    }),
  );
  const start = starts[SERVER.name];
  if (!start) return ratios;
  return [
    ...ratios,
    { name: 'milliseconds from start to the first good answer', value: start.readyMs.median, most: MOST_READY_MS },
    { name: 'first request against later ones', value: start.firstMs.median / start.laterMs.median, most: MOST_FIRST },
  ];
}
