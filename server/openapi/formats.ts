/**
 * Formats that no validator knows: limits in bytes (D30), and regular expressions in RE2 syntax
 * (D22).
 */
import { RE2JS } from 're2js';
import { ContractError, type JsonObject, schemasOf } from './document.ts';

export const RE2 = 're2';

/** Formats that the validator knows, or that only inform. */
const KNOWN_FORMATS = new Set([
  'date-time',
  'uri',
  'uri-reference',
  'int32',
  'int64',
  'double',
  'password',
]);

/** A format in the form of Ajv. */
interface Format {
  type: 'string';
  validate: (text: string) => boolean;
}

/** @throws ContractError for a format that this server does not validate */
export function contractFormats(document: JsonObject): Record<string, Format> {
  const formats: Record<string, Format> = {};
  for (const { schema } of schemasOf(document)) {
    const { format, 'x-max-bytes': limit } = schema;
    if (typeof format !== 'string') {
      continue;
    }
    if (typeof limit === 'number') {
      formats[format] = { type: 'string', validate: (text) => Buffer.byteLength(text) <= limit };
    } else if (format === RE2) {
      formats[format] = { type: 'string', validate: isRe2Syntax };
    } else if (!KNOWN_FORMATS.has(format)) {
      const reason = `uses the format ${format}, which this server does not support`;
      throw new ContractError(`openapi.yaml ${reason}`);
    }
  }
  return formats;
}

/**
 * Whether a text has RE2 syntax, by a port of RE2.
 *
 * Some syntax takes RE2 seconds to compile: `x{1000}` stands for a thousand `x`, `\pL` for hundreds
 * of ranges, and `(?i)` looks up each letter of a range. It is checked here, and RE2 compiles a
 * text with something cheap and equally valid in its place.
 */
export function isRe2Syntax(expression: string): boolean {
  if (!expression.isWellFormed()) {
    return false;
  }
  let classesExist = true;
  const cheap = expression.replaceAll(COSTLY, (...match) => {
    const token = match[0] as string;
    const groups = match.at(-1) as CostlyGroups;
    if (groups.least !== undefined) {
      return isCount(groups) ? '{1}' : token;
    }
    if (groups.flags !== undefined) {
      return `(?${groups.flags.replaceAll('i', 's')}${groups.end}`;
    }
    if (UNICODE_CLASS.test(token)) {
      classesExist &&= isUnicodeClass(token);
      return String.raw`\d`;
    }
    return token;
  });
  return classesExist && compiles(cheap);
}

/** `x{2}`, `x{2,}` or `x{2,5}`. RE2 takes longer numbers for text. */
const COUNT = /\{(?<least>0|[1-9]\d{0,3})(?:,(?<most>0|[1-9]\d{0,3}|))?\}/;

/** `(?i)` or `(?i-s:`. */
const FLAGS = /\(\?(?<flags>[imsU]+)(?<end>[-:)])/;

/** `\pL` or `\p{Greek}`. Longer names do not exist. */
const CLASS = /\\[pP](?:\{[^}]{0,60}\}|[^{])/;

/** Text and characters that stand for themselves, whatever they look like. */
const QUOTED = /\\Q[^]*?(?:\\E|$)/;
const ESCAPED = /\\[^]/;

/** Within brackets, counts and flags are characters, and what takes their place is, too. */
export const COSTLY = new RegExp(
  [QUOTED, CLASS, ESCAPED, COUNT, FLAGS].map(({ source }) => source).join('|'),
  'g',
);

interface CostlyGroups {
  least?: string;
  /** Empty for any number from `least` on; undefined for `least` itself. */
  most?: string;
  flags?: string;
  /** The character after the flags. */
  end?: string;
}

const UNICODE_CLASS = /^\\p/i;

/** RE2 repeats at most 1,000 times. */
const MOST_REPEATS = 1000;

function isCount({ least = '', most = '' }: CostlyGroups): boolean {
  const from = Number(least);
  const to = most === '' ? from : Number(most);
  return from <= to && to <= MOST_REPEATS;
}

/** Names of Unicode classes that were used and that exist: a few hundred at most. */
const unicodeClasses = new Set<string>();

function isUnicodeClass(token: string): boolean {
  if (unicodeClasses.has(token)) {
    return true;
  }
  if (!compiles(token)) {
    return false;
  }
  unicodeClasses.add(token);
  return true;
}

/** Whether RE2 accepts the expression. */
export function compiles(expression: string): boolean {
  try {
    RE2JS.compile(expression);
    return true;
  } catch {
    return false;
  }
}
