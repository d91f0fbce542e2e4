/**
 * The block of one finding or requirement that does not hold, as plain text: for a terminal and for
 * JUnit. All text goes through `visible` before it is coloured: escape sequences are our own. A
 * script and a command begin in the first column and are never wrapped: they are to be copied.
 */
import { withoutBase } from '../http/exchange.ts';
import { UNAVAILABLE } from '../http/response.ts';
import { count } from '../requirements/rule-in-words.ts';
import type { ReportedExchange, Failure, RequirementResult } from '../run/result.ts';
import {
  displayWidth,
  fit,
  type Paint,
  painter,
  type Style,
  type Terminal,
  wrap,
} from './columns.ts';
import type { GroupInFull } from './overview.ts';
import { bodyInShort, cut, ellipsis, oneLine, visible, withShortValues } from './text.ts';
import { clauseLine, extentOf, notesOfFinding, rankOf, reasonLines, signOf } from './words.ts';

/** In UTF-16 code units. A long text would hide the rest; report.json has it whole. */
const LONGEST = { evidence: 2_000, script: 8_000, bodyOfStep: 300 };
const MOST_EVIDENCE_LINES = 40;
/** How many of the first steps, and of the last ones, are shown. */
const MOST_STEPS = 5;

const NARROWEST = 20;

interface Screen {
  /** In columns. */
  width: number;
  paint: Paint;
}

/** A finding: its description, the rule that it breaks, and its evidence. */
export function renderFinding(group: GroupInFull, terminal: Terminal): string {
  const screen = screenOf(terminal);
  const { finding, failure, example } = group;
  if (finding === undefined && example !== undefined) {
    return renderFailure(example, terminal);
  }
  const lines = titleLines(`✗ ${oneLine(group.title)}`, screen);
  if (finding !== undefined) {
    const place = [finding.id, extentOf(finding)].join('\n');
    lines.push(...indented(visible(place), screen, { style: 'dim' }));
    for (const note of notesOfFinding(finding)) {
      lines.push('', ...indented(oneLine(note), screen, { style: 'yellow' }));
    }
  }
  if (example !== undefined) {
    lines.push('', ...ruleLines(example, screen));
  }
  lines.push('', ...evidenceLines(failure, screen));
  return `${lines.join('\n')}\n`;
}

/** A result in error may have no evidence: then its reason stands in its place. */
export function renderFailure(result: RequirementResult, terminal: Terminal): string {
  const screen = screenOf(terminal);
  const lines = headingLines(result, screen);
  for (const reason of reasonLines(result)) {
    lines.push('', ...indented(oneLine(reason), screen, { style: 'yellow' }));
  }
  if (result.failure !== undefined) {
    lines.push('', ...evidenceLines(result.failure, screen));
  }
  return `${lines.join('\n')}\n`;
}

function screenOf({ width, colour }: Terminal): Screen {
  return { width: Math.max(width, NARROWEST), paint: painter(colour) };
}

function titleLines(title: string, { width, paint }: Screen): string[] {
  return wrap(title, width).map((line) => paint('bold', paint('red', line)));
}

/** The requirement, its rule, and the origin of the rule. */
function headingLines(result: RequirementResult, screen: Screen): string[] {
  const { sentence } = result;
  const lines = titleLines(`${signOf(result)} ${oneLine(result.id)}`, screen);
  const place = [placeOf(result), rankOf(result).join(', ')].join('\n').trimEnd();
  lines.push(...indented(oneLine(sentence), screen));
  lines.push(...indented(visible(place), screen, { style: 'dim' }));
  return lines;
}

/** The rule that an example of a finding breaks. */
function ruleLines(result: RequirementResult, screen: Screen): string[] {
  const { id, sentence } = result;
  const lines = indented(oneLine(sentence), screen);
  const place = `${[oneLine(id), ...rankOf(result)].join(', ')}\n${placeOf(result)}`;
  lines.push(...indented(visible(place), screen, { style: 'dim' }));
  for (const reason of reasonLines(result)) {
    lines.push('', ...indented(oneLine(reason), screen, { style: 'yellow' }));
  }
  return lines;
}

const placeOf = (result: RequirementResult): string =>
  `${clauseLine(result)}  ${result.clause.pointer}`;

function evidenceLines(failure: Failure, screen: Screen): string[] {
  const { message, expected, got, violations = [], exchanges, curl, replay } = failure;
  const steps = exchanges.slice(0, -1);
  const last = exchanges.at(-1);
  const lines = indented(oneLine(withShortValues(message)), screen, { style: 'bold' });
  lines.push(...section('expected', shown(withShortValues(expected)), screen, 'green'));
  lines.push(...section('got', shown(withShortValues(got)), screen, 'red'));
  if (violations.length > 0) {
    lines.push(...section('also wrong in this response', othersOf(violations), screen, 'red'));
  }
  if (steps.length > 0) {
    lines.push(...section('after', fewOf(steps).join('\n'), screen));
  }
  if (last !== undefined) {
    // It breaks the rule, and is shown whole.
    lines.push(...section('request', requestText(last), screen));
    lines.push(...section('response', responseText(last), screen));
  }
  lines.push(...heading('show it with curl', screen));
  lines.push(cut(visible(curl).trimEnd(), LONGEST.script));
  if (replay !== '') {
    lines.push(...heading('run this case again', screen));
    lines.push(visible(replay).trimEnd());
  }
  return lines;
}

