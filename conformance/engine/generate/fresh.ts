/** Texts that nobody has sent before, such as new names. */
import * as fc from 'fast-check';
import { type Shape, strictest, texts } from '../contract/shape.ts';
import { possible } from './filter.ts';
import { textMatching } from './pattern-texts.ts';
import { CHANCE, type Random, seedFrom } from './random.ts';

/** A text of fewer characters may come again by chance. */
const ENOUGH = 8;

/** What a new text must be like. */
interface Wanted {
  random: Random;
  /** Texts that are not used again, if there are others; the new one is added. */
  taken: Set<string>;
  isAllowed(text: string): boolean;
}

/** Tries to find a text that is not taken: a schema may allow few. */
const MOST_TRIES = 16;

/** Older ones are no longer in the way. */
const MOST_TAKEN = 10_000;

/** Another text as valid as this one; the same one if the schema allows no other one. */
export function freshText(shape: Shape, text: string, wanted: Wanted): string {
  const { random, taken, isAllowed } = wanted;
  let found = text;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const candidates = freshTexts(shape, text, random);
    if (candidates.length === 0) {
      return text;
    }
    found = candidates.find(isAllowed) ?? changedWhereAllowed(text, random, isAllowed);
    if (!taken.has(found)) {
      break;
    }
  }
  if (taken.size >= MOST_TAKEN) {
    taken.clear();
  }
  taken.add(found);
  return found;
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
    return [text + word, word + text, ...longestOfPattern(shape, random), other];
  }
  return [other];
}

/** Among so many texts, one is as long as the pattern allows. */
const SAMPLES = 16;

/** A longer text than this is no name. */
const LONGEST_NAME = 16;

/** What services keep as it is: no spaces, and no letters of other scripts. */
const PLAIN = /^[!-~]+$/;

/** A text of the first pattern, as long as a name may be: a short pattern has few short ones. */
function longestOfPattern(shape: Shape, random: Random): string[] {
  const [pattern] = texts(shape, 'pattern');
  if (pattern === undefined) {
    return [];
  }
  const most = Math.min(LONGEST_NAME, strictest(shape, 'maxLength') ?? LONGEST_NAME);
  const seed = seedFrom(random);
  const sampled = () => fc.sample(textMatching(pattern, most), { numRuns: SAMPLES, seed });
  const made = possible(sampled).flat();
  const plain = made.filter((text) => PLAIN.test(text) && text.length <= LONGEST_NAME);
  const [longest] = plain.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? [] : [longest];
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
