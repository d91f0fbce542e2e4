/** Lending: nobody waits while holding something, so nobody waits for ever. */
import { expect, it } from 'vitest';
import { SubscriptionPool } from './tracker.ts';

it('are new each time where no others are named, and have the name of the run', async () => {
  const pool = new SubscriptionPool('ns', []);
  expect([await pool.take({ count: 2 }), await pool.take({ count: 1 })]).toEqual([['ns-1', 'ns-2'], ['ns-3']]);
  expect([pool.shared, pool.made('ns-1'), pool.made('other')]).toEqual([false, true, false]);
});

it.each([1, 2, 3, 4])('existing ones never make cases wait for each other, with a pool of %i', async (size) => {
  const pool = new SubscriptionPool('ns', ['a', 'b', 'c', 'd'].slice(0, size));
  const lent = new Set<string>();
  const served: number[] = [];
  const one = async (count: number, index: number) => {
    const ids = await pool.take({ count });
    if (count > size) return expect(ids).toBeUndefined();
    for (const id of ids!) {
      expect(lent).not.toContain(id);
      lent.add(id);
    }
    await new Promise((resolve) => setImmediate(resolve));
    for (const id of ids!) lent.delete(id);
    pool.giveBack(ids!);
    served.push(index);
  };
  const counts = Array.from({ length: 60 }, (_, index) => (index % 3) + 1);
  await Promise.all(counts.map(one));
  expect(served.toSorted((x, y) => x - y)).toEqual([...counts.keys()].filter((index) => counts[index]! <= size));
});

it('existing ones are chosen by what suits, and are not waited for where none does', async () => {
  const pool = new SubscriptionPool('ns', ['a', 'b', 'b']);
  expect(pool.existing).toEqual(['a', 'b']);
  expect(await pool.take({ count: 1, suits: (id) => id === 'b' })).toEqual(['b']);
  expect(await pool.take({ count: 1, suits: (id) => id === 'c' })).toBeUndefined();
  expect(await pool.take({ count: 3 })).toBeUndefined();
});

it('existing ones are no longer waited for where none suits any more, and the next case is served', async () => {
  const pool = new SubscriptionPool('ns', ['a']);
  let suits = true;
  const held = await pool.take({ count: 1 });
  const [waiting, next] = [pool.take({ count: 1, suits: () => suits }), pool.take({ count: 1 })];
  suits = false;
  pool.giveBack(held!);
  expect(await Promise.all([waiting, next])).toEqual([undefined, ['a']]);
});
