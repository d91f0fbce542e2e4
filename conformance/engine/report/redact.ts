/**
 * Keeps secrets out of every report. A secret is looked for character by character: each as itself,
 * percent-encoded, or escaped for JSON, HTML or a shell, also mixed and repeated. It is also found
 * in base64, alone or within a longer value such as `user:password`. Every repetition in the
 * patterns is bounded: a text of the service must not be able to stall the suite.
 */
import { escapeRegExp } from '../contract/escape-reg-exp.ts';
import { isObject } from '../contract/pointers.ts';

/** Replaces secrets in a text by `REDACTED`. */
export type Redact = (text: string) => string;

export const REDACTED = '[redacted]';

interface Replacement {
  pattern: RegExp;
  replacement: string;
}

/**
 * A shorter secret occurs by chance (`1` in every body), so it is replaced only if it is a whole
 * header value.
 */
const SHORTEST_SEARCHED = 4;

/** @param secrets white space around them, and empty ones, do not count */
export function redactor(secrets: readonly string[]): Redact {
  const replacements = replacementsFor(secrets);
  return (text) => {
    let kept = text;
    for (const { pattern, replacement } of replacements) {
      kept = kept.replace(pattern, replacement);
    }
    return kept;
  };
}

function replacementsFor(secrets: readonly string[]): Replacement[] {
  const trimmed = secrets.map((secret) => secret.trim()).filter((secret) => secret !== '');
  // The longest first, or the rest of a secret that begins with another one would be left standing.
  const known = [...new Set(trimmed)].toSorted((a, b) => b.length - a.length);
  const long = known.filter((secret) => secret.length >= SHORTEST_SEARCHED);
  const short = known.filter((secret) => secret.length < SHORTEST_SEARCHED);
  const replacements = short.map(wholeValue);
  if (long.length > 0) {
    const forms = long.flatMap((secret) => [anySpelling(secret), ...base64Forms(secret)]);
    const pattern = new RegExp(forms.join('|'), 'gu');
    replacements.unshift({ pattern, replacement: REDACTED });
  }
  return replacements;
}

/**
 * A text that is the secret and no more, or a header line of it, with or without an authentication
 * scheme.
 */
function wholeValue(secret: string): Replacement {
  const start = String.raw`(^|["'])`;
  const headerName = String.raw`(?:[\w-]{1,64}:[ \t]{0,8})?`;
  const scheme = String.raw`(?:(?:Basic|Bearer|Token)[ \t]{1,8})?`;
  const end = String.raw`(?=$|["'\r])`;
  const source = [start, `(${headerName}${scheme})`, escapeRegExp(secret), end].join('');
  return { pattern: new RegExp(source, 'gimu'), replacement: `$1$2${REDACTED}` };
}

/** A run of backslashes, or one other character. */
const UNITS = /\\+|[^\\]/gu;

function anySpelling(secret: string): string {
  const units = secret.match(UNITS) ?? [];
  return units.map(spellingsOf).join('');
}

function spellingsOf(unit: string): string {
  if (unit.startsWith('\\')) {
    return backslashes(unit.length);
  }
  return character(unit);
}

/**
 * A run of backslashes is one unit: if each had its own spellings, they could be divided among
 * themselves in too many ways.
 */
function backslashes(count: number): string {
  const escaped = String.raw`\\{${count},${8 * count}}`;
  const percent = `(?:${ENCODED_PERCENT}5[cC]){${count},${4 * count}}`;
  const unicode = String.raw`(?:\\{1,8}u005[cC]){${count}}`;
  return `(?:${escaped}|${percent}|${unicode})`;
}

/** A percent sign, percent-encoded up to three times. */
const ENCODED_PERCENT = '%(?:25){0,3}';

/** Backslashes before an escape, also if its text is escaped again. */
const ESCAPING = String.raw`\\{1,8}`;

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/u;

function character(unit: string): string {
  // The longer spellings first: the quote of `'\\''` is not the end of it.
  const forms = [
    ...(OTHER_SPELLINGS[unit] ?? []),
    percentEncoded(unit),
    escapedForJson(unit),
    escapeRegExp(unit),
  ];
  if (ASCII_PUNCTUATION.test(unit)) {
    forms.push(ESCAPING + escapeRegExp(unit), characterReference(unit));
  }
  return `(?:${forms.join('|')})`;
}

