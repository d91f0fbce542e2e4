/**
 * Other spellings of one JSON value (RFC 8259): every reader must take each of them for the same
 * value. Between them, they have each form of a character, of a number and of what stands between
 * tokens, and members in other orders.
 */
import { stringifyJson, writtenDecimal, type WrittenDecimal } from '../contract/json-numbers.ts';

export interface JsonSpelling {
  /** The unusual part, in a few words. */
  label: string;
  /** The value as JSON text. */
  write(value: unknown): string;
}

/** The choices that make a spelling. */
interface Style {
  /** A text without its quotes. */
  text(text: string): string;
  /** A number, by how JavaScript writes it. */
  number(written: string): string;
  /** Members in the order in which they are written. */
  order(members: readonly Member[]): readonly Member[];
  /** White space around each token. */
  space: string;
}

type Member = readonly [name: string, value: unknown];

/** Readers accept bodies of this number of bytes: a longer spelling is not tried. */
const LONGEST = 1_000_000;

function spellingOf(label: string, style: Style): JsonSpelling {
  return {
    label,
    write(value) {
      const text = written(value, style);
      return Buffer.byteLength(text) > LONGEST ? stringifyJson(value) : text;
    },
  };
}

function written(value: unknown, style: Style): string {
  const { space } = style;
  if (typeof value === 'string') {
    return `"${style.text(value)}"`;
  }
  if (typeof value === 'number') {
    return style.number(stringifyJson(value));
  }
  if (typeof value !== 'object' || value === null) {
    return stringifyJson(value);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => written(item, style));
    return `[${space}${items.join(`${space},${space}`)}${space}]`;
  }
  const defined = Object.entries(value).filter(([, member]) => member !== undefined);
  const members = style.order(defined).map(([name, member]) => {
    return `"${style.text(name)}"${space}:${space}${written(member, style)}`;
  });
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

// Texts.

/** Each unit of UTF-16 in four hexadecimal digits: characters beyond U+FFFF become two. */
export function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, index) => escapedUnit(text, index)).join('');
}

function escapedUnit(text: string, index: number): string {
  const digits = text.charCodeAt(index).toString(16).padStart(4, '0');
  return `\\u${digits}`;
}

const HEX = /(?<=\\u)[\da-f]{4}/g;

const inUpperCase = (text: string): string => text.replaceAll(HEX, (hex) => hex.toUpperCase());

const NOT_ASCII = /[^ -~]/gu;

/** As short as it gets: with the escapes of one letter, and all beyond ASCII escaped. */
const inAscii = (text: string): string =>
  stringifyJson(text).slice(1, -1).replaceAll('/', '\\/').replaceAll(NOT_ASCII, escaped);

/** Only what must be escaped is, in four digits; all else stands as it is. */
// oxlint-disable-next-line no-control-regex -- JSON has no control character as it is
const MUST_BE_ESCAPED = /["\\\0-\x1f]/g;
const asItIs = (text: string): string => text.replaceAll(MUST_BE_ESCAPED, escaped);

/** Every other character is escaped. */
const mixed = (text: string): string => {
  const characters = [...text];
  return characters.map((one, index) => (index % 2 === 0 ? escaped(one) : asItIs(one))).join('');
};

// Numbers.

/** Without zeros before, such as 25 and -2 for 0.25; undefined for zero and what is no number. */
function partsOf(number: string): WrittenDecimal | undefined {
  const { sign, digits: all, exponent } = writtenDecimal(number);
  const digits = all.replace(/^0+/, '');
  if (digits === '') {
    return undefined;
  }
  return { sign, digits, exponent };
}

/** A number in another way. @param zero how zero is written */
const numberIn =
  (zero: string, write: (parts: WrittenDecimal) => string) =>
  (given: string): string => {
    const parts = partsOf(given);
    if (parts) {
      return write(parts);
    }
    return given === '0' ? zero : given;
  };

/** `7` as `70e-1`. */
const shifted = numberIn('-0', ({ sign, digits, exponent }) => `${sign}${digits}0e${exponent - 1}`);

/** `7` as `0.7E+1`. */
const fraction = numberIn('0E+0', ({ sign, digits, exponent }) => {
  const power = exponent + digits.length;
  return `${sign}0.${digits}E${power < 0 ? '' : '+'}${power}`;
});

/** `7` as `7.00`, and `0.25` as `0.250`. */
const pointed = (given: string): string => {
  if (given.includes('e')) {
    return given;
  }
  return given.includes('.') ? `${given}0` : `${given}.00`;
};

/** `7` as `7e0`, and `0.25` as `25E-02`. */
const powered = numberIn('-0.0e-1', ({ sign, digits, exponent }) => {
  const power = String(Math.abs(exponent)).padStart(2, '0');
  if (exponent < 0) {
    return `${sign}${digits}E-${power}`;
  }
  return `${sign}${digits}e${exponent}`;
});

function usual(number: string): string {
  return number;
}

// Orders of members.

const asGiven = (members: readonly Member[]): readonly Member[] => members;
const reversed = (members: readonly Member[]): readonly Member[] => members.toReversed();
const sorted = (members: readonly Member[]): readonly Member[] =>
  members.toSorted(([one], [other]) => (one < other ? 1 : -1));

const STYLES: Readonly<Record<string, Style>> = {
  'each character escaped, 7 as 70e-1 and 0 as -0': {
    text: escaped,
    number: shifted,
    order: asGiven,
    space: '',
  },
  'members in reverse order, slashes escaped, 7 as 7.00, and line breaks': {
    text: inAscii,
    number: pointed,
    order: reversed,
    space: '\n  ',
  },
  'each character escaped in capitals, 7 as 0.7E+1, and tabs': {
    text: (text) => inUpperCase(escaped(text)),
    number: fraction,
    order: sorted,
    space: '\t',
  },
  'nothing escaped, 7 as 7e0 and 0 as -0.0e-1': {
    text: asItIs,
    number: powered,
    order: reversed,
    space: ' \r\n',
  },
  'every other character escaped': {
    text: mixed,
    number: usual,
    order: sorted,
    space: ' ',
  },
};

export const JSON_SPELLINGS: readonly JsonSpelling[] = Object.entries(STYLES).map(
  ([label, style]) => spellingOf(label, style),
);

/** With numbers as usual: not every contract says that `7.0` is an integer. */
export const TEXT_SPELLINGS: readonly JsonSpelling[] = Object.entries(STYLES).map(
  ([label, style]) => spellingOf(label, { ...style, number: usual }),
);
