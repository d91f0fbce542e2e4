/** The table of docs/maintainers/real-services.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf, reached, type Row } from './row.ts';
import { DIST } from './tools.ts';

const PAGE = join(DIST, '../docs/maintainers/real-services.md');

/** @throws Error if the page has no row of that service */
export function writeRows(rows: readonly Row[]): void {
  let text = readFileSync(PAGE, 'utf8');
  for (const row of rows) {
    text = text.replace(lineIn(text, row), lineOf(row));
  }
  writeFileSync(PAGE, text);
}

function lineIn(text: string, { service }: Row): string {
  const start = `| ${service.name} |`;
  const line = text.split('\n').find((one) => one.startsWith(start));
  if (line === undefined) {
    throw new Error(`${PAGE} has no row of ${service.name}`);
  }
  return `${line}\n`;
}

/** The columns of the page with what each tool reached, and harmed: the suite first. */
const REACHED = 4;
const HARMED = 8;

/** What is worse for the suite than the page says. */
export function complaints(row: Row): string[] {
  const outcome = [...row.outcomes].find(([tool]) => tool.name === 'suite')?.[1];
  if (outcome === undefined) {
    return ['the suite did not run'];
  }
  const cells = lineIn(readFileSync(PAGE, 'utf8'), row).split('|');
  const [documentedHarm = ''] = (cells[HARMED] ?? '').split(' / ');
  const harm = outcome.harmed.filter(({ place }) => !documentedHarm.includes(place));
  const found = harm.map(({ place, after }) => `harmed: ${place} is now ${after}`);
  const documented = Number.parseInt(cells[REACHED] ?? '', 10);
  const now = reached(outcome.counts).length;
  if (now < documented) {
    found.push(`${now} operations are reached, not ${documented}`);
  }
  return found;
}
