/**
 * Texts that match a pattern. fast-check makes them from the syntax of the pattern; it knows
 * neither lookaround, word boundaries nor references to groups, for which texts are put together
 * from texts that the parts of the pattern match.
 */
import * as fc from 'fast-check';
import { Unsupported } from '../contract/keywords.ts';
import { entry } from '../contract/load.ts';
import { expressionOf, isForeign, matcherOf } from '../contract/patterns.ts';
import { accepted, possible } from './filter.ts';
import { type Assertion, hasAssertions, type Parts, partsOf } from './pattern-parts.ts';

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
    const texts = matching(expressionOf(pattern || ANYTHING), maxLength);
    if (isForeign(pattern)) {
      return accepted(texts, `plain text for ${pattern}`, (text) => isPlainFor(pattern, text));
    }
    if (!/\\p\{/i.test(pattern)) {
      return texts;
    }
    return ofKnownLetters(texts, pattern);
  });
}

/**
 * Whether the expressions of all languages read the text alike: if the pattern has words of some of
 * them, only printable characters of ASCII are sure to, and those that the pattern names.
 */
export function isPlainFor(pattern: string, text: string): boolean {
  if (!isForeign(pattern)) {
    return true;
  }
  return [...text].every((char) => /[ -~]/.test(char) || pattern.includes(char));
}

/** The pattern of any text: fast-check reads no expression without a token. */
const ANYTHING = '^';

/** With the flag `i`, which fast-check does not know, letters have the case of the pattern. */
function matching(expression: RegExp, maxLength: number): fc.Arbitrary<string> {
  const cased = new RegExp(expression.source, expression.flags.replace('i', ''));
  try {
    return fc.stringMatching(cased, Number.isFinite(maxLength) ? { maxLength } : {});
  } catch (error) {
    const reason = (error as Error).message;
    throw new Unsupported(`no text is known that matches ${expression.source}: ${reason}`);
  }
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

/** More tries than elsewhere: each text is put together from parts that may not fit. */
const TRIES = 2_000;

function assembled(pattern: string, maxLength: number): fc.Arbitrary<string> {
  const matcher = matcherOf(pattern);
  const { plain, assertions, references } = partsOf(pattern);
  const base = matching(expressionOf(plain || ANYTHING), maxLength);
  const pieces = assertions.filter(({ kind }) => kind === 'ahead').flatMap(piecesFor);
  const places = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });
  const texts = fc.tuple(base, fc.tuple(...pieces), places).map(([text, parts, at]) => {
    const complete = withReferences(plain, references, text);
    return withPieces(complete, parts, at);
  });
  const isRight = (text: string) =>
    [...text].length <= maxLength && matcher.test(text) && isPlainFor(pattern, text);
  return accepted(texts, `text that matches ${pattern}`, isRight, TRIES);
}

/**
 * Short texts that match what a lookaround looks for, without any text before it. None if that has
 * assertions itself, or cannot be read alone.
 */
export function piecesFor({ body }: Pick<Assertion, 'body'>): fc.Arbitrary<string>[] {
  const part = body.replace(/^\^?(?:\.\*\??)?/, '').replace(/(?:\.\*\??)?\$?$/, '');
  if (hasAssertions(part)) {
    return [];
  }
  return possible(() => matching(expressionOf(`^(?:${part})$`), LONGEST_PIECE));
}

const LONGEST_PIECE = 20;

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

/** The text with each mark replaced by the match of the group to which it refers. */
function withReferences(plain: string, references: Parts['references'], text: string): string {
  if (references.size === 0) {
    return text;
  }
  const found = expressionOf(plain).exec(text);
  let complete = text;
  for (const [mark, name] of references) {
    const match = found?.groups?.[name] ?? found?.[Number(name)] ?? '';
    complete = complete.replaceAll(mark, match);
  }
  return complete;
}
