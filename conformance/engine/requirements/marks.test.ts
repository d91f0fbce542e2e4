import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isRandom } from './marks.ts';

it.each([
  randomUUID(),
  '507f1f77bcf86cd799439011',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'V1StGXR8_Z5jdHi6B-myT',
  'cus_9s6XKzkNRiz8i3',
])('%s is a random name', (name) => {
  expect(isRandom(name)).toBe(true);
});

it.each(['9', '1234567890123456', 'invoice-2026-000009', 'my-first-document', '2026-11-28', ''])(
  '"%s" is a name that something else may have',
  (name) => {
    expect(isRandom(name)).toBe(false);
  },
);

it('long hexadecimal numbers are random names', () => {
  const names = Array.from({ length: 1_000 }, () => randomBytes(16).toString('hex'));
  expect(names.filter((name) => !isRandom(name)).length).toBeLessThan(5);
});
