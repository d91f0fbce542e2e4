/** Lending of existing subscriptions. That no two cases wait for each other, ../command/shared.test.ts shows. */
import { expect, it } from 'vitest';
import { SubscriptionPool } from './tracker.ts';

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
