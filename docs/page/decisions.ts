/** The decision records, whole, at the end of the page: what a reader of a rule is led to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Decision {
  /** `D06` */
  id: string;
  title: string;
  /** Markdown, without the title. */
  text: string;
}

/** Throws an Error for a record without the usual heading. */
export function readDecisions(folder: string): Decision[] {
  return readdirSync(folder)
    .filter((name) => /^D\d+-.*\.md$/.test(name))
    .toSorted()
    .map((name) => {
      const [, id, title, text] = /^# (D\d+): (.+)\n([^]*)$/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      if (id === undefined || title === undefined || text === undefined) throw new Error(`${name} does not begin with \`# D00: title\``);
      return { id, title, text: text.trim() };
    });
}

/** The anchor of a record. */
export function anchorOf(id: string): string {
  return `decision-${id}`;
}

/** The place that a link opens the record at: inside what is folded, or it would stay folded. */
export function decisionSection(decisions: readonly Decision[]): string {
  const records = decisions.map(({ id, title, text }) => {
    const body = text.replaceAll(/^## (.+)$/gm, '**$1.**').replaceAll(/\[(D\d+)\](?!\()/g, '$1').replaceAll(/^\[.+\]: .+$/gm, '');
    return `<details>\n<summary>${id}: ${title}</summary>\n\n<a id="${anchorOf(id)}"></a>\n\n${body}\n\n</details>`;
  });
  return `## Decision records\n\nWhat was open, what was decided, what it costs, and what would reopen it.\n\n${records.join('\n\n')}\n`;
}

/** Each id of a decision in a text becomes a link to its record, unless it stands in code or in a tag, or is a link already. */
export function linkDecisions(text: string, known: ReadonlySet<string>): string {
  return text
    .split(/(```[^]*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\)|<summary>.*?<\/summary>|<[^<>\n]+>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/(?<![A-Za-z0-9])D\d\d(?!\d)/g, (id) => (known.has(id) ? `[${id}](#${anchorOf(id)})` : id))))
    .join('');
}
