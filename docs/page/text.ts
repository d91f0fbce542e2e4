/** Markdown as Redoc's search shows it: it leaves out line breaks, and words would run together. */

/** Each paragraph and each item of a list on one line. Code and tables stay as they are. */
export function unwrapped(markdown: string): string {
  return markdown
    .split(/(^```[^]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<=[^\n])\n(?!\n|$| *(?:[-*+|#>]|\d+\.) ?| *\[[^\]]+\]:)[ \t]*/g, ' '),
    )
    .join('');
}
