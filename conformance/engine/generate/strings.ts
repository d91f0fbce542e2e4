/** Texts that satisfy the string keywords of a shape, and texts of a given size. */
import * as fc from 'fast-check';
import { sendableSize } from '../contract/keywords.ts';
import {
  isPatterned,
  placesOf,
  type Shape,
  shapeWith,
  strictest,
  texts,
} from '../contract/shape.ts';
import { type Build, fits, fitsApartFromLength, realisticOf } from './build.ts';
import { accepted } from './filter.ts';
import { textsOfFormat, textsOfFormatAndLength } from './formats.ts';
import { edgesOfPattern } from './pattern-edges.ts';
import { textMatching } from './pattern-texts.ts';
import { shrinking } from './shrink.ts';

/** Far more than any service needs, and few enough to make many of them. */
const MOST_OPTIONAL_CHARACTERS = 4096;

/** Texts that the shape allows. @throws Unsupported for texts that are too long to send */
export function stringOf(build: Build, given: Shape): fc.Arbitrary<string> {
  // Otherwise null would be the simplest of them.
  const shape = shapeWith(given, { types: new Set(['string']) });
  const min = sendableSize(strictest(shape, 'minLength') ?? 0, 'characters', placesOf(shape));
  const max = strictest(shape, 'maxLength') ?? Infinity;
  const isRight = (value: string): boolean => fits(build, shape, value);
  const realistic = realisticOf(build, shape)?.values;
  if (realistic && fc.sample(realistic, { numRuns: 30, seed: 1 }).every(isRight)) {
    return shrinking(build, shape, realistic);
  }
  const source = textsByRule(shape, max);
  if (source) {
    const what = `text for ${placesOf(shape)}`;
    const isRightText = (value: string) => value.isWellFormed() && isRight(value);
    return shrinking(build, shape, accepted(source, what, isRightText));
  }
  const maxBytes = strictest(shape, 'x-max-bytes') ?? Infinity;
  const free = freeText(min, Math.min(max, min + MOST_OPTIONAL_CHARACTERS), maxBytes);
  return shrinking(build, shape, free);
}

/**
 * Texts of the first known format, or that match the first pattern; undefined if the shape has
 * neither.
 */
function textsByRule(shape: Shape, maxLength: number): fc.Arbitrary<string> | undefined {
  for (const format of texts(shape, 'format')) {
    const known = textsOfFormat(format);
    if (known) {
      return known;
    }
  }
  const [pattern] = texts(shape, 'pattern');
  if (pattern === undefined) {
    return undefined;
  }
  return textMatching(pattern, maxLength);
}

type IsRight = (value: string) => boolean;

/** Texts of so many characters that satisfy all other rules, the simplest first. */
export function textsOfLength(build: Build, shape: Shape, length: number): string[] {
  if (length < 0) {
    return [];
  }
  const isRight = (value: string): boolean => fitsApartFromLength(build, shape, value);
  const realistic = realisticOf(build, shape);
  if (realistic?.ofLength) {
    return realistic.ofLength(length).filter(isRight);
  }
  if (!isPatterned(shape)) {
    return repeatedCharacters(shape, length).filter(isRight);
  }
  for (const format of texts(shape, 'format')) {
    const known = textsOfFormatAndLength(format, length);
    if (known !== undefined) {
      return known.filter(isRight);
    }
  }
  const edges = Object.values(realistic?.edges ?? {});
  const exact = edges.filter((edge) => lengthOf(edge) === length && isRight(edge));
  if (exact.length > 0) {
    return exact;
  }
  const samples = [...fc.sample(stringOf(build, shape), { numRuns: 60, seed: 1 }), ...edges];
  const found = stretched(samples, length, isRight);
  if (found.length === 0 && length <= 3) {
    return shortTexts(samples, length).filter(isRight).slice(0, ENOUGH_TEXTS);
  }
  return found;
}

