/**
 * Keeps secrets out of every report: looked for by character, each as itself, percent-encoded, escaped for JSON, HTML
 * or a shell, also mixed and repeated; and in base64, also within a longer value such as `user:password`. Every
 * repetition in the patterns is bounded: a text of the service must not be able to stall the suite.
 */

export type Redact = (text: string) => string;

export const REDACTED = '[redacted]';

/** A shorter secret occurs by chance (`1` in every body), so only a whole header value is taken for it. */
const SHORTEST_SEARCHED = 4;

export function redactor(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets.map((secret) => secret.trim()))].filter(
    (secret) => secret !== '',
  );
  // The longest first, or the rest of a secret that begins with another one would be left standing.
  known.sort((a, b) => b.length - a.length);
  const long = known.filter((secret) => secret.length >= SHORTEST_SEARCHED);
  const patterns = known.filter((secret) => !long.includes(secret)).map(wholeValue);
  const forms = long.flatMap((secret) => [anySpelling(secret), ...base64Forms(secret)]);
  if (long.length > 0) {
    patterns.unshift([new RegExp(forms.join('|'), 'gu'), REDACTED]);
  }
  return (text) =>
    patterns.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}

/** A text that is the secret and no more, or a header line of it, with or without an authentication scheme. */
function wholeValue(secret: string): [RegExp, string] {
  const start = String.raw`(^|["'])`;
  const prefix = String.raw`((?:[\w-]{1,64}:[ \t]{0,8})?(?:(?:Basic|Bearer|Token)[ \t]{1,8})?)`;
  return [
    new RegExp(`${start}${prefix}${escapeRegExp(secret)}(?=$|["'\\r])`, 'gimu'),
    `$1$2${REDACTED}`,
  ];
}

function anySpelling(secret: string): string {
  // A run of backslashes is one unit: spelled one by one they could be divided among themselves in too many ways.
  return (secret.match(/\\+|[^\\]/gu) ?? []).map(spellings).join('');
}

function spellings(unit: string): string {
  if (unit.startsWith('\\')) {
    const n = unit.length;
    return String.raw`(?:\\{${n},${8 * n}}|(?:%(?:25){0,3}5[cC]){${n},${4 * n}}|(?:\\{1,8}u005[cC]){${n}})`;
  }
  const percent = [...Buffer.from(unit, 'utf8')]
    .map((byte) => `%(?:25){0,3}${anyCase(byte, 2)}`)
    .join('');
  const json = Array.from(
    { length: unit.length },
    (_, i) => `\\\\{1,8}u${anyCase(unit.charCodeAt(i), 4)}`,
  ).join('');
  // The longer spellings first: the quote of `'\\''` is not the end of it.
  const forms = [...(OTHER_SPELLINGS[unit] ?? []), percent, json, escapeRegExp(unit)];
  if (/[!-/:-@[-`{-~]/u.test(unit)) {
    const code = unit.charCodeAt(0);
    forms.push(
      String.raw`\\{1,8}${escapeRegExp(unit)}`,
      `&#(?:[xX]0{0,4}${anyCase(code, 2)}|0{0,4}${code});`,
    );
  }
  return `(?:${forms.join('|')})`;
}

/** Escapes of JSON, `+` of forms, entities of an HTML error page, and the way out of a quoted word of the shell. */
const OTHER_SPELLINGS: Record<string, string[]> = {
  ' ': [String.raw`\+`],
  '\n': [String.raw`\\{1,8}n`],
  '\r': [String.raw`\\{1,8}r`],
  '\t': [String.raw`\\{1,8}t`],
  '"': ['&quot;'],
  "'": [String.raw`'\\''`, `'"'"'`, '&apos;'],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
};

function anyCase(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, '0');
  return hex.replace(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A secret has three forms in base64, by its offset; at its ends, bits of its neighbours allow any character. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const encoded = shifted.toString('base64').replace(/=+$/u, '');
    const whole = (offset + bytes.length) % 3 === 0;
    const inner = encoded.slice(offset === 0 ? 0 : offset + 1, whole ? undefined : -1);
    const characters = [...inner]
      .map((character) => BASE64_SPELLINGS[character] ?? character)
      .join('');
    return `${offset === 0 ? '' : ANY_BASE64}${characters}${whole ? '' : ANY_BASE64}(?:=|%(?:25){0,3}3[dD]){0,2}`;
  });
}

/** Both alphabets, and what percent-encoding makes of them. */
const BASE64_SPELLINGS: Record<string, string> = {
  '+': '(?:[+-]|%(?:25){0,3}2[bB])',
  '/': String.raw`(?:\\{0,8}[/_]|%(?:25){0,3}2[fF])`,
};
const ANY_BASE64 = '(?:[A-Za-z0-9+/_-]|%(?:25){0,3}2[bBfF])';

const escapeRegExp = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** The suite states them, and tools key on them: a password `pass` must not turn every status into `[redacted]`. */
const KEPT = /^(verdict|contract|suite|level|origin|started_at|id|clause|status|method)$/;

/** A report or result without secrets. @param names whether names come from the service, too, even `__proto__` */
export function redacted<T>(value: T, redact: Redact, names = false): T {
  if (typeof value === 'string') {
    return redact(value) as T;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => redacted(item, redact)) as T;
  }
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (names) {
      return [redact(name), redacted(member, redact)];
    }
    return [name, KEPT.test(name) ? member : redacted(member, redact, name === 'headers')];
  });
  return Object.fromEntries(entries) as T;
}
