/**
 * Text of a service as Markdown: in fences and code spans nothing is markup, other text is escaped.
 */
import { cut, ellipsis, oneLine, visible } from './text.ts';

/** In UTF-16 code units. */
const LONGEST_LINE = 400;

/** A fence longer than any run of backticks inside. @param limit in UTF-16 code units */
export function fence(text: string, limit: number, language = ''): string {
  const content = cut(visible(text), limit);
  const marks = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${marks}${language}\n${content.replace(/\n$/u, '')}\n${marks}`;
}

export function code(text: string): string {
  const content = ellipsis(oneLine(text), LONGEST_LINE);
  if (content === '') {
    return '';
  }
  const marks = '`'.repeat(longestRun(content) + 1);
  const isMarkAtEnd = content.startsWith('`') || content.endsWith('`');
  const space = isMarkAtEnd ? ' ' : '';
  return marks + space + content + space + marks;
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  const runs = text.match(/`+/gu) ?? [];
  return Math.max(0, ...runs.map((run) => run.length));
}

/**
 * On one line; the only markup is code between single backticks, as in sentences of the contract.
 */
export function inline(text: string): string {
  // The parts at odd places are those that the expression captures.
  const parts = ellipsis(oneLine(text), LONGEST_LINE).split(/(`[^`]+`)/u);
  return parts.map((part, index) => (index % 2 === 1 ? part : escapeInline(part))).join('');
}

/** Also what GitHub makes links of: `@name`, `#1`, `http://…` and `www.…`. */
const MARKUP_OF_GITHUB = /[\\`*_[\]|~!$@]|(?<!&)#|:(?=\/\/)|(?<=www)\./giu;

function escapeInline(text: string): string {
  return text
    .replace(/[<>&]/gu, (character) => `&#${character.charCodeAt(0)};`)
    .replace(MARKUP_OF_GITHUB, String.raw`\$&`);
}
