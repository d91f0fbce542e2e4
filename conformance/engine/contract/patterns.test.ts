import { expect, test } from 'vitest';
import { expressionOf, matcherOf, mayBeSlow } from './patterns.ts';

test.each([
  ['^([a-z0-9]+[-_. ]?)+$', true],
  ['(a*)*', true],
  [String.raw`^(\w+\s?){2,}$`, true],
  ['^[a-z]+$', false],
  [String.raw`^(a\+)+$`, false],
  ['^([+*]x)+$', false],
  ['^(a|b){1,3}$', false],
])('%s may take exponential time: %s', (pattern, is) => {
  expect(mayBeSlow(pattern)).toBe(is);
});

test('a pattern that would backtrack for ever is matched in no time', () => {
  const matcher = matcherOf('^([a-z0-9]+[-_. ]?)+$');
  expect(matcher.test(`${'a'.repeat(50_000)}!`)).toBe(false);
  expect(matcher.test('a-b c')).toBe(true);
});

test.each([
  ['(?i)abc', 'xABC', 'ab'],
  ['^(?i)abc$', 'Abc', 'Abcd'],
  [String.raw`\Aab\z`, 'ab', 'abc'],
  ['^(?P<y>a)(?P=y)$', 'aa', 'ab'],
  [String.raw`^[\w\-]+$`, 'a-b', 'a b'],
])('%s, as other languages write it, matches %j and not %j', (pattern, right, wrong) => {
  expect([right, wrong].map((text) => expressionOf(pattern).test(text))).toEqual([true, false]);
});

test.each(['[', '(?<=', 'a{2,1}'])('%s is refused with a reason', (pattern) => {
  expect(() => matcherOf(pattern)).toThrow(/is not a regular expression/);
});

test('a pattern that linear time cannot match is refused, and not tried', () => {
  expect(() => matcherOf('^(?=a)(a+)+$')).toThrow(/may take exponential time/);
});