function percentEncoded(unit: string): string {
  const bytes = [...Buffer.from(unit, 'utf8')];
  return bytes.map((byte) => ENCODED_PERCENT + anyCaseHex(byte, 2)).join('');
}

function escapedForJson(unit: string): string {
  // One escape for each UTF-16 code unit.
  const codes = unit.split('').map((half) => half.charCodeAt(0));
  return codes.map((code) => `${ESCAPING}u${anyCaseHex(code, 4)}`).join('');
}

/** As HTML and XML have it, in decimal or hexadecimal digits. */
function characterReference(unit: string): string {
  const code = unit.charCodeAt(0);
  return `&#(?:[xX]0{0,4}${anyCaseHex(code, 2)}|0{0,4}${code});`;
}

/**
 * Escapes of JSON, `+` of forms, entities of an HTML error page, and the way out of a quoted word
 * of the shell.
 */
const OTHER_SPELLINGS: Readonly<Record<string, string[]>> = {
  ' ': [String.raw`\+`],
  '\n': [`${ESCAPING}n`],
  '\r': [`${ESCAPING}r`],
  '\t': [`${ESCAPING}t`],
  '"': ['&quot;'],
  "'": [String.raw`'\\''`, `'"'"'`, '&apos;'],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
};

function anyCaseHex(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, '0');
  return hex.replace(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * A secret has three forms in base64: one for each number of bytes, modulo 3, that stand before it.
 * At its ends, bits of its neighbours allow any character.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].map((offset) => base64Form(Buffer.from(secret, 'utf8'), offset));
}

function base64Form(bytes: Buffer, offset: number): string {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const encoded = shifted.toString('base64').replace(/=+$/u, '');
  const endsWithCharacter = shifted.length % 3 === 0;
  // The characters that are made of bits of the secret alone.
  const inner = encoded.slice(offset === 0 ? 0 : offset + 1, endsWithCharacter ? undefined : -1);
  const characters = [...inner].map((one) => BASE64_SPELLINGS[one] ?? one).join('');
  const before = offset === 0 ? '' : ANY_BASE64;
  const after = endsWithCharacter ? '' : ANY_BASE64;
  return before + characters + after + BASE64_PADDING;
}

/** Both alphabets, and what percent-encoding makes of them. */
const BASE64_SPELLINGS: Readonly<Record<string, string>> = {
  '+': `(?:[+-]|${ENCODED_PERCENT}2[bB])`,
  '/': String.raw`(?:\\{0,8}[/_]|${ENCODED_PERCENT}2[fF])`,
};
const ANY_BASE64 = `(?:[A-Za-z0-9+/_-]|${ENCODED_PERCENT}2[bBfF])`;
const BASE64_PADDING = `(?:=|${ENCODED_PERCENT}3[dD]){0,2}`;

/**
 * The suite states them, and tools key on them: a password `pass` must not turn every status into
 * `[redacted]`.
 */
const KEPT: ReadonlySet<string> = new Set([
  'verdict',
  'contract',
  'suite',
  'level',
  'origin',
  'started_at',
  'id',
  'clause',
  'status',
  'method',
  'kind',
  'cause_id',
]);

/** Members whose names come from the service. */
const NAMED_BY_SERVICE = 'headers';

/** A report or a result without secrets. */
export function redacted<T>(value: T, redact: Redact): T {
  return redactedValue(value, redact) as T;
}

function redactedValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') {
    return redact(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => redactedValue(item, redact));
  }
  return redactedMembers(value, redact);
}

function redactedMembers(value: object, redact: Redact): object {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (KEPT.has(name)) {
      return [name, member];
    }
    if (name === NAMED_BY_SERVICE) {
      return [name, redactedNames(member, redact)];
    }
    return [name, redactedValue(member, redact)];
  });
  return Object.fromEntries(members);
}

/**
 * Names and values of a map. A name may even be `__proto__`, which an assignment would not make a
 * member.
 */
function redactedNames(value: unknown, redact: Redact): unknown {
  if (!isObject(value)) {
    return redactedValue(value, redact);
  }
  const members = Object.entries(value).map(([name, member]) => {
    return [redact(name), redactedValue(member, redact)];
  });
  return Object.fromEntries(members);
}
