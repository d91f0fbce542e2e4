import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Rate } from './rate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** When so many turns that are asked for at once begin, in milliseconds. */
async function turns(rate: Rate, count: number): Promise<number[]> {
  const start = performance.now();
  const begun: number[] = [];
  const all = Promise.all(
    Array.from({ length: count }, () => rate.turn().then(() => begun.push(Math.round(performance.now() - start)))),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await all;
  return begun;
}

it('has no turns closer to each other than the rate allows', async () => {
  expect(await turns(new Rate(10), 5)).toEqual([0, 100, 200, 300, 400]);
});

it('does not save up turns that nobody took', async () => {
  const rate = new Rate(10);
  await turns(rate, 1);
  expect(await turns(rate, 3)).toEqual([0, 100, 200]);
});

it('has no limit by default', async () => {
  expect(await turns(new Rate(undefined), 3)).toEqual([0, 0, 0]);
});

it.each([undefined, 10])('lets nobody begin in a pause (rate %s)', async (perSecond) => {
  const rate = new Rate(perSecond);
  rate.pause(500);
  rate.pause(200);
  expect(await turns(rate, 2)).toEqual(perSecond === undefined ? [500, 500] : [500, 600]);
});
