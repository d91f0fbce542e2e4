import { expect, test } from 'vitest';
import { SharedRun } from './shared-run.ts';

/** A job whose runs end when they are told to. */
function job() {
  const runs: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const shared = new SharedRun(() => new Promise<void>((resolve, reject) => runs.push({ resolve, reject })));
  return { shared, runs };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('who asks while it runs gets the next run, with all others who did', async () => {
  const { shared, runs } = job();
  const ended: string[] = [];
  const ask = (name: string) => void shared.run().then(() => ended.push(name));
  ask('a');
  ask('b');
  ask('c');
  expect(runs.length).toBe(1);
  runs[0]!.resolve();
  await turn();
  expect([ended, runs.length]).toEqual([['a'], 2]);
  ask('d');
  runs[1]!.resolve();
  await turn();
  expect([ended, runs.length]).toEqual([['a', 'b', 'c'], 3]);
  runs[2]!.resolve();
  await turn();
  expect(ended).toEqual(['a', 'b', 'c', 'd']);
  ask('e');
  expect(runs.length).toBe(4);
});

test('a failure is told to those alone whose run it was', async () => {
  const { shared, runs } = job();
  const first = shared.run();
  const second = shared.run();
  runs[0]!.reject(new Error('full'));
  await expect(first).rejects.toThrow('full');
  await turn();
  runs[1]!.resolve();
  await expect(second).resolves.toBeUndefined();
  const third = shared.run();
  const fourth = shared.run();
  runs[2]!.resolve();
  await third;
  await turn();
  runs[3]!.reject(new Error('gone'));
  await expect(fourth).rejects.toThrow('gone');
});
