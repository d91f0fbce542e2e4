/** Formats that no validator knows: limits in bytes (D30), and regular expressions in RE2 syntax (D22). */
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

type Formats = Record<string, { type: 'string'; validate: (text: string) => boolean }>;

/** @throws ContractError for a format that this server does not validate */
export function contractFormats(document: JsonObject): Formats {
  const formats: Formats = {};
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
      throw new ContractError(
        `openapi.yaml uses the format ${format}, which this server does not support`,
      );
    }
  }
  return formats;
}

/** Whether a text has RE2 syntax, by a port of RE2. It compiles the same syntax, without what would take a second. */
export function isRe2Syntax(expression: string): boolean {
  if (!expression.isWellFormed()) {
    return false;
  }
  // `x{1000}` stands for a thousand `x`, `\pL` for hundreds of ranges, and `(?i)` looks up each letter of a range.
  let named = true;
  const cheap = expression.replaceAll(
    COSTLY,
    (token, from?: string, comma?: string, to?: string, flags?: string, after?: string) => {
      // In brackets, these stand for their own characters, where any others are equally valid.
      if (from !== undefined) {
        return isCount(from, comma, to) ? '{1}' : token;
      }
      if (flags !== undefined) {
        return `(?${flags.replaceAll('i', 's')}${after}`;
      }
      if (/^\\p/i.test(token)) {
        named &&= isClass(token);
        return '\\d';
      }
      return token;
    },
  );
  return named && compiles(cheap);
}

/** Counts, flags and named classes, not within escapes and literal texts. Longer numbers and names are invalid. */
const COSTLY =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]{0,60}\}|[^{])|\\[^]|\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3}|))?\}|\(\?([imsU]+)([-:)])/g;

/** RE2 repeats at most 1,000 times. */
const MOST_REPEATS = 1000;

function isCount(from: string, comma: string | undefined, to: string | undefined): boolean {
  const least = Number(from);
  const most = comma === undefined || to === '' ? least : Number(to);
  return least <= most && most <= MOST_REPEATS;
}

/** Valid names of Unicode classes that were used, of which a few hundred exist. */
const classes = new Set<string>();

function isClass(token: string): boolean {
  if (classes.has(token)) {
    return true;
  }
  if (!compiles(token)) {
    return false;
  }
  classes.add(token);
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
