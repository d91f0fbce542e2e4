/**
 * Texts that are too long or too short, that a pattern does not match, or that a format refuses.
 */
import * as fc from 'fast-check';
import { BYTE_FORMAT, isTextFormat, SHORTEST } from '../../contract/keywords.ts';
import { matcherOf } from '../../contract/patterns.ts';
import { strictest } from '../../contract/shape.ts';
import { among, type ClausePlace, exactly, type Mutation, realisticOf } from '../build.ts';
import { accepted, samples } from '../filter.ts';
import { notOfFormat } from '../formats.ts';
import { isPlainFor } from '../pattern-texts.ts';
import { stringOf, textOfBytes, textsOfLength, type Width, widestOfLength } from '../strings.ts';
import { assertionMutations } from './assertions.ts';

export function lengthMutations({ build, shape, clause }: ClausePlace): Mutation[] {
  const { keyword, schema } = clause;
  const limit = schema[keyword] as number;
  if (keyword === 'minLength') {
    const fewer = limit - 1;
    const label = `${fewer} characters, one fewer than allowed`;
    const mutations = among(label, textsOfLength(build, shape, fewer));
    // A service may count bytes, or UTF-16 units.
    const widest = fewer > 0 ? widestOfLength(build, shape, fewer) : undefined;
    if (widest !== undefined) {
      mutations.push(exactly(`${fewer} characters of several bytes`, widest));
    }
    return mutations;
  }
  const more = limit + 1;
  // Beside a limit in bytes, only characters of one byte show that this limit is broken.
  if (strictest(shape, 'x-max-bytes') !== undefined) {
    return [exactly(`${more} ASCII characters`, 'a'.repeat(more))];
  }
  const label = `${more} characters, one more than allowed`;
  return among(label, textsOfLength(build, shape, more));
}

export function byteMutations({ shape, clause }: ClausePlace): Mutation[] {
  const limit = clause.schema['x-max-bytes'] as number;
  // So many pass if characters are counted, each of which may have 4 bytes.
  const chars = Math.min(limit, strictest(shape, 'maxLength') ?? limit);
  if (chars <= 0) {
    return [];
  }
  const wide = { label: `${chars} characters of 4 bytes`, values: textOfBytes(chars * 4, 4) };
  return [...ofBytes(limit + 1, ', one more than allowed'), wide];
}

const WIDTHS: readonly Width[] = [1, 2, 3, 4];

/** Texts of so many bytes, in characters of each width. @param remark goes at the end of labels */
export function ofBytes(bytes: number, remark = ''): Mutation[] {
  const widths = WIDTHS.filter((width) => width <= bytes);
  return widths.map((width) => ({
    label: `${bytes} bytes in characters of ${width}${remark}`,
    values: textOfBytes(bytes, width),
  }));
}

/** Characters that a careless expression, trimming or decoding lets through. */
const INSERTED = ['\r\n', ...'\n \u0000/.%*?"\'\\\u00e9\u0661\u{1f600}\u200b-_:A0'];

export function patternMutations({ build, shape, clause }: ClausePlace): Mutation[] {
  const near = Object.entries(realisticOf(build, shape)?.near ?? {});
  const mutations = near.map(([label, value]) => exactly(label, value));
  const valid = stringOf(build, shape);
  const pattern = clause.schema['pattern'] as string;
  const min = strictest(shape, 'minLength') ?? 0;
  const max = strictest(shape, 'maxLength') ?? Infinity;
  mutations.push(...assertionMutations(pattern, { min, max }));
  const changes = [
    changed(valid, 'more behind it', ['append']),
    changed(valid, 'more before it', ['prepend']),
    changed(valid, 'a change in it', ['insert', 'delete', 'replace']),
  ];
  mutations.push(...changes.map((one) => readAlike(pattern, one)));
  const matcher = matcherOf(pattern);
  const swapped = samples(valid, 10).map(inOtherCase);
  const wrong = swapped.filter((text) => !matcher.test(text));
  mutations.push(...among('a valid text in another case', wrong));
  mutations.push(...emptyUnless(matcher.test('')));
  return mutations;
}

type TextMutation = Mutation & { values: fc.Arbitrary<string> };

/** The texts that all languages read alike: see `isPlainFor`. */
function readAlike(pattern: string, { label, values, kind }: TextMutation): Mutation {
  const isAlike = (text: string) => isPlainFor(pattern, text);
  return { label, values: accepted(values, label, isAlike), kind };
}

type Change = 'append' | 'prepend' | 'insert' | 'delete' | 'replace';

/** Valid texts with one of these changes. */
function changed(
  valid: fc.Arbitrary<string>,
  what: string,
  changes: readonly Change[],
): TextMutation {
  const change = fc.constantFrom(...changes);
  const char = fc.constantFrom(...INSERTED);
  const parts = fc.tuple(valid, change, char, fc.nat({ max: 300 }));
  const values = parts.map(([text, how, inserted, at]) => withChange(text, how, inserted, at));
  return { label: `a valid text with ${what}`, values, kind: 'a changed text' };
}

/** @param at any number, which stands for a place in the text */
function withChange(text: string, change: Change, char: string, at: number): string {
  const chars = [...text];
  const index = at % Math.max(1, chars.length);
  switch (change) {
    case 'append':
      return text + char;
    case 'prepend':
      return char + text;
    case 'insert':
      return chars.toSpliced(index, 0, char).join('');
    case 'delete':
      return chars.toSpliced(index, 1).join('');
    case 'replace':
      return chars.toSpliced(index, 1, char).join('');
  }
}

function inOtherCase(text: string): string {
  const swapped = Array.from(text, (char) => {
    if (char === char.toUpperCase()) {
      return char.toLowerCase();
    }
    return char.toUpperCase();
  });
  return swapped.join('');
}

/**
 * An empty text, which may break a `minLength` beside the rule, too: many readers have a special
 * case for it.
 */
function emptyUnless(isRight: boolean): Mutation[] {
  if (isRight) {
    return [];
  }
  return [exactly('an empty text', '')];
}

/** Enough of a text to tell it from the others in a label. */
const LABEL_LENGTH = 30;

function shortened(text: string): string {
  return JSON.stringify(text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH)}…` : text);
}

export function formatMutations({ clause }: ClausePlace): Mutation[] {
  const name = clause.schema['format'] as string;
  const [, bytes] = BYTE_FORMAT.exec(name) ?? [];
  if (bytes !== undefined) {
    return ofBytes(Number(bytes) + 1);
  }
  if (name === 'int32') {
    return among('beyond 32 bits', [2 ** 31, -(2 ** 31) - 1]);
  }
  const allowsEmpty = !isTextFormat(name) || SHORTEST[name] === 0;
  // Each by itself: a service may know all of them but one.
  const wrong = notOfFormat(name).map((text) => exactly(`no ${name}: ${shortened(text)}`, text));
  return [...wrong, ...emptyUnless(allowsEmpty)];
}
