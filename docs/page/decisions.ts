/** The decision records, whole, at the end of the page: what a reader of a rule is led to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onDemand } from './origins.ts';

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
      if (id === undefined || title === undefined || text === undefined)
        throw new Error(`${name} does not begin with \`# D00: title\``);
      return { id, title, text: text.trim() };
    });
}

/** The tag under which Redoc shows the record, as it stands in the address: without words that may change, so that links last. */
export function tagOf({ id }: Pick<Decision, 'id'>): string {
  return `decision-${id.toLowerCase()}`;
}

/** Headings of a record would become entries of the menu; a link from record to record is one within the page. */
export function recordText({ text }: Decision): string {
  return text
    .replaceAll(/^## (.+)$/gm, '**$1.**')
    .replaceAll(/\[(D\d+)\](?!\()/g, '$1')
    .replaceAll(/^\[.+\]: .+$/gm, '')
    .trim();
}

/**
 * Each id of a decision in a text becomes a link to its record, unless it stands in code, or is a link already. Ids in
 * parentheses only say where a rule comes from: they are shown on demand, as origins are.
 */
export function linkDecisions(text: string, known: ReadonlySet<string>): string {
  const link = (id: string): string => (known.has(id) ? `[${id}](#/${tagOf({ id })})` : id);
  return text
    .split(/(```[^]*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\))/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/ \(D\d\d(?:, D\d\d)*\)|(?:, D\d\d)+(?=\))/g, onDemand)
            .replaceAll(/(?<![A-Za-z0-9])D\d\d(?!\d)/g, link),
    )
    .join('');
}
