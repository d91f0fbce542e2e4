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
  incomplete: 2,
  inconclusive: 2,
};

const VERDICTS = {
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
} as const;

/** Everything that is shown after a run, from the overview to the verdict, which a reader sees last. */
export function renderSummary(report: Report, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const overview = overviewOf(report);
  const sections = [
    tableLines(overview, paint),
    failureLines(overview.inFull, terminal, paint),
    notCheckedLines(overview.unchecked),
    factLines(overview.facts, paint),
    [`Requirements: ${countsInWords(report.requirements)}`, ''],
    verdictLines(report, overview, paint),
  ];
  return `${sections.flat().join('\n')}\n`;
}

/** The areas and the causes of what failed. */
function tableLines({ areas, groups }: Overview, paint: Paint): string[] {
  if (groups.length === 0) {
    return [];
  }
  return [...areaTable(areas, paint), '', ...causeTable(groups, paint), ''];
}

function factLines(facts: Overview['facts'], paint: Paint): string[] {
  return facts.map(({ name, value }) => {
    const style = name === 'Warning' ? 'yellow' : 'dim';
    return paint(style, `${name}: ${oneLine(value)}`);
  });
}

function verdictLines({ verdict, reason }: Report, overview: Overview, paint: Paint): string[] {
  const { colour, advice } = VERDICTS[verdict];
  const title = paint('bold', paint(colour, overview.title));
  const lines = [`${title}. ${overview.sentence}`];
  if (reason !== undefined) {
    lines.push(oneLine(reason));
  }
  lines.push(`Exit code ${EXIT_CODES[verdict]}: ${advice}`);
  return lines;
}

/** A reader looks at the first causes; the reports have all of them in full. */
const MOST_LINES = 300;
const MOST_ROWS = 40;

function failureLines(groups: readonly Group[], terminal: Terminal, paint: Paint): string[] {
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const example = renderFailure(group.example, terminal).split('\n');
    const block = [...example, ...otherLines(group, terminal, paint)];
    if (index > 0 && lines.length + block.length > MOST_LINES) {
      const rest = count(groups.length - index, 'more cause');
      const advice = `${rest}: --report DIR writes a page that shows each of them in full`;
      return [...lines, paint('yellow', advice), ''];
    }
    lines.push(...block);
  }
  return lines;
}

/** Why requirements were not checked, each reason once. */
function notCheckedLines(unchecked: readonly RequirementResult[]): string[] {
  const reasonOf = (result: RequirementResult) =>
    `${signOf(result)} ${reasonsOf(result).join(', ')}`;
  const rows: string[] = [];
  for (const [reason, [first, ...others]] of groupBy(unchecked, reasonOf)) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    rows.push(ellipsis(oneLine(`${reason}: ${first?.id}${more}`), LONGEST_ROW));
  }
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
  const row = (name: string, ...numbers: (string | number)[]) => {
    const columns = numbers.map((number) => String(number).padStart(8));
    return name.padEnd(width) + columns.join('');
  };
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
  const lines = [`  ${paint('cyan', title)}`];
  for (const line of atMost(all, 'more failure', MOST_LISTED)) {
    const parts = wrap(line, Math.max(width, NARROWEST) - 4);
    lines.push(...parts.map((part) => `    ${part}`));
  }
  return [...lines, ''];
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

/** In columns: text is not wrapped at less. */
const NARROWEST = 20;

/** The block of one requirement that does not hold; for one in error, its reason in place of the evidence. */
export function renderFailure(result: RequirementResult, terminal: Terminal): string {
  const block = new FailureBlock(terminal);
  block.addRequirement(result);
  if (result.failure) {
    block.addEvidence(result.failure);
  }
  return `${block.lines.join('\n')}\n`;
}

type Style = Parameters<Paint>[0];
type Failure = NonNullable<RequirementResult['failure']>;

/** The lines about one requirement, wrapped and coloured. */
class FailureBlock {
  readonly lines: string[] = [];
  readonly #paint: Paint;
  readonly #width: number;

