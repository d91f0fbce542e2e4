/** Free texts: every kind of character that tends to break a service. */
import * as fc from 'fast-check';

export interface TextLimits {
  /** In characters (code points). */
  min: number;
  max: number;
  /** In bytes of UTF-8. */
  maxBytes: number;
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyz ABCXYZ0123456789-_.,:;!?/';
// Quotes and other syntax of JSON, SQL, HTML and shells; NUL and control characters; line separators; combining marks,
// right-to-left text and overrides, a zero-width joiner and a byte order mark; 2, 3 and 4 bytes; non-characters.
const ODD =
  '"\'\\`<>&%$#{}[]()\u0000\u0001\u001f\u007f\t\n\r\u0085\u2028\u2029\u0301\u0338\u05d0\u0634\u202e\u200d\ufeff' +
  'éßñüЖ\u00a0€漢字ｦ\ufffd\uffff😀𝒳🏳\u{10ffff}';
/** One sample each of 1, 2, 3 and 4 bytes of UTF-8; the first of a row is the simplest. */
const OF_WIDTH = [
  ['a', 'z', '0'],
  ['é', 'Ж', '\u00a0'],
  ['漢', '€', '\u2028'],
  ['😀', '𝒳', '\u{10ffff}'],
];

/**
 * Texts within the limits, most of them short, one in a few in plain ASCII. Never a lone surrogate, which no UTF-8 can
 * hold.
 */
export function text({ min, max, maxBytes }: TextLimits): fc.Arbitrary<string> {
  // As many characters as `min` asks for must fit.
  const odd = [...ODD].filter((char) => Buffer.byteLength(char) * min <= maxBytes);
  const textsOver = (chars: string[]) =>
    fc.string({ unit: fc.constantFrom(...chars), minLength: min, maxLength: Math.max(min, Math.min(max, maxBytes)) });
  return fc
    .oneof(textsOver([...PLAIN]), textsOver([...odd, ...PLAIN]), textsOver([...odd, 'a']))
    .filter((value) => Buffer.byteLength(value) <= maxBytes);
}

/**
 * Texts of exactly `bytes` bytes made of characters of `width` bytes (1 to 4), filled up with ASCII where it does not
 * divide.
 */
export function textOfBytes(bytes: number, width: number): fc.Arbitrary<string> {
  const rest = 'a'.repeat(bytes % width);
  return fc.constantFrom(...(OF_WIDTH[width - 1] ?? [])).map((char) => char.repeat(Math.floor(bytes / width)) + rest);
}
