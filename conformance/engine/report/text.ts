/**
 * Text from the service made safe to look at, and short enough to read.
 *
 * A body or a header of the service may hold escape sequences that repaint a terminal, bidirectional marks that reorder
 * what the reader sees, or NUL and lone surrogates that XML cannot carry. All are shown as JSON writes them (`\u001b`):
 * plain ASCII in every font, and inside a JSON string (also one within a curl script) still the same value.
 */
import { inThousands } from '../requirements/rule-in-words.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Every character that does not show itself, but line feed and tab, becomes its `\uXXXX`. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' ? character : jsonEscape(character),
  );
}

/** As `visible`, on one line. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/gu, ' ').trim();
}

function jsonEscape(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/** At most `limit` UTF-16 code units, then a note that says how many are missing and where they are. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}\n[… ${inThousands(text.length - end)} more characters: see report.json]`;
}

/** As `cut`, for a line: an ellipsis and no note. */
export function ellipsis(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Above this a body is shown as it came: nobody reads it whole. */
const LONGEST_INDENTED = 100_000;

/**
 * A JSON body with line breaks and indentation. Only white space between the tokens changes, so that `1.0`, `1e400`, a
 * repeated key or `\u0041` is still there to be seen; JSON.parse and JSON.stringify would repair it.
 */
export function indentJson(text: string): string {
  if (text.length > LONGEST_INDENTED || !isJson(text)) return text;
  let indented = '';
  let depth = 0;
  const newline = () => `\n${'  '.repeat(Math.min(depth, 20))}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gu) ?? [];
  tokens.forEach((token, i) => {
    if (token === '{' || token === '[') {
      depth += 1;
      indented += isClosing(tokens[i + 1]) ? token : token + newline();
    } else if (isClosing(token)) {
      depth -= 1;
      indented += tokens[i - 1] === '{' || tokens[i - 1] === '[' ? token : newline() + token;
    } else if (token === ',') indented += token + newline();
    else indented += token === ':' ? ': ' : token;
  });
  return indented;
}

function isClosing(token: string | undefined): boolean {
  return token === '}' || token === ']';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