  constructor({ colour, width }: Terminal) {
    this.#paint = painter(colour);
    this.#width = Math.max(width, NARROWEST);
  }

  addRequirement(result: RequirementResult): void {
    const { id, sentence, level, origin, clause } = result;
    for (const line of wrap(`${signOf(result)} ${oneLine(id)}`, this.#width)) {
      this.lines.push(this.#paint('bold', this.#paint('red', line)));
    }
    this.#addText(oneLine(sentence));
    const place = `${clauseLine(result)}  ${clause.pointer}\n${level}, ${oneLine(origin)}`;
    this.#addText(visible(place), 'dim');
    for (const reason of reasonsOf(result)) {
      this.lines.push('');
      this.#addText(oneLine(reason), 'yellow');
    }
  }

  addEvidence({ message, expected, got, exchanges, curl, replay }: Failure): void {
    this.lines.push('');
    this.#addText(oneLine(message), 'bold');
    this.#addHeading('expected');
    this.#addText(shown(expected), 'green', 4);
    this.#addHeading('got');
    this.#addText(shown(got), 'red', 4);
    this.#addExchanges(exchanges);
    this.#addHeading('show it with curl');
    this.lines.push(cut(visible(curl).trimEnd(), LONGEST_SCRIPT));
    this.#addHeading('run this case again');
    this.lines.push(visible(replay).trimEnd());
  }

  #addExchanges(exchanges: readonly Exchange[]): void {
    const steps = exchanges.slice(0, -1);
    if (steps.length > 0) {
      this.#addHeading('after');
      for (const step of few(steps)) {
        this.#addText(step, undefined, 4);
      }
    }
    const last = exchanges.at(-1);
    if (last) {
      this.#addHeading('request');
      this.#addText(requestText(last), undefined, 4);
      this.#addHeading('response');
      this.#addText(responseText(last), undefined, 4);
    }
  }

  #addHeading(text: string): void {
    this.lines.push('', `  ${this.#paint('cyan', text)}`);
  }

  /** @param by how many columns each line is indented */
  #addText(text: string, style?: Style, by = 2): void {
    for (const line of wrap(text, this.#width - by)) {
      const indented = line === '' ? '' : ' '.repeat(by) + line;
      this.lines.push(style === undefined ? indented : this.#paint(style, indented));
    }
  }
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

/** One of the steps before the last one. Only the last one breaks the rule, and is shown whole. */
function inShort({ request, response, error }: Exchange): string {
  const outcome = response ? response.status : `no response: ${error}`;
  const lines = [oneLine(`${request.method} ${request.url} → ${outcome}`)];
  const addBody = (text: string) => {
    lines.push(`  ${ellipsis(oneLine(text), LONGEST_STEP_BODY)}`);
  };
  if (request.body) {
    addBody(`sent ${request.body}`);
  }
  if (response?.body) {
    addBody(`got ${response.body}`);
  }
  return lines.join('\n');
}

function requestText({ request }: Exchange): string {
  return messageText(`${request.method} ${request.url}`, request.headers, request.body ?? '');
}

function responseText({ response, error }: Exchange): string {
  if (!response) {
    return `none: ${oneLine(error ?? '')}`;
  }
  return messageText(String(response.status), response.headers, response.body);
}

function messageText(start: string, headers: Record<string, string>, body: string): string {
  const lines = [oneLine(start)];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(oneLine(`${name}: ${value}`));
  }
  if (body !== '') {
    lines.push('', shown(indentJson(body)));
  }
  return lines.join('\n');
}

function shown(text: string): string {
  const lines = cut(visible(text), LONGEST_TEXT).split('\n');
  const more = lines.length - MOST_TEXT_LINES;
  if (more > 0) {
    lines.splice(MOST_TEXT_LINES, more, `[… ${count(more, 'more line')}: see report.json]`);
  }
  return lines.join('\n');
}
