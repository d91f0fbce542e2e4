/** `--only` and `--skip` choose ids by their beginning or by a glob. */
import { expect, test } from 'vitest';
import { beginningOf, matches } from './id-patterns.ts';

test.each([
  ['add.body', 'add.body.nesting', true],
  ['body', 'add.body.nesting', false],
  ['*.body.nesting', 'add.body.nesting', true],
  ['*.body.nesting', 'add.body.nesting.more', false],
  ['add.*.type', 'add.body.a.b.type', true],
  ['add.*', 'add.201', true],
  ['add*', 'other.add', false],
  ['*a+b(c)*', 'xa+b(c)y', true],
])('%s chooses %s: %s', (pattern, id, isChosen) => {
  expect(matches(pattern, id)).toBe(isChosen);
});

test('ids of a glob begin with what stands before its first star', () => {
  expect(['add.*.type', '*.type', 'add.'].map(beginningOf)).toEqual(['add.', '', 'add.']);
});
