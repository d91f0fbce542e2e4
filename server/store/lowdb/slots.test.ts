import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('no more than so many jobs run at once, in order, and one that fails makes room', async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  const ends: ((failed?: boolean) => void)[] = [];
  const results = [0, 1, 2, 3].map((n) =>
    slots.run(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(n);
          ends[n] = (failed) => (failed ? reject(new Error(`job ${n}`)) : resolve(n));
        }),
    ),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]!(true);
  await expect(results[1]).rejects.toThrow('job 1');
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]!();
  await turn();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]!();
  ends[3]!();
  expect(await Promise.all([results[0], results[2], results[3]])).toEqual([0, 2, 3]);
  expect(await Promise.all([slots.run(async () => 4), slots.run(async () => 5)])).toEqual([4, 5]);
});
