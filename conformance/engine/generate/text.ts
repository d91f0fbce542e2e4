/** Free texts: every kind of character that tends to break a service, and shrinking that ends in plain ASCII. */
import * as fc from 'fast-check';
import { arbitraryFrom } from './filter.ts';

export interface TextLimits {
  /** In characters (code points). */
  min: number;
  max: number;
  /** In bytes of UTF-8. */
  maxBytes: number;
}

const PLAIN = withBytes('abcdefghijklmnopqrstuvwxyz ABCXYZ0123456789-_.,:;!?/');
// Quotes and other syntax of JSON, SQL, HTML and shells; NUL and control characters; line separators; combining marks,
// right-to-left text and overrides, a zero-width joiner and a byte order mark; 2, 3 and 4 bytes; non-characters.
const ODD = withBytes(
  '"\'\\`<>&%$#{}[]()\u0000\u0001\u001f\u007f\t\n\r\u0085\u2028\u2029\u0301\u0338\u05d0\u0634\u202e\u200d\ufeff' +
    'éßñüЖ\u00a0€漢字ｦ\ufffd\uffff😀𝒳🏳\u{10ffff}',
);
/** One sample each of 1, 2, 3 and 4 bytes of UTF-8; the first of a row is the simplest. */
const OF_WIDTH = [
  ['a', 'z', '0'],
  ['é', 'Ж', '\u00a0'],
  ['漢', '€', '\u2028'],
  ['😀', '𝒳', '\u{10ffff}'],
];

/**
 * Texts within the limits, most of them short, one in a few in plain ASCII. Never a lone surrogate, which no UTF-8 can
 * hold. Shrinks towards `aaa…`: fewer characters, and ASCII of as many bytes before anything else.
 */
export function text(given: TextLimits): fc.Arbitrary<string> {
  const limits = { ...given, max: Math.min(given.max, given.maxBytes) };
  return arbitraryFrom<string>({
    generate: (random) => new fc.Value(generate(random, limits), undefined),
    canShrinkWithoutContext(value): value is string {
      if (typeof value !== 'string' || !value.isWellFormed()) return false;
      const { length } = [...value];
      return length >= limits.min && length <= limits.max && bytesOf(value) <= limits.maxBytes;
    },
    shrink: (value) => fc.stream(simpler(value, limits)).map((one) => new fc.Value(one, undefined)),
  });
}

/**
 * Texts of exactly `bytes` bytes made of characters of `width` bytes (1 to 4), filled up with ASCII where it does not
 * divide.
 */
export function textOfBytes(bytes: number, width: number): fc.Arbitrary<string> {
  const rest = 'a'.repeat(bytes % width);
  return fc.constantFrom(...(OF_WIDTH[width - 1] ?? [])).map((char) => char.repeat(Math.floor(bytes / width)) + rest);
}

/** Each character with its bytes of UTF-8. */
function withBytes(chars: string): { char: string; bytes: number }[] {
  return Array.from(chars, (char) => ({ char, bytes: bytesOf(char) }));
}

export function bytesOf(value: string): number {
  return Buffer.byteLength(value, 'utf8');
}

function generate(random: fc.Random, { min, max, maxBytes }: TextLimits): string {
  const longest = random.nextInt(0, 9) === 0 ? 120 : 12;
  const length = random.nextInt(min, Math.max(min, Math.min(max, min + longest)));
  const oddness = random.nextInt(0, 3);
  let room = maxBytes;
  let made = '';
  for (let count = 0; count < length; count += 1) {
    const chars = oddness > 0 && random.nextInt(1, 4) <= oddness ? ODD : PLAIN;
    const chosen = chars[random.nextInt(0, chars.length - 1)]!;
    // The characters that `min` still asks for must fit behind this one.
    const isTooWide = room - chosen.bytes < Math.max(0, min - count - 1);
    const { char, bytes } = isTooWide ? { char: 'a', bytes: 1 } : chosen;
    room -= bytes;
    if (room < 0) break;
    made += char;
  }
  return made;
}

/** Each has fewer characters beyond ASCII; or as many, and is shorter; or as long, with more of the letter a. */
function* simpler(value: string, { min, max }: TextLimits): Generator<string> {
  const chars = [...value];
  const plain = (length: number) => 'a'.repeat(length);
  if (value !== plain(min)) yield plain(min);
  const bytes = bytesOf(value);
  // A failure that depends on the number of bytes alone is shown best in ASCII.
  if (bytes > chars.length && bytes <= max) yield plain(bytes);
  if (value !== plain(chars.length)) yield plain(chars.length);
  for (let drop = Math.ceil((chars.length - min) / 2); drop >= 1; drop = drop === 1 ? 0 : Math.ceil(drop / 2)) {
    yield chars.slice(0, chars.length - drop).join('');
    yield chars.slice(drop).join('');
  }
  for (const [index, char] of chars.entries()) {
    if (chars.length > min) yield chars.toSpliced(index, 1).join('');
    if (char !== 'a') yield chars.with(index, 'a').join('');
  }
}
