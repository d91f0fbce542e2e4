/**
 * The report on a terminal. All text goes through `visible` before it is coloured: escape sequences are our own.
 * Scripts and commands begin in the first column and are never wrapped: they are there to be copied.
 */
import { groupBy } from '../contract/load.ts';
import type { Exchange, Report, RequirementResult, Verdict } from '../run/result.ts';
import { cut, ellipsis, indentJson, oneLine, type Paint, painter, visible, wrap } from './text.ts';
import {
  clauseLine,
  count,
  countsInWords,
  type Group,
  type Overview,
  overviewOf,
  reasonsOf,
  signOf,
} from './words.ts';

const LONGEST_CAUSE = 80;
const LONGEST_ROW = 160;
/** Failures of one cause that are listed; report.json has them all. */
const MOST_LISTED = 15;

export const EXIT_CODES: Record<Verdict, 0 | 1 | 2> = {
  conformant: 0,
  nonconformant: 1,
  inconclusive: 2,
};

const VERDICTS = {
  conformant: { colour: 'green', advice: 'nothing to do.' },
  nonconformant: {
    colour: 'red',
    advice: 'fix what failed: each failure names its clause, and how to see it again.',
  },
  inconclusive: {
    colour: 'yellow',
    advice: 'no verdict on the service: remove the cause, then run the suite again.',
  },
} as const;