/** Texts with each character that a set of the pattern names, in the place of that set. */
export function textsOnEdges(build: Build, shape: Shape): string[] {
  const patterns = texts(shape, 'pattern');
  const [pattern] = patterns;
  // A format says more than its pattern.
  if (pattern === undefined || patterns.length > 1 || texts(shape, 'format').length > 0) {
    return [];
  }
  const isRight = (value: string): boolean => value.isWellFormed() && fits(build, shape, value);
  const samples = fc.sample(stringOf(build, shape), { numRuns: 60, seed: 1 });
  return edgesOfPattern(pattern, samples, isRight);
}

/** Characters of two, three and four bytes; the last has two UTF-16 units. */
const WIDE = ['é', '漢', '😀'];

/** The bytes of a text that is not too long to be sent in characters of several bytes. */
const MOST_WIDE_BYTES = 65536;

/**
 * A text of so many characters that satisfies all other rules, with as many bytes as it can have;
 * undefined if characters of several bytes are not allowed.
 */
export function widestOfLength(build: Build, shape: Shape, length: number): string | undefined {
  const isRight = (value: string): boolean => fitsApartFromLength(build, shape, value);
  const { ofLength } = realisticOf(build, shape) ?? {};
  if (!ofLength && length * 4 > MOST_WIDE_BYTES) {
    return undefined;
  }
  const known = ofLength ? ofLength(length).filter(isRight) : [];
  const all = [...known, ...(ofLength ? [] : widened(build, shape, length))];
  const [widestText] = all
    .filter((text) => text.length > length || Buffer.byteLength(text) > length)
    .toSorted((one, other) => Buffer.byteLength(other) - Buffer.byteLength(one));
  return widestText;
}

/** Samples in which one wide character is repeated until they have the length. */
function widened(build: Build, shape: Shape, length: number): string[] {
  const isRight = (value: string): boolean => fitsApartFromLength(build, shape, value);
  const samples = fc.sample(stringOf(build, shape), { numRuns: 20, seed: 1 });
  const shortest = ['', ...samples].toSorted((one, other) => one.length - other.length);
  for (const char of WIDE.toReversed()) {
    for (const sample of shortest.slice(0, ENOUGH_TEXTS)) {
      const found = lengthened(sample, char, length).find(isRight);
      if (found !== undefined) {
        return [found];
      }
    }
  }
  return [];
}

/** The sample with the character repeated in each place: at its end first. */
function lengthened(sample: string, char: string, length: number): string[] {
  const chars = [...sample];
  const missing = length - chars.length;
  if (missing <= 0 || chars.length > MOST_PLACES) {
    return [];
  }
  const places = Array.from({ length: chars.length + 1 }, (_, index) => chars.length - index);
  return places.map((at) => chars.toSpliced(at, 0, char.repeat(missing)).join(''));
}

/** A longer sample is not tried in each of its places. */
const MOST_PLACES = 12;

const ENOUGH_TEXTS = 4;

/** In code points. */
const lengthOf = (text: string): number => [...text].length;

/**
 * Texts of one character repeated. A service that counts UTF-16 units or bytes takes some for
 * longer than they are.
 */
function repeatedCharacters(shape: Shape, length: number): string[] {
  const mostBytes = strictest(shape, 'x-max-bytes') ?? Infinity;
  const found = ['a'.repeat(length)];
  const isShort = length * 4 <= MOST_WIDE_BYTES;
  if (isShort) {
    const wide = WIDE.map((char) => char.repeat(length));
    found.push(...wide.filter((text) => Buffer.byteLength(text) <= mostBytes));
  }
  return found;
}

/** Samples that have the length, or get it if a piece of them is repeated. */
function stretched(samples: readonly string[], length: number, isRight: IsRight): string[] {
  const found = new Set<string>();
  for (const sample of samples.toSorted((one, other) => one.length - other.length)) {
    if (lengthOf(sample) === length) {
      found.add(sample);
    }
    const longer = pump(sample, length, isRight);
    if (longer !== undefined) {
      found.add(longer);
    }
    if (found.size >= ENOUGH_TEXTS) {
      break;
    }
  }
  return [...found];
}

