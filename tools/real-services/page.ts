/** The table of docs/maintainers/real-services.md. */
import { lineOf, reached, type Row } from './row.ts';

/** @param page the text @throws Error if it has no row of a service */
export function withRows(page: string, rows: readonly Row[]): string {
  let text = page;
  for (const row of rows) {
    const before = lineIn(text, row);
    text = text.replace(`${before}\n`, () => lineOf(row));
  }
  return text;
}

function lineIn(page: string, { service }: Row): string {
  const start = `| ${service.name} |`;
  const line = page.split('\n').find((one) => one.startsWith(start));
  if (line === undefined) {
    throw new Error(`the page has no row of ${service.name}`);
  }
  return line;
}

/** The columns with what each tool reached, and harmed: the suite first. */
const REACHED = 4;
const HARMED = 8;

/** The figures of the suite that are worse than those of the page. */
export function complaints(page: string, row: Row): string[] {
  const outcome = [...row.outcomes].find(([tool]) => tool.name === 'suite')?.[1];
  if (outcome === undefined) {
    return ['the suite did not run'];
  }
  const cells = lineIn(page, row).split('|');
  const [documentedHarm = ''] = (cells[HARMED] ?? '').trim().split(' / ');
  const harm = outcome.harmed.filter(({ thing }) => !documentedHarm.split(', ').includes(thing));
  const found = harm.map(({ thing, after }) => `harmed: ${thing} is now ${after}`);
  const documented = Number.parseInt(cells[REACHED] ?? '', 10);
  const now = reached(outcome.counts).length;
  if (now < documented) {
    found.push(`${now} operations are reached, not ${documented}`);
  }
  return found;
}
