/**
 * The report on a terminal: a list of findings, which says what to fix first; then the first of
 * them in full, and the verdict, which is the last thing that a reader sees. All text goes through
 * `visible` before it is coloured: escape sequences are our own.
 */
import { groupBy } from '../contract/load.ts';
import { count } from '../requirements/rule-in-words.ts';
import type { Report, RequirementResult, Verdict } from '../run/result.ts';
import {
  displayWidth,
  fit,
  type Paint,
  painter,
  type Style,
  type Terminal,
  wrap,
} from './columns.ts';
import { exchangeInShort, renderFinding } from './failure.ts';
import {
  type Area,
  byKind,
  type Fact,
  type Group,
  type GroupInFull,
  isWarning,
  type Overview,
  overviewOf,
} from './overview.ts';
import { requestsShowing } from './request-shown.ts';
import { ellipsis, oneLine, withShortValues } from './text.ts';
import { countsInWords, extentOf, placesInShort, reasonLines, signOf } from './words.ts';

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
    advice: 'fix what was found: each finding names its clause, and how to see it again.',
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
const LONGEST_ROW = 160;

/** The most lines that findings take; the reports have all of them in full. */
const MOST_FINDING_LINES = 300;
/** How many findings are listed, with two lines each. */
const MOST_FINDINGS = 120;
const MOST_ROWS = 40;
/** How many failures of one cause are listed; report.json has all. */
const MOST_LISTED = 15;

const NARROWEST = 20;

/** @param page the path of the HTML page that shows all, if there is one */
export function renderSummary(report: Report, terminal: Terminal, page?: string): string {
  const overview = overviewOf(report);
  const screen: Screen = {
    width: Math.max(terminal.width, NARROWEST),
    paint: painter(terminal.colour),
    terminal,
    base: report.target.url,
    page,
  };
  const list = findingList(overview, report, screen);
  const sections = [
    list,
    inFull(overview.inFull, MOST_FINDING_LINES - list.length, screen),
    areaTable(overview, screen),
    uncheckedRequirements(overview.unchecked),
    facts(overview.facts, screen),
    counts(report.requirements),
    verdict(report, overview, screen),
  ];
  return `${sections.flat().join('\n')}\n`;
}

interface Screen {
  width: number;
  paint: Paint;
  terminal: Terminal;
  /** The URL that requests in short are shown without. */
  base: string;
  page: string | undefined;
}

/** Each section that something follows ends with an empty line. */
function findingList(
  { groups, heading: title }: Overview,
  report: Report,
  { width, paint }: Screen,
): string[] {
  if (groups.length === 0) {
    return [];
  }
  const lines = [paint('bold', fit(title, width))];
  let number = 0;
  for (const { heading, groups: members } of byKind(groups)) {
    lines.push('', paint('cyan', fit(heading, width)));
    for (const group of members.slice(0, Math.max(0, MOST_FINDINGS - number))) {
      number++;
      lines.push(...rowsOf(group, number, report, { width, paint }));
    }
  }
  const rest = groups.length - number;
  if (rest > 0) {
    lines.push(`… and ${count(rest, 'more finding')}: report.json has them`);
  }
  return [...lines, ''];
}

/** The finding, and the request that shows it. */
function rowsOf(
  group: Group,
  number: number,
  report: Report,
  { width, paint }: Pick<Screen, 'width' | 'paint'>,
): string[] {
  const { title, finding, failure, notes: excused } = group;
  const extent = finding === undefined ? '' : ` (${extentOf(finding)})`;
  const [first = '', ...rest] = titleRows(title, extent, width - INDENT.length);
  const numbered = `${String(number).padStart(3)}  ${first}`;
  const style: Style = excused.length > 0 || finding?.kind === 'contract' ? 'yellow' : 'red';
  const room = width - INDENT.length;
  const places = finding === undefined ? '' : placesInShort(finding, room);
  const shown = requestsShowing(group, report.target.url, room);
  const notes = (finding?.notes ?? []).map(withShortValues);
  const lines = failure === undefined ? notes.slice(0, 1) : [...shown, ...notes.slice(0, 7)];
  const below = places === '' ? lines : [places, ...lines];
  return [
    paint(style, fit(numbered, width)),
    ...rest.map((line) => paint(style, fit(INDENT + line, width))),
    ...below.map((line) => paint('dim', fit(INDENT + oneLine(line), width))),
    ...excused.map((note) => fit(INDENT + oneLine(note), width)),
  ];
}

/** Below the number of a finding. */
const INDENT = ' '.repeat(5);

/** A title of one line, or of two if it has no room; the extent stands at the end. */
function titleRows(title: string, extent: string, width: number): string[] {
  const whole = oneLine(title);
  if (displayWidth(whole + extent) <= width) {
    return [whole + extent];
  }
  const [first = ''] = wrap(whole, Math.max(1, width));
  const rest = whole.slice(first.length).trimStart();
  return [first, (fit(rest, Math.max(1, width - extent.length)) + extent).trimStart()];
}

