/**
 * Bodies whose texts nobody has sent before: a service may refuse two things with the same name,
 * address or code.
 */
import { setMember } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest, texts } from '../contract/shape.ts';
import { CHANCE, type Random } from './random.ts';

/** A text of fewer characters may come again by chance. */
const ENOUGH = 8;

/** The texts that a body keeps, and the source of its other texts. */
export interface Freshness {
  /** Names of members that stay as they are; default: none. */
  keep?: readonly string[] | undefined;
  /** Default: chance. */
  random?: Random | undefined;
}

/**
 * A body as valid as this one, with other texts in its members, if the schema allows other ones.
 */
export function freshBody(
  contract: Contract,
  pointers: readonly string[],
  body: unknown,
  { keep = [], random = CHANCE }: Freshness = {},
): unknown {
  if (!isObject(body)) {
    return body;
  }
  const { property } = shapeOf(contract, ...pointers);
  const fresh: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(body)) {
    const shape = property(name);
    const isKept = keep.includes(name) || shape === undefined || shape.choices !== undefined;
    if (typeof value !== 'string' || isKept) {
      continue;
    }
    const isAllowed = (text: string) => satisfies(contract, pointers, { ...fresh, [name]: text });
    const candidates = freshTexts(shape, value, random);
    const found = candidates.find(isAllowed);
    if (found !== undefined) {
      setMember(fresh, name, found);
    } else if (candidates.length > 0) {
      setMember(fresh, name, changedWhereAllowed(value, random, isAllowed));
    }
  }
  return fresh;
}

/**
 * Texts to try, the best first: of the same kinds of characters, and of the same length if that is
 * a limit.
 */
function freshTexts(shape: Shape, text: string, random: Random): string[] {
  const word = letters(ENOUGH, random);
  const other = otherText(text, random);
  const [format] = texts(shape, 'format');
  if (format === 'email') {
    const host = text.slice(text.lastIndexOf('@'));
    return [`${word}${host}`];
  }
  if (format === 'uri' || format === 'uri-reference') {
    const withoutQuery = text.replace(/[?#].*$/s, '').replace(/\/$/, '');
    return [`${withoutQuery}/${word}`];
  }
  if (format === 'uuid') {
    return [random.uuid()];
  }
  // Any other format has few texts, and its letters have a meaning.
  if (format !== undefined && !/^(password|byte)$/.test(format)) {
    return [];
  }
  const length = [...text].length;
  const isOnLimit = [strictest(shape, 'minLength'), strictest(shape, 'maxLength')].includes(length);
  if (length < ENOUGH && !isOnLimit) {
    return [text + word, word + text, other];
  }
  return [other];
}

/** The text with each character changed that may be another one: those of a pattern stay. */
export function changedWhereAllowed(
  text: string,
  random: Random,
  isAllowed: (text: string) => boolean,
): string {
  let chars = [...text];
  for (const at of chars.keys()) {
    const changed = chars.with(at, otherOfKind(chars[at] ?? '', random));
    if (at < MOST_CHANGED && isAllowed(changed.join(''))) {
      chars = changed;
    }
  }
  return chars.join('');
}

/** A text is another one long before so many of its characters are. */
const MOST_CHANGED = 40;

/** A text with other characters of the same kinds. */
export const otherText = (text: string, random: Random): string =>
  Array.from(text, (char) => otherOfKind(char, random)).join('');

/** So many random lower-case letters of ASCII. */
export function letters(length: number, random: Random = CHANCE): string {
  return Array.from({ length }, () => otherOfKind('a', random)).join('');
}

/** Characters of one kind, from the first code point to the last. */
interface Kind {
  first: number;
  last: number;
}

const KINDS: readonly Kind[] = [
  kindFrom('0', '9'),
  kindFrom('A', 'Z'),
  kindFrom('a', 'z'),
  kindFrom('à', 'ö'),
  kindFrom('一', '龥'),
  kindFrom('😀', '😏'),
];

function kindFrom(first: string, last: string): Kind {
  return { first: codeOf(first), last: codeOf(last) };
}

function codeOf(char: string): number {
  const code = char.codePointAt(0);
  if (code === undefined) {
    throw new Error('an empty text has no code point');
  }
  return code;
}

function otherOfKind(char: string, random: Random): string {
  const code = codeOf(char);
  const kind = KINDS.find(({ first, last }) => code >= first && code <= last);
  const { first, last } = kind ?? { first: code, last: code };
  return String.fromCodePoint(random.between(first, last));
}
