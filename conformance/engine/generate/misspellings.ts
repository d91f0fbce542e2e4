/** Texts that a reader may take for a value of a type, and odd ones. */
import type { Clause } from '../contract/clauses.ts';
import type { Shape } from '../contract/shape.ts';
import { numbersBeyond } from './numbers.ts';

/** Texts that are wrong in the same way. */
export interface Misspelling {
  label: string;
  texts: readonly string[];
  /** Whether readers of common languages take them for a value of the type. */
  isLenient?: true;
}

/**
 * Texts that other languages take for more than a text: C, SQL, shells, templates, paths, JSON in
 * Base64.
 */
export const ODD_TEXTS: readonly string[] = [
  '\u0000',
  'a\u0000b',
  "'",
  '"',
  '\\',
  '%',
  '%00',
  '%s%n%x',
  '${7*7}',
  '{0}',
  "' OR 1=1 --",
  '../a',
  '\r\nX-A: b',
  '\u{1f600}',
  '-1',
  ...['null', '5', '{}', '{"id":null}'].map((json) => Buffer.from(json).toString('base64')),
];

const OF_INTEGER: readonly Misspelling[] = [
  { label: 'an empty text', texts: [''], isLenient: true },
  { label: 'a word', texts: ['abc', 'null', 'NaN', 'Infinity', 'true', 'ten'] },
  { label: 'a fraction', texts: ['1.5', '0.5', '10,5'] },
  { label: 'a fraction without its zero', texts: ['.5'] },
  { label: 'an exponent', texts: ['1e1', '1E1', '1e+1'], isLenient: true },
  { label: 'another base', texts: ['0x10', '0b1', '0o7', 'ff'], isLenient: true },
  { label: 'a plus sign', texts: ['+1', '+10'], isLenient: true },
  { label: 'a leading zero', texts: ['01', '010', '00'], isLenient: true },
  { label: 'white space', texts: [' 5', '5 ', '\t5', '5\n', ' '], isLenient: true },
  { label: 'something behind it', texts: ['5a', '5;', '10,20', '5 6', '1-'] },
  { label: 'an underscore', texts: ['5_0'], isLenient: true },
  { label: 'digits beyond ASCII', texts: ['１０', '٥', '²'], isLenient: true },
  { label: 'brackets', texts: ['[5]', '{}', '"5"'] },
];

const OF_BOOLEAN: readonly Misspelling[] = [
  { label: 'a word', texts: ['yes', '1', '0', 'TRUE', 'on', ''], isLenient: true },
  { label: 'another word', texts: ['perhaps'] },
];

/** Many readers take `.5` for a number: only JSON needs the zero (RFC 8259, 6). */
function lenientForNumbers(one: Misspelling): Misspelling {
  if (one.texts.includes('.5')) {
    return { ...one, isLenient: true };
  }
  return one;
}

/** Misspellings that may break a clause of the value as a whole. */
export function misspellings(shape: Shape, { keyword, path, schema }: Clause): Misspelling[] {
  if (path.length > 0) {
    return [];
  }
  if (keyword === 'pattern') {
    return [{ label: 'odd', texts: ODD_TEXTS }];
  }
  if (keyword === 'maximum') {
    // A long target may be refused as such.
    const isShort = (number: string) => number.length <= 300;
    const beyond = numbersBeyond(keyword, schema[keyword] as number);
    return [{ label: 'odd', texts: beyond.filter(isShort) }];
  }
  if (keyword === 'type' && shape.types.has('integer')) {
    if (shape.types.has('number')) {
      return OF_INTEGER.map(lenientForNumbers);
    }
    return [...OF_INTEGER];
  }
  if (keyword === 'type' && shape.types.has('boolean')) {
    return [...OF_BOOLEAN];
  }
  return [];
}
