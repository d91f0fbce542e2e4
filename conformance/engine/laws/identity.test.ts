/** The time of creation of a service that sends no `Date`, by the clock of the suite. */
import { expect, it } from 'vitest';
import { identityLaws } from './identity.ts';
import type { LawProperty } from './law.ts';
import type { Steps } from './steps.ts';

const MINUTE_MS = 60_000;

/** Steps that create an item with this time, without a `Date`. */
function stepsCreating(createdAt: unknown): Steps {
  const steps = {
    resource: { createdAt: 'created_at' },
    place: async () => ({ path: {}, bodies: [{}] }),
    succeed: async () => ({ headers: {}, json: { created_at: createdAt } }),
  };
  return steps as unknown as Steps;
}

const [property] = identityLaws.createdAt.properties as [LawProperty];
const check = (createdAt: unknown) => property.check(undefined, stepsCreating(createdAt));
const timeAt = (ms: number) => new Date(Date.now() + ms).toISOString();

it.each([-MINUTE_MS / 2, 0, MINUTE_MS / 2])('a time %d ms from now is right', async (ms) => {
  await expect(check(timeAt(ms))).resolves.toBeUndefined();
});

it.each([-2 * MINUTE_MS, 2 * MINUTE_MS])('a time %d ms from now is wrong', async (ms) => {
  await expect(check(timeAt(ms))).rejects.toThrow('`created_at` is not the time of creation.');
});

it.each(['yesterday', null, {}])('%j is wrong', async (createdAt) => {
  await expect(check(createdAt)).rejects.toThrow('`created_at` is not the time of creation.');
});