/**
 * `sample` with one piece of at most three characters repeated until it has `length` characters and
 * is right.
 */
function pump(sample: string, length: number, isRight: IsRight): string | undefined {
  const chars = [...sample];
  const missing = length - chars.length;
  if (missing <= 0) {
    return undefined;
  }
  for (let size = 1; size <= 3; size += 1) {
    if (missing % size !== 0) {
      continue;
    }
    // From the end: the beginning often is a scheme or a name with a meaning.
    for (let start = chars.length - size; start >= 0; start -= 1) {
      const head = chars.slice(0, start).join('');
      const piece = chars.slice(start, start + size).join('');
      const tail = chars.slice(start).join('');
      const candidate = head + piece.repeat(missing / size) + tail;
      if (isRight(candidate)) {
        return candidate;
      }
    }
  }
  return undefined;
}

/** Every text of `length` characters over the characters that the samples begin with. */
function shortTexts(samples: readonly string[], length: number): string[] {
  const chars = new Set(`aA0.-_:/${samples.join('').slice(0, 400)}`);
  const alphabet = [...chars].slice(0, 30);
  let made = [''];
  for (let count = 0; count < length; count += 1) {
    made = made.flatMap((head) => alphabet.map((char) => head + char));
  }
  return made;
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyz ABCXYZ0123456789-_.,:;!?/';
/**
 * Each kind of character that tends to break a service: quotes and other syntax of JSON, SQL, HTML
 * and shells; NUL and control characters; line separators; combining marks, right-to-left text and
 * overrides, a zero-width joiner and a byte order mark; 2, 3 and 4 bytes; non-characters.
 */
const ODD =
  '"\'\\`<>&%$#{}[]()\u0000\u0001\u001f\u007f\t\n\r\u0085\u2028\u2029' +
  '\u0301\u0338\u05d0\u0634\u202e\u200d\ufeff' +
  'éßñüЖ\u00a0€漢字ｦ\ufffd\uffff😀𝒳🏳\u{10ffff}';

/**
 * Texts of `min` to `max` code points, most of them short. No lone surrogates, which UTF-8 cannot
 * hold.
 */
function freeText(min: number, max: number, maxBytes: number): fc.Arbitrary<string> {
  // As many characters as `min` asks for must fit.
  const odd = [...ODD].filter((char) => Buffer.byteLength(char) * min <= maxBytes);
  const maxLength = Math.max(min, Math.min(max, maxBytes));
  const textsOver = (chars: string[], size: fc.Size) =>
    fc.string({ unit: fc.constantFrom(...chars), minLength: min, maxLength, size });
  const alphabets = [[...PLAIN], [...odd, ...PLAIN], [...odd, 'a']];
  const short = alphabets.map((chars) => textsOver(chars, 'small'));
  const long = textsOver([...odd, ...PLAIN], 'medium');
  const all = fc.oneof(
    { weight: 9, arbitrary: fc.oneof(...short) },
    { weight: 1, arbitrary: long },
  );
  return all.filter((value) => Buffer.byteLength(value) <= maxBytes);
}

/** Some characters by the number of their bytes in UTF-8; the first of a list is the simplest. */
const OF_WIDTH = { 1: 'az0', 2: 'éЖ\u00a0', 3: '漢€\u2028', 4: '😀𝒳\u{10ffff}' };

export type Width = keyof typeof OF_WIDTH;

/**
 * Texts of so many bytes, of characters of `width` bytes, filled up with ASCII if the width does
 * not divide them.
 */
export function textOfBytes(bytes: number, width: Width): fc.Arbitrary<string> {
  const count = Math.floor(bytes / width);
  const rest = 'a'.repeat(bytes % width);
  return fc.constantFrom(...OF_WIDTH[width]).map((char) => char.repeat(count) + rest);
}
