/**
 * Numbers of JSON as they are written: integers that no double holds, and decimals that binary
 * fractions only approach.
 */

import { valueAt } from './pointers.ts';

/**
 * Integers beyond 2^53 are BigInts. Of others, the double that JSON.parse gives is written with the
 * same digits again; beyond all doubles, such as 1e400, it is the largest one.
 * @throws SyntaxError for a text that is not JSON
 */
export function parseJson(text: string): unknown {
  if (SIXTEEN_DIGITS.test(text)) {
    return parseExactly(text);
  }
  return parseDoubles(text);
}

function parseDoubles(text: string): unknown {
  if (LARGE_EXPONENT.test(text)) {
    return JSON.parse(text, (_, value: unknown) => withinDoubles(value));
  }
  return JSON.parse(text);
}

const SIXTEEN_DIGITS = /\d{16}/;
const LARGE_EXPONENT = /\d[eE]\+?\d{3}/;

/** A number is of any size (RFC 8259, 6), and no infinity. */
function withinDoubles(value: unknown): unknown {
  if (value === Infinity || value === -Infinity) {
    return Math.sign(value) * Number.MAX_VALUE;
  }
  return value;
}

/**
 * A string, which is left as it is, or an integer of 16 digits and more that no fraction or
 * exponent follows.
 */
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])-?[1-9]\d{15,}(?![\d.eE]|\s*:)/g;

/** Whether some text had such an integer: until then, no value needs to be looked through. */
let hasBigIntegers = false;

function parseExactly(text: string): unknown {
  let mark = 'integer:';
  while (text.includes(mark)) {
    mark = `x${mark}`;
  }
  const marked = text.replaceAll(STRING_OR_LONG_INTEGER, (token) => {
    const isLossy = !token.startsWith('"') && !Number.isSafeInteger(Number(token));
    return isLossy ? `"${mark}${token}"` : token;
  });
  if (marked === text) {
    return parseDoubles(text);
  }
  hasBigIntegers = true;
  return JSON.parse(marked, (_, value: unknown) => {
    const isInteger = typeof value === 'string' && value.startsWith(mark);
    if (isInteger) {
      return BigInt(value.slice(mark.length));
    }
    return withinDoubles(value);
  });
}

/** As `JSON.stringify`, with BigInts as integers. */
export function stringifyJson(value: unknown): string {
  if (!hasBigIntegers) {
    return JSON.stringify(value);
  }
  const digits: string[] = [];
  const marked = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'bigint') {
      return member;
    }
    digits.push(String(member));
    return INTEGER_MARK;
  });
  // No other text is written like this: JSON.stringify escapes this character in one way only, and
  // no service sends it.
  if (digits.length === 0) {
    return marked;
  }
  return marked.replaceAll(WRITTEN_MARK, () => digits.shift() ?? '0');
}

const INTEGER_MARK = '\u{f0000}integer\u{f0001}';
const WRITTEN_MARK = JSON.stringify(INTEGER_MARK);

/** The value with doubles in place of BigInts, for a validator that knows no others. */
export function withDoubles(value: unknown): unknown {
  // Most values have none: they are not copied.
  if (hasBigIntegers && holdsBigInteger(value)) {
    return converted(value);
  }
  return value;
}

/** From now on, values may have BigInts, such as those on the limit of a bound. */
export function useBigIntegers(): void {
  hasBigIntegers = true;
}

/** The value that is being validated, if it has BigInts. */
let underValidation: unknown;

/** The result of a validator that knows no BigInts, and may ask for them by `exactlyAt`. */
export function validatedBy(validator: (value: unknown) => boolean, value: unknown): boolean {
  const doubles = withDoubles(value);
  const outer = underValidation;
  underValidation = doubles === value ? undefined : value;
  try {
    return validator(doubles);
  } finally {
    underValidation = outer;
  }
}

/** What the value that is being validated has at a pointer, of which `number` is the double. */
export function exactlyAt(pointer: string, number: number): number | bigint {
  if (underValidation === undefined || Number.isSafeInteger(number)) {
    return number;
  }
  const exact = valueAt(underValidation, pointer);
  return typeof exact === 'bigint' ? exact : number;
}

/** What the value that is being validated has at a pointer, of which `value` has the doubles. */
export function exactValueAt(pointer: string, value: unknown): unknown {
  if (underValidation === undefined) {
    return value;
  }
  return valueAt(underValidation, pointer);
}

function holdsBigInteger(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'bigint';
  }
  return Object.values(value).some(holdsBigInteger);
}

function converted(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number(value);
  }
  if (Array.isArray(value)) {
    return value.map(converted);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = Object.entries(value).map(([name, one]) => [name, converted(one)] as const);
  return Object.fromEntries(members);
}

/** Whether a value of a path or header can be written as it is. */
export const isScalar = (value: unknown): value is string | number | boolean | bigint =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value);

/** The text of a scalar; undefined for others, whose own member may be called `toString`. */
export function scalarText(value: unknown): string | undefined {
  return isScalar(value) ? String(value) : undefined;
}

/** A number as an integer times a power of ten. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** A number as JavaScript writes it: sign, digits, digits of the fraction, exponent. */
const WRITTEN_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** The parts of a number as JavaScript writes it: its sign, all its digits, a power of ten. */
export interface WrittenDecimal {
  sign: string;
  digits: string;
  exponent: number;
}

/** Of 0.25: 025 and -2. Zero for what is no such number. */
export function writtenDecimal(number: string): WrittenDecimal {
  const parts = WRITTEN_NUMBER.exec(number) ?? [];
  const [, sign = '', whole = '0', fraction = '', power = '0'] = parts;
  return { sign, digits: whole + fraction, exponent: Number(power) - fraction.length };
}

function decimalOf(number: number): Decimal {
  const { sign, digits, exponent } = writtenDecimal(String(number));
  return { digits: BigInt(sign + digits), exponent };
}

/** Far more than any schema states: beyond it, a multiple cannot be told from rounding. */
const MOST_DIGITS = 400;

/**
 * Whether a decimal is a multiple of another, by their digits: 19.99 of 0.01 (JSON Schema
 * Validation, 6.2.1).
 */
export function isMultipleOf(number: number | bigint, step: number): boolean {
  const one = typeof number === 'bigint' ? { digits: number, exponent: 0 } : decimalOf(number);
  const other = decimalOf(step);
  const exponent = Math.min(one.exponent, other.exponent);
  if (Math.max(one.exponent, other.exponent) - exponent > MOST_DIGITS) {
    return Number.isInteger(Number(number) / step);
  }
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return scaled(one) % scaled(other) === 0n;
}
