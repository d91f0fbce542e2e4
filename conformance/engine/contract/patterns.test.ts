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
  [String.raw`^[\w-\.]+$`, 'a-.', 'a,'],
  [String.raw`^[+-\d\s-\/]+$`, '+-1 /', '.'],
  [String.raw`^[\\w-z]+$`, String.raw`\wxz`, '-'],
  ['^[[:alpha:]_]+$', 'aZ_', 'a]'],
  ['^[^[:space:]]+$', 'ab', 'a b'],
  [String.raw`\Aab\Z`, 'ab', 'ab\n'],
  [String.raw`^\\A$`, String.raw`\A`, 'A'],
  ['^a++b$', 'aab', 'aa'],
  ['^(?>a|ab)c$', 'ac', 'abc'],
  ['^(?>a|ab)(?#why)c(d)?+$', 'acd', 'abcd'],
  [String.raw`^\Qa.b\E+$`, 'a.bb', 'axb'],
  [String.raw`^\p{Digit}+\h\pL$`, '12 é', '12x'],
  [String.raw`(?s)^a.b\z`, 'a\nb', 'ab'],
])('%s, as other languages write it, matches %j and not %j', (pattern, right, wrong) => {
  expect([right, wrong].map((text) => expressionOf(pattern).test(text))).toEqual([true, false]);
});

test.each(['[', '(?<=', 'a{2,1}', '^(?(1)a|b)$', '(?<!', '(?x) a'])(
  '%s is refused with a reason',
  (pattern) => {
    expect(() => matcherOf(pattern)).toThrow(/is not a regular expression/);
  },
);

test.each([
  String.raw`\Ga`,
  String.raw`\Xb`,
  '^[[:^alpha:]]$',
  '^[[:emoji:]]$',
  String.raw`(?m)\Aa\z`,
  String.raw`^(a)(?>b)\1$`,
])('%s, which languages read differently or ECMA 262 cannot say, is refused', (pattern) => {
  expect(() => matcherOf(pattern)).toThrow(/^the pattern /);
});

test.each(['^[ab]*+b$', '^(?>a+)ab$'])(
  '%s keeps what it has taken, and matches nothing',
  (pattern) => {
    expect(matcherOf(pattern).test('aab')).toBe(false);
  },
);

test('a pattern that linear time cannot match is refused, and not tried', () => {
  expect(() => matcherOf('^(?=a)(a+)+$')).toThrow(/may take exponential time/);
});
