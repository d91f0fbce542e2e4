/**
 * Text of the service, made safe and short enough to read. Escape sequences of a terminal, marks of
 * direction, NUL and lone surrogates (which XML cannot carry) are shown as in JSON: `\u001b`.
 */
import { LONGEST_VALUE, textInShort } from '../http/long-values.ts';
import { parse } from '../http/response.ts';
import { inThousands } from '../requirements/rule-in-words.ts';

/** Controls, format characters, lone surrogates, line and paragraph separators, noncharacters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Every character that does not show itself, except line feed and tab, becomes its `\uXXXX`. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    if (character === '\n' || character === '\t') {
      return character;
    }
    return character.split('').map(escapeUnit).join('');
  });
}

function escapeUnit(unit: string): string {
  const hex = unit.charCodeAt(0).toString(16);
  return `\\u${hex.padStart(4, '0')}`;
}

export function oneLine(text: string): string {
  return visible(text).replace(/\s+/gu, ' ').trim();
}

/** In UTF-16 code units. A longer text is not searched for long values. */
const LONGEST_SEARCHED = 200_000;
/** Texts of JSON, with their quotes. */
const TEXTS = /"(?:[^"\\]|\\.)*"/gs;
/** One character, or a few of them, many times. */
const LONG_RUN = /(\S{1,12}?)\1{40,}/g;
/** In UTF-16 code units: nobody counts more brackets than these. */
const LONGEST_RUN = 80;
/** Lists or objects within each other. */
const DEEP = /(?:\[\s*|\{\s*"[^"]*"\s*:\s*){60,}/;

/** The text with each long value in it as its kind: `"a" × 4096`, `[ × 5000`. */
export function withShortValues(text: string): string {
  if (text.length <= LONGEST_VALUE || text.length > LONGEST_SEARCHED) {
    return text;
  }
  return text.replace(TEXTS, literalInShort).replace(LONG_RUN, runInShort);
}

function literalInShort(literal: string): string {
  if (literal.length <= LONGEST_VALUE) {
    return literal;
  }
  const value = parse(literal);
  return textInShort(typeof value === 'string' ? value : literal.slice(1, -1));
}

function runInShort(run: string, unit: string): string {
  const isText = /^\w+$/.test(unit);
  if (run.length <= (isText ? LONGEST_VALUE : LONGEST_RUN)) {
    return run;
  }
  return `${unit} × ${run.length / unit.length} `;
}

/** A body as a reader sees it: JSON is indented, and long values are shown as their kinds. */
export function bodyInShort(body: string): string {
  // A deeply nested value would take a line for each level: it is shown as one value.
  return withShortValues(DEEP.test(body) ? body : indentJson(body));
}

/**
 * At most `limit` UTF-16 code units, then a note with the number of missing ones, and their place.
 */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const kept = withoutHalf(text.slice(0, limit));
  const missing = inThousands(text.length - kept.length);
  return `${kept}\n[… ${missing} more characters: see report.json]`;
}

/** At most `limit` UTF-16 code units of a line, the last one an ellipsis if some are missing. */
export function ellipsis(line: string, limit: number): string {
  if (line.length <= limit) {
    return line;
  }
  return `${withoutHalf(line.slice(0, limit - 1))}…`;
}

/** The text without the first half of a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** In UTF-16 code units. A longer body is shown as it came: nobody reads it whole. */
const LONGEST_INDENTED = 100_000;

/** Levels; deeper ones are not indented further. */
const DEEPEST_INDENTED = 20;

/** A text, an empty list or map, a mark of punctuation, or a word or number. */
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|[^\s[\]{},:"]+/gu;

/**
 * JSON, indented by two spaces; any other text as it is. Its tokens stay, such as `1.0`, `1e400`, a
 * repeated key or `\u0041`, which JSON.parse and JSON.stringify would change.
 */
export function indentJson(text: string): string {
  if (text.length > LONGEST_INDENTED || parse(text) === undefined) {
    return text;
  }
  let depth = 0;
  let indented = '';
  const newLine = () => `\n${'  '.repeat(Math.min(depth, DEEPEST_INDENTED))}`;
  for (const token of text.match(JSON_TOKENS) ?? []) {
    switch (token) {
      case '{':
      case '[':
        depth++;
        indented += token + newLine();
        break;
      case '}':
      case ']':
        depth--;
        indented += newLine() + token;
        break;
      case ',':
        indented += token + newLine();
        break;
      case ':':
        indented += ': ';
        break;
      default:
        indented += token;
    }
  }
  return indented;
}

/** Such as `850 ms`, `12.3 s` or `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) {
    return `${Math.round(milliseconds)} ms`;
  }
  const seconds = milliseconds / 1000;
  // Above this, one digit after the point would round to 60.0 s.
  if (seconds < 59.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