export function renderSummary(report: Report, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const { verdict, requirements } = report;
  const { colour, advice } = VERDICTS[verdict];
  const { title, sentence, facts, areas, groups, inFull, unchecked } = overviewOf(report);
  const lines = [
    ...(groups.length > 0
      ? [...areaTable(areas, paint), '', ...causeTable(groups, paint), '']
      : []),
    ...blocksOf(inFull, terminal, paint),
    ...notCheckedLines(unchecked),
    ...facts.map(([name, value]) =>
      paint(name === 'Warning' ? 'yellow' : 'dim', `${name}: ${oneLine(value)}`),
    ),
    `Requirements: ${countsInWords(requirements)}`,
    '',
    `${paint('bold', paint(colour, title))}. ${sentence}`,
    ...(report.reason === undefined ? [] : [oneLine(report.reason)]),
    `Exit code ${EXIT_CODES[verdict]}: ${advice}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A reader looks at the first causes; the reports have all of them in full. */
const MOST_LINES = 300;
const MOST_ROWS = 40;

function blocksOf(groups: readonly Group[], terminal: Terminal, paint: Paint): string[] {
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const block = [
      ...renderFailure(group.example, terminal).split('\n'),
      ...otherLines(group, terminal, paint),
    ];
    if (index > 0 && lines.length + block.length > MOST_LINES) {
      const rest = count(groups.length - index, 'more cause');
      return [
        ...lines,
        paint('yellow', `${rest}: --report DIR writes a page that shows each of them in full`),
        '',
      ];
    }
    lines.push(...block);
  }
  return lines;
}

/** Why requirements were not checked, each reason once. */
function notCheckedLines(unchecked: readonly RequirementResult[]): string[] {
  const byReason = groupBy(
    unchecked,
    (result) => `${signOf(result)} ${reasonsOf(result).join(', ')}`,
  );
  const rows = [...byReason].map(([reason, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return ellipsis(oneLine(`${reason}: ${first!.id}${more}`), LONGEST_ROW);
  });
  return rows.length === 0 ? [] : [...atMost(rows, 'more reason'), ''];
}

function atMost(rows: readonly string[], what: string, most = MOST_ROWS): string[] {
  const more = rows.length - most;
  if (more > 0) {
    return [...rows.slice(0, most), `… and ${count(more, what)}: report.json has them`];
  }
  return [...rows];
}

function areaTable(found: Overview['areas'], paint: Paint): string[] {
  const all = found.map((area) => ({ ...area, name: oneLine(area.name) }));
  const areas = all.length > MOST_ROWS ? all.filter(({ broken }) => broken > 0) : all;
  const width = Math.max(...areas.map(({ name }) => name.length));
  const row = (name: string, ...numbers: (string | number)[]) =>
    name.padEnd(width) + numbers.map((number) => String(number).padStart(8)).join('');
  const rows = areas.map(({ name, passed, broken, others, cause }) => {
    const line = row(name, passed, broken, others);
    if (cause) {
      return `${paint('red', line)}  ${shortCause(cause.message)} (${cause.number})`;
    }
    return line;
  });
  return [
    paint('dim', `${row('area', 'passed', 'broken', 'others')}  most often`),
    ...atMost(rows, 'more area'),
  ];
}

function causeTable(groups: readonly Group[], paint: Paint): string[] {
  const number = ({ others }: Group) => paint('red', String(others.length + 1).padStart(6));
  const rows = groups.map((group) => `${number(group)}  ${shortCause(group.cause)}`);
  return [paint('dim', 'broken  cause'), ...atMost(rows, 'more cause')];
}

function otherLines({ cause, others }: Group, { width }: Terminal, paint: Paint): string[] {
  if (others.length === 0) {
    return [];
  }
  const all = others.map((result) => {
    const notes = reasonsOf(result).map((reason) => ` (${reason})`);
    return `${signOf(result)} ${oneLine(`${result.id}${notes.join('')}`)}`;
  });
  const title = `${count(others.length, 'other')} of the same cause: ${shortCause(cause)}`;
  const lines = atMost(all, 'more failure', MOST_LISTED);
  const wrapped = lines.flatMap((line) =>
    wrap(line, Math.max(width, 20) - 4).map((part) => `    ${part}`),
  );
  return [`  ${paint('cyan', title)}`, ...wrapped, ''];
}

const shortCause = (cause: string): string => ellipsis(oneLine(cause), LONGEST_CAUSE);

/** On a terminal a long text pushes away what matters; report.json has it whole. */
const LONGEST_TEXT = 2_000;
const LONGEST_SCRIPT = 8_000;
const LONGEST_STEP_BODY = 300;
const MOST_STEPS = 5;
const MOST_TEXT_LINES = 40;

/** @param width in columns; only what is there to be copied is wider */
export interface Terminal {
  colour: boolean;
  width: number;
}

/** The block of one requirement that does not hold; of one in error, its reason in place of the evidence. */
export function renderFailure(result: RequirementResult, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const width = Math.max(terminal.width, 20);
  const indent = (text: string, by = 2) =>
    wrap(text, width - by).map((line) => (line === '' ? '' : ' '.repeat(by) + line));
  const heading = (text: string) => ['', `  ${paint('cyan', text)}`];
  const { failure, level, origin, clause } = result;
  const place = `${clauseLine(result)}  ${clause.pointer}\n${level}, ${oneLine(origin)}`;
  const lines = [
    ...wrap(`${signOf(result)} ${oneLine(result.id)}`, width).map((line) =>
      paint('bold', paint('red', line)),
    ),
    ...indent(oneLine(result.sentence)),
    ...indent(visible(place)).map((line) => paint('dim', line)),
    ...reasonsOf(result).flatMap((reason) => [
      '',
      ...indent(oneLine(reason)).map((line) => paint('yellow', line)),
    ]),
  ];
  if (failure) {
    const steps = failure.exchanges.slice(0, -1);
    const last = failure.exchanges.at(-1);
    lines.push(
      '',
      ...indent(oneLine(failure.message)).map((line) => paint('bold', line)),
      ...heading('expected'),
      ...indent(shown(failure.expected), 4).map((line) => paint('green', line)),
      ...heading('got'),
      ...indent(shown(failure.got), 4).map((line) => paint('red', line)),
      ...(steps.length > 0
        ? [...heading('after'), ...few(steps).flatMap((step) => indent(step, 4))]
        : []),
      ...(last
        ? exchangeLines(last).flatMap(([name, text]) => [...heading(name), ...indent(text, 4)])
        : []),
      ...heading('show it with curl'),
      cut(visible(failure.curl).trimEnd(), LONGEST_SCRIPT),
      ...heading('run this case again'),
      visible(failure.replay).trimEnd(),
    );
  }
  return `${lines.join('\n')}\n`;
}

function few(steps: readonly Exchange[]): string[] {
  const more = steps.length - 2 * MOST_STEPS;
  if (more <= 0) {
    return steps.map(inShort);
  }
  const first = steps.slice(0, MOST_STEPS);
  const last = steps.slice(-MOST_STEPS);
  return [
    ...first.map(inShort),
    `… ${count(more, 'more step')}: report.json has them`,
    ...last.map(inShort),
  ];
}

/** One of the steps before the last, which breaks the rule and is shown whole. */
function inShort({ request, response, error }: Exchange): string {
  const outcome = response ? response.status : `no response: ${error}`;
  const sent = request.body ? [`sent ${request.body}`] : [];
  const got = response?.body ? [`got ${response.body}`] : [];
  const bodies = [...sent, ...got].map(
    (body) => `\n  ${ellipsis(oneLine(body), LONGEST_STEP_BODY)}`,
  );
  return `${oneLine(`${request.method} ${request.url} → ${outcome}`)}${bodies.join('')}`;
}

function exchangeLines({ request, response, error }: Exchange): [heading: string, text: string][] {
  const none = `none: ${oneLine(error ?? '')}`;
  return [
    ['request', message(`${request.method} ${request.url}`, request.headers, request.body ?? '')],
    [
      'response',
      response ? message(String(response.status), response.headers, response.body) : none,
    ],
  ];
}

function message(start: string, headers: Record<string, string>, body: string): string {
  const head = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].map(
    oneLine,
  );
  return [...head, ...(body === '' ? [] : ['', shown(indentJson(body))])].join('\n');
}

function shown(text: string): string {
  const lines = cut(visible(text), LONGEST_TEXT).split('\n');
  const more = lines.length - MOST_TEXT_LINES;
  if (more > 0) {
    lines.splice(MOST_TEXT_LINES, more, `[… ${count(more, 'more line')}: see report.json]`);
  }
  return lines.join('\n');
}
