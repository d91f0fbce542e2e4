/**
 * The report on a terminal: an overview, one failure of each cause in full, and the verdict, which
 * is the last thing that a reader sees. All text goes through `visible` before it is coloured:
 * escape sequences are our own.
 */
import { groupBy } from '../contract/load.ts';
import { count } from '../requirements/rule-in-words.ts';
import type { Report, RequirementResult, Verdict } from '../run/result.ts';
import { type Paint, painter, type Style, type Terminal, wrap } from './columns.ts';
import { renderFailure } from './failure.ts';
import {
  type Area,
  type Fact,
  type Group,
  isWarning,
  type Overview,
  overviewOf,
} from './overview.ts';
import { ellipsis, oneLine } from './text.ts';
import { countsInWords, reasonsOf, signOf } from './words.ts';

export const EXIT_CODES: Record<Verdict, 0 | 1 | 2> = {
  conformant: 0,
  nonconformant: 1,
  incomplete: 2,
  inconclusive: 2,
};

interface Ending {
  colour: Style;
  advice: string;
}

const ENDINGS: Record<Verdict, Ending> = {
  conformant: { colour: 'green', advice: 'nothing to do.' },
  nonconformant: {
    colour: 'red',
    advice: 'fix what failed: each failure names its clause, and how to see it again.',
  },
  incomplete: {
    colour: 'yellow',
    advice:
      'not all was tried: give what the operations need, or say with --min-tried what is enough.',
  },
  inconclusive: {
    colour: 'yellow',
    advice: 'no verdict on the service: remove the cause, then run the suite again.',
  },
};

/** In UTF-16 code units. */
const LONGEST_CAUSE = 80;
const LONGEST_ROW = 160;

/** A reader looks at the first causes; the reports have all of them in full. */
const MOST_FAILURE_LINES = 300;
const MOST_ROWS = 40;
/** How many failures of one cause are listed; report.json has all. */
const MOST_LISTED = 15;

const NARROWEST = 20;

/** Each section that something follows ends with an empty line. */
export function renderSummary(report: Report, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const overview = overviewOf(report);
  const sections = [
    tables(overview, paint),
    failures(overview.inFull, terminal, paint),
    uncheckedRequirements(overview.unchecked),
    facts(overview.facts, paint),
    counts(report.requirements),
    verdict(report, overview, paint),
  ];
  return `${sections.flat().join('\n')}\n`;
}

/** Areas and causes, if anything is broken. */
function tables({ areas, groups }: Overview, paint: Paint): string[] {
  if (groups.length === 0) {
    return [];
  }
  return [...areaTable(areas, paint), '', ...causeTable(groups, paint), ''];
}

function areaTable(found: readonly Area[], paint: Paint): string[] {
  const all = found.map((area) => ({ ...area, name: oneLine(area.name) }));
  const areas = all.length > MOST_ROWS ? all.filter(({ broken }) => broken > 0) : all;
  const width = Math.max(...areas.map(({ name }) => name.length));
  const heading = tableRow(width, 'area', ['passed', 'broken', 'others']);
  const rows = areas.map((area) => areaRow(area, width, paint));
  return [paint('dim', `${heading}  most often`), ...firstOf(rows, MOST_ROWS, 'more area')];
}

function areaRow({ name, passed, broken, others, cause }: Area, width: number, paint: Paint) {
  const row = tableRow(width, name, [passed, broken, others]);
  if (cause === undefined) {
    return row;
  }
  return `${paint('red', row)}  ${shortCause(cause.message)} (${cause.number})`;
}

/** @param width of the first column */
function tableRow(width: number, name: string, cells: readonly (string | number)[]): string {
  let row = name.padEnd(width);
  for (const cell of cells) {
    row += String(cell).padStart(8);
  }
  return row;
}

function causeTable(groups: readonly Group[], paint: Paint): string[] {
  const rows = groups.map(({ cause, others }) => {
    const number = String(others.length + 1).padStart(6);
    return `${paint('red', number)}  ${shortCause(cause)}`;
  });
  return [paint('dim', 'broken  cause'), ...firstOf(rows, MOST_ROWS, 'more cause')];
}

function failures(groups: readonly Group[], terminal: Terminal, paint: Paint): string[] {
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const block = groupLines(group, terminal, paint);
    // The first cause is shown however long it is.
    if (index > 0 && lines.length + block.length > MOST_FAILURE_LINES) {
      const rest = count(groups.length - index, 'more cause');
      const note = `${rest}: --report DIR writes a page that shows each of them in full`;
      return [...lines, paint('yellow', note), ''];
    }
    lines.push(...block);
  }
  return lines;
}

/** One failure in full, and those of the same cause in a list. */
function groupLines(group: Group, terminal: Terminal, paint: Paint): string[] {
  const example = renderFailure(group.example, terminal).split('\n');
  return [...example, ...otherLines(group, terminal, paint)];
}

function otherLines({ cause, others }: Group, { width }: Terminal, paint: Paint): string[] {
  if (others.length === 0) {
    return [];
  }
  const title = `${count(others.length, 'other')} of the same cause: ${shortCause(cause)}`;
  const rows = firstOf(others.map(otherLine), MOST_LISTED, 'more failure');
  const narrower = Math.max(width, NARROWEST) - 4;
  const wrapped = rows.flatMap((row) => wrap(row, narrower));
  return [`  ${paint('cyan', title)}`, ...wrapped.map((line) => `    ${line}`), ''];
}

function otherLine(result: RequirementResult): string {
  const notes = reasonsOf(result).map((reason) => ` (${reason})`);
  return `${signOf(result)} ${oneLine(result.id + notes.join(''))}`;
}

/** Why requirements were not checked, each reason once. */
function uncheckedRequirements(unchecked: readonly RequirementResult[]): string[] {
  if (unchecked.length === 0) {
    return [];
  }
  const rows: string[] = [];
  for (const [reason, results] of groupBy(unchecked, signAndReasons)) {
    const [first, ...others] = results.map(({ id }) => id);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    rows.push(ellipsis(oneLine(`${reason}: ${first}${more}`), LONGEST_ROW));
  }
  return [...firstOf(rows, MOST_ROWS, 'more reason'), ''];
}

function signAndReasons(result: RequirementResult): string {
  return `${signOf(result)} ${reasonsOf(result).join(', ')}`;
}

function facts(all: readonly Fact[], paint: Paint): string[] {
  return all.map((fact) => {
    const style = isWarning(fact) ? 'yellow' : 'dim';
    return paint(style, `${fact.name}: ${oneLine(fact.value)}`);
  });
}

function counts(requirements: readonly RequirementResult[]): string[] {
  return [`Requirements: ${countsInWords(requirements)}`, ''];
}

function verdict(report: Report, { title, sentence }: Overview, paint: Paint): string[] {
  const { colour, advice } = ENDINGS[report.verdict];
  const lines = [`${paint('bold', paint(colour, title))}. ${sentence}`];
  if (report.reason !== undefined) {
    lines.push(oneLine(report.reason));
  }
  lines.push(`Exit code ${EXIT_CODES[report.verdict]}: ${advice}`);
  return lines;
}

function firstOf(rows: readonly string[], most: number, what: string): string[] {
  const more = rows.length - most;
  if (more > 0) {
    return [...rows.slice(0, most), `… and ${count(more, what)}: report.json has them`];
  }
  return [...rows];
}

function shortCause(cause: string): string {
  return ellipsis(oneLine(cause), LONGEST_CAUSE);
}
