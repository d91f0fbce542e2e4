/** Lending: nobody waits while holding something, so nobody waits for ever. */
import { describe, expect, it } from 'vitest';
import { SubscriptionPool } from './subscriptions.ts';

describe('subscriptions of its own', () => {
  it('are new each time, and named after the run', async () => {
    const pool = new SubscriptionPool('ns', []);
    expect([await pool.take({ count: 2 }), await pool.take({ count: 1 })]).toEqual([['ns-1', 'ns-2'], ['ns-3']]);
    expect([pool.shared, pool.made('ns-1'), pool.made('other')]).toEqual([false, true, false]);
  });
});

describe('existing subscriptions', () => {
  it('are lent to one case at a time, in the order of asking', async () => {
    const pool = new SubscriptionPool('ns', ['a']);
    const order: number[] = [];
    const cases = [1, 2, 3].map(async (n) => {
      const ids = await pool.take({ count: 1 });
      order.push(n);
      pool.giveBack(ids!);
      return ids;
    });
    expect(await Promise.all(cases)).toEqual([['a'], ['a'], ['a']]);
    expect(order).toEqual([1, 2, 3]);
  });

  it.each([1, 2, 3, 4])('never make cases wait for each other, with a pool of %i', async (size) => {
    const pool = new SubscriptionPool(
      'ns',
      Array.from({ length: size }, (_, index) => `s${index}`),
    );
    const lent = new Set<string>();
    let served = 0;
    const one = async (count: number) => {
      const ids = await pool.take({ count });
      if (count > size) return expect(ids).toBeUndefined();
      for (const id of ids!) {
        expect(lent).not.toContain(id);
        lent.add(id);
      }
      await new Promise((resolve) => setImmediate(resolve));
      for (const id of ids!) lent.delete(id);
      pool.giveBack(ids!);
      served++;
    };
    const counts = Array.from({ length: 60 }, (_, index) => (index % 3) + 1);
    await Promise.all(counts.map(one));
    expect(served).toBe(counts.filter((count) => count <= size).length);
    expect(lent).toEqual(new Set());
  });

  it('are chosen by what suits, and are not waited for where none does', async () => {
    const pool = new SubscriptionPool('ns', ['a', 'b', 'b']);
    expect(pool.existing).toEqual(['a', 'b']);
    expect(await pool.take({ count: 1, suits: (id) => id === 'b' })).toEqual(['b']);
    expect(await pool.take({ count: 1, suits: (id) => id === 'c' })).toBeUndefined();
    expect(await pool.take({ count: 3 })).toBeUndefined();
  });

  it('are no longer waited for where none suits any more, and the next case is served', async () => {
    const pool = new SubscriptionPool('ns', ['a']);
    let suits = true;
    const held = await pool.take({ count: 1 });
    const [waiting, next] = [pool.take({ count: 1, suits: () => suits }), pool.take({ count: 1 })];
    suits = false;
    pool.giveBack(held!);
    expect(await Promise.all([waiting, next])).toEqual([undefined, ['a']]);
  });
});
