/**
 * Patterns of contracts (JSON Schema 2020-12 Validation, 6.3.3): expressions of ECMA 262 and of
 * other languages.
 */
import { createRequire } from 'node:module';
import { Unsupported } from './keywords.ts';
import { entry } from './load.ts';
import { hasPosixSet, translated } from './pattern-syntax.ts';

/** Whether a text matches. Its time is in proportion to the length of the text, or nearly so. */
export interface Matcher {
  test(text: string): boolean;
  /** Differs for each pattern: Ajv takes matchers with the same text for one. */
  toString(): string;
}

interface Compiled {
  expression: RegExp;
  /** The pattern has words of other languages: see `Translation`. */
  isForeign: boolean;
}

const compiled = new Map<string, Compiled>();

/** The expression of a pattern. @throws Unsupported if nothing that is known can read it */
export const expressionOf = (pattern: string): RegExp => compiledFrom(pattern).expression;

/** Whether languages may differ in what the pattern says of characters beyond ASCII. */
export const isForeign = (pattern: string): boolean => compiledFrom(pattern).isForeign;

const compiledFrom = (pattern: string): Compiled =>
  entry(compiled, pattern, () => compilePattern(pattern));

function compilePattern(pattern: string): Compiled {
  const native = hasPosixSet(pattern) ? undefined : compile(pattern, 'u');
  if (native) {
    return { expression: native, isForeign: false };
  }
  const { source, flags, isForeign: isOfOthers } = translated(pattern);
  // Many contracts have braces that need an escape with the flag `u`.
  const expression = compile(source, `u${flags}`) ?? compile(source, flags);
  if (expression === undefined) {
    throw new Unsupported(`the pattern ${pattern} is not a regular expression of ECMA 262`);
  }
  return { expression, isForeign: isOfOthers };
}

function compile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
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
  for (const source of [pattern, expressionOf(pattern).source]) {
    try {
      const expression = RE2JS.compile(source);
      return { test: (text) => expression.matcher(text).find(), toString: () => pattern };
    } catch {
      continue;
    }
  }
  throw new Unsupported(`the pattern ${pattern} may take exponential time to match`);
}
