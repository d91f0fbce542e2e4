import { expect, test } from 'vitest';
import { endOf, keyIn } from './response-keys.ts';

const at = (location: string) => ({ headers: { location } });

test('a Location that is no URI reference names an item as it stands', () => {
  expect(endOf(at('/jobs/100%'))).toBe('100%');
  expect(keyIn(at('/jobs/%E0%A4%A/'))).toBe('%E0%A4%A');
});

test('the end of a Location is decoded, without its query and its slash', () => {
  expect(endOf(at('http://service/jobs/a%20b/?full=1'))).toBe('a b');
  expect(endOf({ headers: {} })).toBeUndefined();
});
