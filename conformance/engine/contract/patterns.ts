/** Patterns of contracts (JSON Schema 2020-12 Validation, 6.3.3): expressions of ECMA 262, and what people write for them. */
import { createRequire } from 'node:module';
import { Unsupported } from './keywords.ts';
import { entry } from './load.ts';

/** Whether a text matches. Its time is in proportion to the length of the text, or nearly so. */
export interface Matcher {
  test(text: string): boolean;
}

const compiled = new Map<string, RegExp | undefined>();

/** The expression of a pattern. @throws Unsupported for what no expression of ECMA 262 says */
export function expressionOf(pattern: string): RegExp {
  const expression = entry(compiled, pattern, () => compileTranslated(pattern) ?? compile(pattern));
  if (expression === undefined) {
    throw new Unsupported(`the pattern ${pattern} is not a regular expression of ECMA 262`);
  }
  return expression;
}

/** Many contracts escape what needs no escape, which the flag `u` forbids. */
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

/** What other languages write in another way: flags, the ends of the text, and names of groups. */
function compileTranslated(pattern: string): RegExp | undefined {
  const [, , flags = ''] = INLINE_FLAGS.exec(pattern) ?? [];
  const translated = pattern
    .replace(INLINE_FLAGS, '$1')
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\[zZ]/g, '$')
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`);
  return translated === pattern ? undefined : compile(translated, flags);
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
      depth++;
    } else if (text[at] === '(' && --depth === 0) {
      return at;
    }
  }
  return 0;
}

/** It is loaded where a pattern needs it: that takes a while. */
const libraries = createRequire(import.meta.url);

const matchers = new Map<string, Matcher>();

/** @throws Unsupported for a pattern that cannot be compiled, or that can only be matched by trying too much */
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
