/** Long values in a few words: their repeated part, and the place at which two of them differ. */

/** In characters. A longer value is shown as its kind. */
export const LONGEST_VALUE = 200;
const BEGINNING = 40;

/** A text that is one character, or a few of them, again and again. */
const REPEATED = /^(.{1,16}?)\1+$/s;

/** A text in quotes; a long one as its kind: `"a" × 4096`. */
export function textInShort(text: string): string {
  if (text.length <= LONGEST_VALUE) {
    return JSON.stringify(text);
  }
  const [, unit] = REPEATED.exec(text) ?? [];
  if (unit !== undefined) {
    return `${JSON.stringify(unit)} × ${text.length / unit.length}`;
  }
  const beginning = JSON.stringify(text.slice(0, BEGINNING)).slice(0, -1);
  return `${beginning}…" (${text.length} characters)`;
}

/** The index of the first character in which they differ. */
export function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) {
    index++;
  }
  return index;
}
