import { expect, test } from 'vitest';
import { letters } from './fresh.ts';
import { CHANCE, seededRandom } from './random.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a seed makes the same choices each time, and another seed makes others', () => {
  const choices = (seed: number) => {
    const random = seededRandom(seed);
    return [letters(12, random), random.uuid(), random.between(1, 1_000_000)];
  };
  expect(choices(1)).toEqual(choices(1));
  expect(choices(1)).not.toEqual(choices(2));
  expect(letters(12)).not.toBe(letters(12));
});

test('both ends of a range are chosen, and nothing beyond them', () => {
  for (const random of [seededRandom(7), CHANCE]) {
    const found = new Set(Array.from({ length: 200 }, () => random.between(3, 5)));
    expect([...found].toSorted()).toEqual([3, 4, 5]);
    expect(random.uuid()).toMatch(UUID);
  }
});
