/**
 * Lending, as far as runs of ../command/shared.test.ts do not show it: what suits, one case at a
 * time, no deadlock.
 */
import { expect, it } from 'vitest';
import { SubscriptionPool } from './tracker.ts';

it('a wait for existing ones ends when none suits, and the next case is served', async () => {
  const pool = new SubscriptionPool('ns', ['a']);
  let suits = true;
  const held = await pool.take({ count: 1 });
  const waiting = pool.take({ count: 1, suits: () => suits });
  const next = pool.take({ count: 1 });
  suits = false;
  pool.giveBack(held!);
  expect(await Promise.all([waiting, next])).toEqual([undefined, ['a']]);
});
