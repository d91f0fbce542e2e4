import { expect, test } from 'vitest';
import { LimitedOperations } from './limited-operations.ts';

const IDS = ['addUser', 'logIn'];

test('what one thread finds limited is limited in the others, until its time is over', () => {
  const first = new LimitedOperations(IDS);
  const second = new LimitedOperations(IDS, first.memory);
  expect(second.areThere).toBe(false);
  first.add('logIn', 60_000);
  expect(second.areThere).toBe(true);
  expect(second.has('logIn')).toBe(true);
  expect(second.has('addUser')).toBe(false);
  second.add('logIn', -1);
  expect(first.has('logIn')).toBe(false);
});

test('an operation that the contract does not have is never limited', () => {
  const limited = new LimitedOperations(IDS);
  limited.add('other');
  expect(limited.has('other')).toBe(false);
});
