/**
 * Text of the service, made safe and short enough to read: escape sequences of a terminal, marks of direction, NUL and
 * lone surrogates, which XML cannot carry, are shown as JSON writes them (`\u001b`), where the value is the same.
 */
import { parse } from '../http/response.ts';
import { inThousands } from '../requirements/rule-in-words.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Every character that does not show itself, except line feed and tab, becomes its `\uXXXX`. */
export function visible(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNPRINTABLE, (one) =>
    /[\n\t]/.test(one) ? one : one.split('').map(escape).join(''),
  );
}

export const oneLine = (text: string): string => visible(text).replace(/\s+/gu, ' ').trim();

/** At most `limit` UTF-16 code units, then a note that says how many are missing and where they are. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const kept = withoutHalf(text.slice(0, limit));
  return `${kept}\n[… ${inThousands(text.length - kept.length)} more characters: see report.json]`;
}

/** As `cut`, for a line: an ellipsis and no note. */
export function ellipsis(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  return `${withoutHalf(text.slice(0, limit - 1))}…`;
}

/** Without the first half of a surrogate pair at the end. */
const withoutHalf = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

/** Above this a body is shown as it came: nobody reads it whole. */
const LONGEST_INDENTED = 100_000;

/** A text, an empty list or object, a mark, or a number or literal. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|[^\s[\]{},:"]+/gu;

/** JSON, indented. Tokens stay, such as `1.0`, `1e400`, a repeated key or `\u0041`, which JSON.parse would repair. */
export function indentJson(text: string): string {
  if (text.length > LONGEST_INDENTED || parse(text) === undefined) {
    return text;
  }
  let depth = 0;
  const newline = () => `\n${'  '.repeat(Math.min(depth, 20))}`;
  const tokens = text.match(JSON_TOKEN) ?? [];
  const spaced = tokens.map((token) => {
    if (token === '{' || token === '[') {
      depth += 1;
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return newline() + token;
    }
    if (token === ':') {
      return ': ';
    }
    return '{[,'.includes(token) ? token + newline() : token;
  });
  return spaced.join('');
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) {
    return `${Math.round(milliseconds)} ms`;
  }
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]$/u;

/** In columns of a terminal. */
export function displayWidth(text: string): number {
  return [...text].reduce((width, character) => width + columnsOf(character), 0);
}

const columnsOf = (character: string): number => {
  if (/^\p{M}$/u.test(character)) {
    return 0;
  }
  return WIDE.test(character) ? 2 : 1;
};

function beginning(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) {
      break;
    }
    end += character.length;
  }
  return text.slice(0, end);
}

/** At most `width` columns; an ellipsis says that some are missing. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) {
    return text;
  }
  return `${beginning(text, Math.max(width - 1, 0))}…`;
}

/** Lines of at most `width` columns, broken at spaces where there are any; what follows keeps the indentation. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const expanded = line.replaceAll('\t', '  ');
    const content = expanded.trimStart();
    const depth = Math.min(expanded.length - content.length, Math.floor(width / 2));
    const parts = wrapLine(content, Math.max(width - depth, 2));
    return parts.map((part) => ' '.repeat(depth) + part);
  });
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (displayWidth(rest) > width) {
    const most = beginning(rest, width).length;
    const space = rest.lastIndexOf(' ', most);
    const end = space > 0 ? space : most;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

const SGR = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

export type Paint = (style: keyof typeof SGR, text: string) => string;

/** Colours of a terminal, where it has any. */
export function painter(colour: boolean): Paint {
  return (style, text) => {
    if (colour && text !== '') {
      return `\u001b[${SGR[style]}m${text}\u001b[0m`;
    }
    return text;
  };
}

/** HTML or XML of `` markup`…` ``, which escapes all else. A class: nothing read from a service can pass for it. */
export class Markup {
  readonly #source: string;

  /** @param source trusted; text of a service comes in by `markup` only */
  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

export type Content = string | number | Markup | null | readonly Content[];

export function markup(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  let source = '';
  for (const [index, part] of parts.entries()) {
    source += part + rendered(contents[index] ?? null);
  }
  return new Markup(source);
}

function rendered(content: Content): string {
  if (content === null) {
    return '';
  }
  if (content instanceof Markup) {
    return content.toString();
  }
  if (Array.isArray(content)) {
    return content.map(rendered).join('');
  }
  const text = visible(String(content));
  return text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}
