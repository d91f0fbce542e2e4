/**
 * Texts that match a pattern. fast-check makes them from the syntax of the pattern; it knows
 * neither lookaround, word boundaries nor references to groups, for which texts are put together
 * from texts that the parts of the pattern match.
 */
import * as fc from 'fast-check';
import { entry } from '../contract/load.ts';
import { expressionOf, matcherOf } from '../contract/patterns.ts';
import { accepted } from './filter.ts';

const patterned = new Map<string, fc.Arbitrary<string>>();

/**
 * Made once for each pattern: a class such as `\p{Letter}` takes a quarter of a second.
 * @throws Unsupported
 */
export function textMatching(pattern: string, maxLength: number): fc.Arbitrary<string> {
  return entry(patterned, `${maxLength} ${pattern}`, () => {
    if (hasAssertions(pattern)) {
      return assembled(pattern, maxLength);
    }
    const texts = matching(expressionOf(pattern), maxLength);
    if (!/\\p\{/i.test(pattern)) {
      return texts;
    }
    return ofKnownLetters(texts, pattern);
  });
}

/** With the flag `i`, which fast-check does not know, letters have the case of the pattern. */
function matching(expression: RegExp, maxLength: number): fc.Arbitrary<string> {
  const cased = new RegExp(expression.source, expression.flags.replace('i', ''));
  return fc.stringMatching(cased, Number.isFinite(maxLength) ? { maxLength } : {});
}

/**
 * Scripts that are complete since Unicode 9: the libraries of some languages know no later letters.
 */
const KNOWN_SCRIPTS = [
  String.raw`\0-\u024f`,
  String.raw`\u0391-\u03a1\u03a3-\u03ce`,
  String.raw`\u0400-\u04ff`,
  String.raw`\u05d0-\u05ea`,
  String.raw`\u0621-\u064a`,
  String.raw`\u0904-\u0939`,
  String.raw`\u0e01-\u0e30`,
  String.raw`\u3041-\u3096\u30a1-\u30fa`,
  String.raw`\u4e00-\u9fa5\u{20000}-\u{2a6d6}`,
  String.raw`\uac00-\ud7a3`,
  String.raw`\u{1f600}-\u{1f640}`,
];

const KNOWN_LETTERS = new RegExp(`^[${KNOWN_SCRIPTS.join('')}]*$`, 'u');

/**
 * Texts of letters of known scripts. Most letters belong to a few scripts, so that some tries are
 * enough.
 */
function ofKnownLetters(texts: fc.Arbitrary<string>, pattern: string): fc.Arbitrary<string> {
  return accepted(texts, `text of known letters for ${pattern}`, (text) =>
    KNOWN_LETTERS.test(text),
  );
}

/** Lookaround, `\b` and `\B`, and references to groups. */
const ASSERTION = /\\[bB1-9]|\\k<|\(\?<?[=!]/;

/** An escaped backslash, or a set of characters. */
const WITHOUT_ASSERTION = /\\\\|\[(?:\\.|[^\]\\])*\]/g;

const hasAssertions = (pattern: string): boolean =>
  ASSERTION.test(pattern.replaceAll(WITHOUT_ASSERTION, 'x'));

/** A pattern, taken apart. */
interface Parts {
  /** The pattern without its assertions; in place of references to groups, it has `REFERENCE`. */
  plain: string;
  /** The patterns that must match somewhere ahead, without the `.*` before them. */
  ahead: string[];
}

/** Stands for a reference to a group: its text is known once the group has a text. */
const REFERENCE = '\u{e000}';

const LOOKAROUND = /^\(\?<?[=!]/;
const ESCAPE = /^\\(?:k<\w+>|[^])/;
const SET = /^\[(?:\\.|[^\]\\])*\]/;

/** Takes the assertions out of the pattern. */
function partsOf(pattern: string): Parts {
  const ahead: string[] = [];
  let plain = '';
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const [group] = LOOKAROUND.exec(rest) ?? [];
    const [escape] = ESCAPE.exec(rest) ?? [];
    const [set] = SET.exec(rest) ?? [];
    if (group !== undefined) {
      const end = closingOf(pattern, at);
      if (group === '(?=') {
        const body = pattern.slice(at + group.length, end).replace(/^\.\*\??/, '');
        ahead.push(body.replace(/\$$/, ''));
      }
      at = end + 1;
    } else if (escape !== undefined) {
      plain += withoutAssertion(escape);
      at += escape.length;
    } else {
      const token = set ?? rest.charAt(0);
      plain += token;
      at += token.length;
    }
  }
  return { plain, ahead };
}

function withoutAssertion(escape: string): string {
  if (/^\\(?:k<|[1-9])/.test(escape)) {
    return REFERENCE;
  }
  if (/^\\[bB]$/.test(escape)) {
    return '';
  }
  return escape;
}

/** The index of the parenthesis that closes the one at `start`. */
function closingOf(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === '\\') {
      at += 1;
    } else if (pattern[at] === '[') {
      const [set = ''] = SET.exec(pattern.slice(at)) ?? [];
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

/** More tries than elsewhere: each text is put together from parts that may not fit. */
const TRIES = 2_000;

function assembled(pattern: string, maxLength: number): fc.Arbitrary<string> {
  const matcher = matcherOf(pattern);
  const { plain, ahead } = partsOf(pattern);
  const base = matching(expressionOf(plain), maxLength);
  const pieces = ahead.filter((one) => !hasAssertions(one)).map((one) => pieceFor(one));
  const places = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });
  const texts = fc.tuple(base, fc.tuple(...pieces), places).map(([text, parts, at]) => {
    const complete = withReferences(plain, text);
    return withPieces(complete, parts, at);
  });
  const isRight = (text: string) => [...text].length <= maxLength && matcher.test(text);
  return accepted(texts, `text that matches ${pattern}`, isRight, TRIES);
}

/** A short text that matches a part. */
function pieceFor(part: string): fc.Arbitrary<string> {
  return matching(expressionOf(`^(?:${part})$`), 20);
}

/**
 * The text with the pieces in place of some of its characters, or between them.
 * @param places any numbers, which stand for positions
 */
function withPieces(text: string, pieces: readonly string[], places: readonly number[]): string {
  const characters = [...text];
  for (const [index, piece] of pieces.entries()) {
    const place = places[index % places.length] ?? 0;
    const at = place % (characters.length + 1);
    const replaced = place % 2 === 0 ? [...piece].length : 0;
    characters.splice(at, replaced, ...piece);
  }
  return characters.join('');
}

/** The text with references replaced by the match of its first group. */
function withReferences(plain: string, text: string): string {
  if (!text.includes(REFERENCE)) {
    return text;
  }
  const [, first = ''] = expressionOf(plain).exec(text) ?? [];
  return text.replaceAll(REFERENCE, first);
}
