/** Text in columns of a terminal: how wide it shows, where it wraps, and two texts beside each other. */

const ZERO_WIDTH = /^\p{M}$/u;
const TWO_COLUMNS =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]$/u;

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return TWO_COLUMNS.test(character) ? 2 : 1;
}

export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Lines of at most `width` columns, broken at spaces where there are any; what follows keeps the indentation. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const expanded = line.replaceAll('\t', '  ');
    const content = expanded.trimStart();
    const indentation = ' '.repeat(Math.min(expanded.length - content.length, Math.floor(width / 2)));
    return wrapLine(content, Math.max(width - indentation.length, 2)).map((part) => indentation + part);
  });
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  let lastSpace = -1;
  for (const character of line) {
    const columns = characterWidth(character);
    if (used + columns > width) {
      const end = character === ' ' || lastSpace === -1 ? current.length : lastSpace;
      lines.push(current.slice(0, end).trimEnd());
      current = current.slice(end).trimStart();
      used = displayWidth(current);
      lastSpace = -1;
      if (character === ' ' && current === '') continue;
    }
    if (character === ' ') lastSpace = current.length;
    current += character;
    used += columns;
  }
  lines.push(current);
  return lines;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** At most `width` columns: what stands in the middle of a long id says less than its two ends. */
export function middle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const half = Math.max(width - 1, 0) / 2;
  const characters = [...text];
  return `${take(characters, Math.ceil(half))}${width > 0 ? '…' : ''}${take(characters.toReversed(), Math.floor(half), true)}`;
}

/** At most `width` columns, from its beginning. */
export function begin(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${take([...text], Math.max(width - 1, 0))}…`;
}

function take(characters: readonly string[], width: number, fromEnd = false): string {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += characterWidth(character);
    if (used > width) break;
    taken.push(character);
  }
  return (fromEnd ? taken.toReversed() : taken).join('');
}

/** Rows of two texts beside each other, each wrapped to half of `width`. */
export function beside(left: string, right: string, width: number): [string, string][] {
  const half = Math.floor((width - 3) / 2);
  const lefts = wrap(left, half);
  const rights = wrap(right, half);
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, i) => [
    padEnd(lefts[i] ?? '', half),
    rights[i] ?? '',
  ]);
}
