import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textMatching } from './pattern-texts.ts';

test.each([
  String.raw`^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z\d]{8,16}$`,
  String.raw`^(?!admin$)[a-z]{3,8}$`,
  String.raw`\bend$`,
  String.raw`^(['"])[a-z]+\1$`,
  String.raw`^(?<q>a|b)-\k<q>$`,
  String.raw`^(?=.{4,6}$)[a-z]+(-[a-z]+)?$`,
  String.raw`(?=.*[A-Z])(?=.*[a-z])(?=.*\d)`,
  '(?!.*--)',
])('texts that match %s are found', (pattern) => {
  const texts = fc.sample(textMatching(pattern, 64), { numRuns: 20, seed: 1 });
  expect(texts.filter((text) => !new RegExp(pattern, 'u').test(text))).toEqual([]);
  expect(texts).toHaveLength(20);
});

test('letters are those that libraries of all languages know', () => {
  const texts = fc.sample(textMatching(String.raw`^\p{L}{1,3}$`, 3), { numRuns: 50, seed: 1 });
  // Greek with a digamma, and scripts that Unicode has since version 10, are not among them.
  expect(
    texts.filter((text) => /[\u0370-\u0377\u0860-\u086a\u{11d00}-\u{1e95f}]/u.test(text)),
  ).toEqual([]);
});
