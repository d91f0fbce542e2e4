/**
 * Patterns of contracts (JSON Schema 2020-12 Validation, 6.3.3): expressions of ECMA 262 and of
 * other languages.
 */
import { createRequire } from 'node:module';
import { Unsupported } from './keywords.ts';
import { entry } from './load.ts';

/** Whether a text matches. Its time is in proportion to the length of the text, or nearly so. */
export interface Matcher {
  test(text: string): boolean;
}

const compiled = new Map<string, RegExp | undefined>();

/** The expression of a pattern. @throws Unsupported if it is not valid in ECMA 262 */
export function expressionOf(pattern: string): RegExp {
  const expression = entry(compiled, pattern, () => compileTranslated(pattern) ?? compile(pattern));
  if (expression === undefined) {
    throw new Unsupported(`the pattern ${pattern} is not a regular expression of ECMA 262`);
  }
  return expression;
}

/** Many contracts escape characters that need no escape, which the flag `u` forbids. */
function compile(pattern: string, flags = ''): RegExp | undefined {
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(pattern, unicode + flags);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Flags at the beginning, as Python, Java, Go and PCRE write them. */
const INLINE_FLAGS = /^(\^?)\(\?([ims]+)\)/;

/**
 * The expression of a pattern with flags, ends of the text or names of groups as other languages
 * write them.
 */
function compileTranslated(pattern: string): RegExp | undefined {
  const [, , flags = ''] = INLINE_FLAGS.exec(pattern) ?? [];
  const translated = pattern
    .replace(INLINE_FLAGS, '$1')
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\[zZ]/g, '$')
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`);
  if (translated === pattern) {
    return undefined;
  }
  return compile(translated, flags);
}

/** A repeated group with a repetition inside, for which backtracking may take exponential time. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\d*\})/g;
const UNBOUNDED = /(?<!\\)(?:[*+]|\{\d+,\})/;

/** Whether the pattern repeats a group that itself has a repetition without a limit. */
export function mayBeSlow(pattern: string): boolean {
  const text = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  for (const { index } of text.matchAll(REPEATED_GROUP)) {
    const group = text.slice(openingOf(text, index), index);
    if (UNBOUNDED.test(group)) {
      return true;
    }
  }
  return false;
}

/** The index of the parenthesis that the one at `end` closes. */
function openingOf(text: string, end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (text[at] === ')') {
      depth += 1;
    } else if (text[at] === '(') {
      depth -= 1;
    }
    if (depth === 0) {
      return at;
    }
  }
  return 0;
}

/** RE2 is loaded if a pattern needs it: that takes a while. */
const libraries = createRequire(import.meta.url);

const matchers = new Map<string, Matcher>();

/**
 * The matcher of a pattern.
 * @throws Unsupported if it cannot be compiled, or may take exponential time to match
 */
export function matcherOf(pattern: string): Matcher {
  return entry(matchers, pattern, () =>
    mayBeSlow(pattern) ? linear(pattern) : expressionOf(pattern),
  );
}

/** RE2 takes linear time, and knows neither lookaround nor references to groups. */
function linear(pattern: string): Matcher {
  const { RE2JS } = libraries('re2js') as typeof import('re2js');
  try {
    const expression = RE2JS.compile(pattern);
    return { test: (text) => expression.matcher(text).find() };
  } catch {
    throw new Unsupported(`the pattern ${pattern} may take exponential time to match`);
  }
}
