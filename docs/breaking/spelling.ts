/**
 * Patterns in one spelling. `\0`, `\u0000` and `\x00` are the same character, yet a comparison of texts, as oasdiff makes
 * one, takes another spelling for another rule.
 */
import type { Json } from '../page/json.ts';

/** A copy of the document in which each character below U+0100 that a pattern escapes by its number is `\xHH`. */
export function inOneSpelling(document: Json): Json {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    name === 'pattern' && typeof value === 'string' ? spelled(value) : value,
  ) as Json;
}

/** An escaped backslash is passed over as a pair, so that what follows it is no escape. */
function spelled(pattern: string): string {
  return pattern.replaceAll(
    /\\(?:u00([0-9A-Fa-f]{2})|x([0-9A-Fa-f]{2})|0(?![0-9])|.)/gs,
    (escape, u?: string, x?: string) => {
      if (escape === '\\0') return '\\x00';
      const digits = u ?? x;
      return digits === undefined ? escape : `\\x${digits.toLowerCase()}`;
    },
  );
}