/** The first one is the message. */
function othersOf(violations: NonNullable<Failure['violations']>): string {
  const lines = violations.slice(1).map(({ message, got }) => {
    return ellipsis(oneLine(withShortValues(`${message} Got ${got}`)), LONGEST.bodyOfStep);
  });
  return shown(lines.join('\n'));
}

function section(title: string, text: string, screen: Screen, style?: Style): string[] {
  return [...heading(title, screen), ...indented(text, screen, { spaces: 4, style })];
}

function heading(title: string, { paint }: Screen): string[] {
  return ['', `  ${paint('cyan', title)}`];
}

interface Indentation {
  /** Before each line that is not empty; by default 2. */
  spaces?: number;
  style?: Style | undefined;
}

function indented(
  text: string,
  { width, paint }: Screen,
  { spaces = 2, style }: Indentation = {},
): string[] {
  return wrap(text, width - spaces).map((line) => {
    const shifted = line === '' ? '' : ' '.repeat(spaces) + line;
    return style === undefined ? shifted : paint(style, shifted);
  });
}

function fewOf(steps: readonly ReportedExchange[]): string[] {
  const more = steps.length - 2 * MOST_STEPS;
  if (more <= 0) {
    return steps.map(stepInShort);
  }
  const first = steps.slice(0, MOST_STEPS);
  const last = steps.slice(-MOST_STEPS);
  return [
    ...first.map(stepInShort),
    `… ${count(more, 'more step')}: report.json has them`,
    ...last.map(stepInShort),
  ];
}

function stepInShort({ request, response, error }: ReportedExchange): string {
  const outcome = response === null ? `no response: ${error}` : response.status;
  let text = oneLine(withShortValues(`${request.method} ${request.url} → ${outcome}`));
  if (request.body) {
    text += `\n  ${bodyOfStep('sent', request.body)}`;
  }
  if (response?.body) {
    text += `\n  ${bodyOfStep('got', response.body)}`;
  }
  return text;
}

/**
 * Such as `POST /pets {"name":"a" × 101} → 500`, and `GET / (accept-language: xx) → 500`.
 * @param base is left out of the URL
 * @param width in columns: the outcome is shown whole
 */
export function exchangeInShort(
  exchange: ReportedExchange,
  base: string,
  width: number = LONGEST.bodyOfStep,
): string {
  const { method, url, headers, body } = exchange.request;
  const place = withoutBase(url, base);
  const sent = fieldsInShort(headers) + (body ? ` ${body}` : '');
  const end = ` → ${outcomeInShort(exchange)}`;
  const room = Math.max(1, width - displayWidth(end));
  const start = oneLine(withShortValues(`${method} ${place}${sent}`));
  if (displayWidth(start) <= room) {
    return start + end;
  }
  const short = oneLine(withShortValues(`${method} ${withShortSegments(place)}${sent}`));
  return fit(short, room) + end;
}

/** The status; a 503 that did not end counts as no response, and is shown as what came. */
function outcomeInShort({ response, error }: ReportedExchange): string {
  if (response !== null) {
    return String(response.status);
  }
  if (error?.startsWith(UNAVAILABLE)) {
    return '503';
  }
  return 'no response';
}

const MOST_FIELDS = 2;

/** The header fields that a request has for a reason, such as ` (accept-language: xx)`. */
function fieldsInShort(headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const telling = fields.filter((field) => field !== 'content-type: application/json');
  if (telling.length === 0) {
    return '';
  }
  const more = telling.length > MOST_FIELDS ? ', …' : '';
  return ` (${telling.slice(0, MOST_FIELDS).join(', ')}${more})`;
}

/** A longer segment of a path, or one with encoded characters, names something. */
const LONGEST_SEGMENT = 12;

/** The path without the names of what is above its last segment: `/tenants/…/databases/…/fork`. */
function withShortSegments(place: string): string {
  const [path = '', ...query] = place.split('?');
  const segments = path.split('/');
  const short = segments.map((segment, index) => {
    const isName = segment.length > LONGEST_SEGMENT || segment.includes('%');
    const isLast = index === segments.length - 1;
    return isName && !isLast && !WORDS.test(segment) ? '…' : segment;
  });
  return [short.join('/'), ...query].join('?');
}

/** Words of a contract, such as `attached_functions`. */
const WORDS = /^[a-z]+([-_][a-z]+)+$/i;

function bodyOfStep(verb: 'sent' | 'got', body: string): string {
  return ellipsis(oneLine(withShortValues(`${verb} ${body}`)), LONGEST.bodyOfStep);
}

function requestText({ request }: ReportedExchange): string {
  return messageText(`${request.method} ${request.url}`, request.headers, request.body ?? '');
}

function responseText({ response, error }: ReportedExchange): string {
  if (response === null) {
    return `none: ${oneLine(error ?? '')}`;
  }
  return messageText(String(response.status), response.headers, response.body);
}

/** A request or a response. */
function messageText(
  startLine: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = [oneLine(withShortValues(startLine))];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(oneLine(withShortValues(`${name}: ${value}`)));
  }
  if (body !== '') {
    lines.push('', shown(bodyInShort(body)));
  }
  return lines.join('\n');
}

function shown(text: string): string {
  const lines = cut(visible(text), LONGEST.evidence).split('\n');
  const more = lines.length - MOST_EVIDENCE_LINES;
  if (more > 0) {
    const note = `[… ${count(more, 'more line')}: see report.json]`;
    lines.splice(MOST_EVIDENCE_LINES, more, note);
  }
  return lines.join('\n');
}
