import { expect, test } from 'vitest';
import { ClaimedNames } from './claimed-names.ts';

test('a name is claimed once, until it is released', () => {
  const names = new ClaimedNames();
  expect(names.claim('ab')).toBe(true);
  expect(names.claim('ab')).toBe(false);
  expect(names.claim('ba')).toBe(true);
  names.release('ab');
  expect(names.claim('ab')).toBe(true);
});

test('another thread knows what is claimed', () => {
  const names = new ClaimedNames();
  names.claim('ab');
  const others = new ClaimedNames(names.memory);
  expect(others.claim('ab')).toBe(false);
  others.release('ab');
  expect(names.claim('ab')).toBe(true);
});
