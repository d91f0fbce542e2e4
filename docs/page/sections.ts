/** The sections of `info.description`: those for integrators lead, under the words that people search for. */

export interface Section {
  title: string;
  /** Markdown below the heading. */
  text: string;
}

export interface Sections {
  /** The first paragraph. */
  opening: string;
  /** For those who call the API. */
  guide: Section[];
  /** How the contract came about: levels, origins, decisions. */
  background: Section[];
}

const BACKGROUND = new Set(['Levels', 'Origins', 'Where the rules come from', 'Decisions', 'Extensions']);

/** What follows the first paragraph before the first heading is the overview. */
export function sectionsOf(description: string): Sections {
  const [preamble, ...rest] = description.split(/^## /m);
  const [opening, ...others] = preamble!.trim().split('\n\n');
  const overview = others.join('\n\n');
  const sections = rest.map((text) => {
    const end = text.indexOf('\n');
    const title = text.slice(0, end).trim();
    return { title, text: narrowTables(text.slice(end + 1).trim()) };
  });
  return {
    opening: opening!,
    guide: [
      ...(overview === '' ? [] : [{ title: 'Overview', text: overview }]),
      ...sections.filter(({ title }) => !BACKGROUND.has(title)),
    ],
    background: sections.filter(({ title }) => BACKGROUND.has(title)),
  };
}

/** `status` and `code` share a column, so that a table of errors has two: it fits on a phone. */
export function narrowTables(markdown: string): string {
  return markdown.replaceAll(/(?:^\|.*\|\n?)+/gm, (table) => {
    const [head, , ...rows] = table.trimEnd().split('\n').map(cellsOf);
    if (head?.[0] !== 'status' || head.length < 3) return table;
    const last = head.length - 1;
    const lines = rows.map((cells) => {
      const between = cells.slice(2, last).map((cell, index) => `${capital(head[index + 2]!)}: ${cell}.`);
      return `| ${cells[0]} ${cells[1]} | ${[cells[last], ...between].join(' ')} |`;
    });
    return `${[`| error | ${head[last]} |`, '|---|---|', ...lines].join('\n')}\n`;
  });
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
