/** Lines in the columns of a terminal: their width, their breaks and their colours. */

export interface Terminal {
  /** Whether it shows colours. */
  colour: boolean;
  /** In columns. Only text that is to be copied may be wider. */
  width: number;
}

/** East Asian scripts, emoji, and the punctuation and full-width forms that go with them. */
const WIDE_CHARACTERS = [
  String.raw`\p{Script=Han}`,
  String.raw`\p{Script=Hangul}`,
  String.raw`\p{Script=Hiragana}`,
  String.raw`\p{Script=Katakana}`,
  String.raw`\p{Emoji_Presentation}`,
  String.raw`\u3000-\u303e`,
  String.raw`\uff01-\uff60`,
];
const WIDE = new RegExp(`^[${WIDE_CHARACTERS.join('')}]$`, 'u');
const COMBINING_MARK = /^\p{M}$/u;

/** In columns. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
  }
  return width;
}

function columnsOf(character: string): number {
  if (COMBINING_MARK.test(character)) {
    return 0;
  }
  return WIDE.test(character) ? 2 : 1;
}

/** The longest beginning of the text that needs at most `width` columns. */
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

/**
 * Lines of at most `width` columns, broken at spaces if there are any. A part keeps the indentation
 * of its line.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapIndented(line, width));
}

function wrapIndented(line: string, width: number): string[] {
  const expanded = line.replaceAll('\t', '  ');
  const content = expanded.trimStart();
  const columns = Math.min(expanded.length - content.length, Math.floor(width / 2));
  const indentation = ' '.repeat(columns);
  const parts = wrapContent(content, Math.max(width - columns, 2));
  return parts.map((part) => indentation + part);
}

function wrapContent(content: string, width: number): string[] {
  const lines: string[] = [];
  let rest = content;
  while (displayWidth(rest) > width) {
    const most = beginning(rest, width).length;
    const space = rest.lastIndexOf(' ', most);
    const end = space > 0 ? space : most;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  lines.push(rest);
  return lines;
}

/** Parameters of the escape sequence SGR (ECMA-48). */
const SGR = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

export type Style = keyof typeof SGR;

export type Paint = (style: Style, text: string) => string;

/** @param colour whether the terminal shows colours: without them, text stays as it is */
export function painter(colour: boolean): Paint {
  return (style, text) => {
    if (colour && text !== '') {
      return `\u001b[${SGR[style]}m${text}\u001b[0m`;
    }
    return text;
  };
}