/** The findings in full, as many as fit into the lines that are left. */
function inFull(groups: readonly GroupInFull[], most: number, screen: Screen): string[] {
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const block = blockOf(group, screen);
    // The first one is shown however long it is.
    if (index > 0 && lines.length + block.length > most) {
      const rest = count(groups.length - index, 'more finding');
      return [...lines, screen.paint('yellow', `${rest} in full: ${whereInFull(screen)}`), ''];
    }
    lines.push(...block);
  }
  return lines;
}

function whereInFull({ page }: Screen): string {
  if (page === undefined) {
    return '--report DIR writes a page that shows each of them';
  }
  return page;
}

/** A finding in full, and the other requirements of its cause in a list. */
function blockOf(group: GroupInFull, screen: Screen): string[] {
  return [...renderFinding(group, screen.terminal).split('\n'), ...otherLines(group, screen)];
}

function otherLines({ others }: Group, { width, paint, base }: Screen): string[] {
  if (others.length === 0) {
    return [];
  }
  const title = `${count(others.length, 'other')} of the same cause`;
  const lines = others.map((one) => otherLine(one, base, width - 4));
  const rows = firstOf(lines, MOST_LISTED, 'more requirement');
  return [`  ${paint('cyan', title)}`, ...rows.map((line) => `    ${line}`), ''];
}

/** Areas, if anything is broken: as wide as the terminal. */
function areaTable({ areas: found, groups }: Overview, { width, paint }: Screen): string[] {
  if (groups.length === 0) {
    return [];
  }
  const all = found.map((area) => ({ ...area, name: oneLine(area.name) }));
  const areas = all.length > MOST_ROWS ? all.filter(({ broken }) => broken > 0) : all;
  const longest = Math.max(0, ...areas.map(({ name }) => displayWidth(name)));
  const column = Math.min(longest, Math.max(8, Math.floor(width / 3)));
  const heading = tableRow(column, 'area', ['passed', 'broken', 'others']);
  const rows = areas.map((area) => {
    const row = areaRow(area, column);
    if (area.broken > 0) {
      return paint('red', fit(row, width));
    }
    return fit(row, width);
  });
  const first = paint('dim', fit(`${heading}  most often`, width));
  return [first, ...firstOf(rows, MOST_ROWS, 'more area'), ''];
}

function areaRow({ name, passed, broken, others, cause }: Area, column: number): string {
  const row = tableRow(column, fit(name, column), [passed, broken, others]);
  if (cause === undefined) {
    return row;
  }
  return `${row}  ${oneLine(cause.message)} (${cause.number})`;
}

/** @param width of the first column */
function tableRow(width: number, name: string, cells: readonly (string | number)[]): string {
  let row = name.padEnd(width);
  for (const cell of cells) {
    row += String(cell).padStart(8);
  }
  return row;
}

/** Its id, and the request that shows it, as far as there is room. */
function otherLine(result: RequirementResult, base: string, width: number): string {
  const notes = reasonLines(result).map((reason) => ` (${reason})`);
  const start = `${signOf(result)} ${oneLine(result.id + notes.join(''))}`;
  const last = result.failure?.exchanges.at(-1);
  const room = width - displayWidth(start) - 2;
  if (last === undefined || room < NARROWEST) {
    return fit(start, width);
  }
  return `${start}  ${exchangeInShort(last, base, room)}`;
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
  return `${signOf(result)} ${reasonLines(result).join(', ')}`;
}

function facts(all: readonly Fact[], { paint }: Screen): string[] {
  return all.map((fact) => {
    const style = isWarning(fact) ? 'yellow' : 'dim';
    return paint(style, `${fact.name}: ${oneLine(fact.value)}`);
  });
}

function counts(requirements: readonly RequirementResult[]): string[] {
  return [`Requirements: ${countsInWords(requirements)}`, ''];
}

function verdict(report: Report, { title, sentence }: Overview, { paint, page }: Screen): string[] {
  const { colour } = ENDINGS[report.verdict];
  const lines = [`${paint('bold', paint(colour, title))}. ${sentence}`];
  if (report.reason !== undefined) {
    lines.push(oneLine(report.reason));
  }
  if (page !== undefined) {
    lines.push(`Report: ${page}`);
  }
  lines.push(`Exit code ${EXIT_CODES[report.verdict]}: ${adviceOn(report)}`);
  return lines;
}

function adviceOn({ verdict: found, never_succeeded: never }: Report): string {
  // The time of the run was over before an operation had its turn.
  if (found === 'incomplete' && never.length === 0) {
    return 'not all was tried: give the run more time with --max-time.';
  }
  return ENDINGS[found].advice;
}

function firstOf(rows: readonly string[], most: number, what: string): string[] {
  const more = rows.length - most;
  if (more > 0) {
    return [...rows.slice(0, most), `… and ${count(more, what)}: report.json has them`];
  }
  return [...rows];
}
