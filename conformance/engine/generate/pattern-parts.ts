/**
 * Patterns, taken apart into what a text has and what only looks at it: lookaround, word
 * boundaries, references to groups, and groups that give nothing back.
 */

import { QUANTIFIER, SET } from '../contract/pattern-syntax.ts';

/** Lookaround, `\b` and `\B`, references to groups, atomic groups and possessive quantifiers. */
const ASSERTION = /\\[bB1-9]|\\k<|\(\?P=|\(\?<?[=!]|\(\?>|[*+?}]\+/;

/** An escaped backslash or plus, or a set of characters. */
const WITHOUT_ASSERTION = /\\[\\+*?}]|\[(?:\\.|[^\]\\])*\]/g;

export const hasAssertions = (pattern: string): boolean =>
  ASSERTION.test(pattern.replaceAll(WITHOUT_ASSERTION, 'x'));

/** A part of a pattern that demands something of a text that another part matches. */
export interface Assertion {
  kind: 'ahead' | 'behind' | 'not ahead' | 'not behind' | 'boundary' | 'reference';
  /** As the pattern has it. */
  text: string;
  /** The pattern within a lookaround; `''` for others. */
  body: string;
  /** The pattern without it. A reference is replaced by the group to which it refers. */
  rest: string;
}

export interface Parts {
  /** The pattern without its assertions; in place of references to groups, it has marks. */
  plain: string;
  assertions: readonly Assertion[];
  /** Names or numbers of groups, by the mark that stands for a reference to them. */
  references: ReadonlyMap<string, string>;
}

/** The first of the characters that stand for references: no pattern has them. */
const FIRST_MARK = 0xe000;

const KINDS: Readonly<Record<string, Assertion['kind']>> = {
  '(?=': 'ahead',
  '(?!': 'not ahead',
  '(?<=': 'behind',
  '(?<!': 'not behind',
};

const LOOKAROUND = /^\(\?<?[=!]/;
const REFERENCE = /^(?:\\([1-9]\d?)|\\k<(\w+)>|\(\?P=(\w+)\))/;
const BOUNDARY = /^\\[bB]/;
const ESCAPE = /^\\[^]/;
const LEADING_SET = new RegExp(`^${SET}`);
const LEADING_QUANTIFIER = new RegExp(`^${QUANTIFIER}`);
const POSSESSIVE = /^([*+?]|\{\d+(?:,\d*)?\})\+/;

/** One step through a pattern: the text that it takes, and what stands in the plain pattern. */
interface Step {
  taken: string;
  plain: string;
  assertion?: Assertion;
}

export function partsOf(pattern: string): Parts {
  const assertions: Assertion[] = [];
  const references = new Map<string, string>();
  let plain = '';
  for (let at = 0; at < pattern.length;) {
    const step = stepAt(pattern, at, references);
    if (step.assertion) {
      assertions.push(step.assertion);
    }
    plain += step.plain;
    at += step.taken.length;
  }
  return { plain, assertions, references };
}

function stepAt(pattern: string, at: number, references: Map<string, string>): Step {
  const rest = pattern.slice(at);
  const [opening] = LOOKAROUND.exec(rest) ?? [];
  if (opening !== undefined) {
    return lookaroundAt(pattern, at, opening);
  }
  const [reference, ...names] = REFERENCE.exec(rest) ?? [];
  if (reference !== undefined) {
    const mark = String.fromCharCode(FIRST_MARK + references.size);
    const name = names.find((one) => one !== undefined) ?? '';
    references.set(mark, name);
    const group = groupOf(pattern, name);
    const assertion = asAssertion(pattern, at, { kind: 'reference', text: reference, body: '' });
    return { taken: reference, plain: mark, assertion: replaced(assertion, pattern, at, group) };
  }
  const [boundary] = BOUNDARY.exec(rest) ?? [];
  if (boundary !== undefined) {
    const assertion = asAssertion(pattern, at, { kind: 'boundary', text: boundary, body: '' });
    return { taken: boundary, plain: '', assertion };
  }
  const [possessive, quantifier] = POSSESSIVE.exec(rest) ?? [];
  if (possessive !== undefined && quantifier !== undefined) {
    return { taken: possessive, plain: quantifier };
  }
  if (rest.startsWith('(?>')) {
    return { taken: '(?>', plain: '(?:' };
  }
  const [token = rest.charAt(0)] = ESCAPE.exec(rest) ?? LEADING_SET.exec(rest) ?? [];
  return { taken: token, plain: token };
}

function lookaroundAt(pattern: string, at: number, opening: string): Step {
  const end = closingOf(pattern, at);
  const taken = pattern.slice(at, end + 1);
  const body = pattern.slice(at + opening.length, end);
  const kind = KINDS[opening] ?? 'ahead';
  return { taken, plain: '', assertion: asAssertion(pattern, at, { kind, text: taken, body }) };
}

function asAssertion(pattern: string, at: number, found: Omit<Assertion, 'rest'>): Assertion {
  // A quantifier behind it would repeat something else.
  const behind = pattern.slice(at + found.text.length).replace(LEADING_QUANTIFIER, '');
  return { ...found, rest: pattern.slice(0, at) + behind };
}

/** The assertion, for which another text stands in the rest of the pattern. */
function replaced(
  assertion: Assertion,
  pattern: string,
  at: number,
  group: string | undefined,
): Assertion {
  if (group === undefined) {
    return assertion;
  }
  const end = at + assertion.text.length;
  return { ...assertion, rest: `${pattern.slice(0, at)}(?:${group})${pattern.slice(end)}` };
}

/** The opening of a group that captures, with its name. */
const CAPTURE = /^\((?:\?P?<(\w+)>|(?!\?))/;

/** The pattern within the group of a name or number; undefined if no group has it. */
function groupOf(pattern: string, name: string): string | undefined {
  let number = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const [skipped] = ESCAPE.exec(rest) ?? LEADING_SET.exec(rest) ?? [];
    const [opening, named] = CAPTURE.exec(rest) ?? [];
    if (skipped !== undefined) {
      at += skipped.length - 1;
    } else if (opening !== undefined) {
      number += 1;
      if (named === name || String(number) === name) {
        return pattern.slice(at + opening.length, closingOf(pattern, at));
      }
    }
  }
  return undefined;
}

/** The index of the parenthesis that closes the one at `start`. */
function closingOf(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === '\\') {
      at += 1;
    } else if (pattern[at] === '[') {
      const [set = ''] = LEADING_SET.exec(pattern.slice(at)) ?? [];
      at += Math.max(0, set.length - 1);
    } else if (pattern[at] === '(') {
      depth += 1;
    } else if (pattern[at] === ')') {
      depth -= 1;
    }
    if (depth === 0) {
      return at;
    }
  }
  return pattern.length;
}
