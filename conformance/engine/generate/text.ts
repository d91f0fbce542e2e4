/** Free texts: every kind of character that tends to break a service. */
import * as fc from 'fast-check';

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
 * Texts of `min` to `max` characters (code points) and at most so many bytes of UTF-8: most of them short, one in a few
 * in plain ASCII, and one in ten with up to about a hundred characters. Never a lone surrogate, which no UTF-8 can hold.
 */
export function text(min: number, max: number, maxBytes: number): fc.Arbitrary<string> {
  // As many characters as `min` asks for must fit.
  const odd = [...ODD].filter((char) => Buffer.byteLength(char) * min <= maxBytes);
  const maxLength = Math.max(min, Math.min(max, maxBytes));
  const textsOver = (chars: string[], size: fc.Size) =>
    fc.string({ unit: fc.constantFrom(...chars), minLength: min, maxLength, size });
  const short = [[...PLAIN], [...odd, ...PLAIN], [...odd, 'a']].map((chars) => textsOver(chars, 'small'));
  return fc
    .oneof(
      { weight: 9, arbitrary: fc.oneof(...short) },
      { weight: 1, arbitrary: textsOver([...odd, ...PLAIN], 'medium') },
    )
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
