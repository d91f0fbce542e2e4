/**
 * The block of one requirement that does not hold, as plain text: for a terminal and for JUnit. All
 * text goes through `visible` before it is coloured: escape sequences are our own. A script and a
 * command begin in the first column and are never wrapped: they are there to be copied.
 */
import { count } from '../requirements/rule-in-words.ts';
import type { Exchange, Failure, RequirementResult } from '../run/result.ts';
import { type Paint, painter, type Style, type Terminal, wrap } from './columns.ts';
import { cut, ellipsis, indentJson, oneLine, visible } from './text.ts';
import { clauseLine, reasonsOf, signOf } from './words.ts';

/** In UTF-16 code units. A long text pushes away what matters; report.json has it whole. */
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

/** A result in error may have no evidence: then its reason stands in its place. */
export function renderFailure(result: RequirementResult, terminal: Terminal): string {
  const screen: Screen = {
    width: Math.max(terminal.width, NARROWEST),
    paint: painter(terminal.colour),
  };
  const lines = headingLines(result, screen);
  for (const reason of reasonsOf(result)) {
    lines.push('', ...painted('yellow', indented(oneLine(reason), screen), screen));
  }
  if (result.failure !== undefined) {
    lines.push('', ...evidenceLines(result.failure, screen));
  }
  return `${lines.join('\n')}\n`;
}

/** Which requirement it is, its rule, and where that comes from. */
function headingLines(result: RequirementResult, screen: Screen): string[] {
  const { id, sentence, level, origin, clause } = result;
  const title = `${signOf(result)} ${oneLine(id)}`;
  const place = `${clauseLine(result)}  ${clause.pointer}\n${level}, ${oneLine(origin)}`;
  const red = painted('red', wrap(title, screen.width), screen);
  return [
    ...painted('bold', red, screen),
    ...indented(oneLine(sentence), screen),
    ...painted('dim', indented(visible(place), screen), screen),
  ];
}

function evidenceLines(failure: Failure, screen: Screen): string[] {
  const { message, expected, got, exchanges, curl, replay } = failure;
  const last = exchanges.at(-1);
  const lines = painted('bold', indented(oneLine(message), screen), screen);
  lines.push(...heading('expected', screen));
  lines.push(...painted('green', indented(shown(expected), screen, 4), screen));
  lines.push(...heading('got', screen));
  lines.push(...painted('red', indented(shown(got), screen, 4), screen));
  lines.push(...stepLines(exchanges.slice(0, -1), screen));
  if (last !== undefined) {
    lines.push(...exchangeLines(last, screen));
  }
  lines.push(...heading('show it with curl', screen));
  lines.push(cut(visible(curl).trimEnd(), LONGEST.script));
  lines.push(...heading('run this case again', screen));
  lines.push(visible(replay).trimEnd());
  return lines;
}

function heading(title: string, { paint }: Screen): string[] {
  return ['', `  ${paint('cyan', title)}`];
}

/** Wrapped lines, each behind so many spaces. */
function indented(text: string, { width }: Screen, spaces = 2): string[] {
  const indentation = ' '.repeat(spaces);
  return wrap(text, width - spaces).map((line) => (line === '' ? '' : indentation + line));
}

function painted(style: Style, lines: readonly string[], { paint }: Screen): string[] {
  return lines.map((line) => paint(style, line));
}

/** The steps before the last one, which breaks the rule and is shown whole. */
function stepLines(steps: readonly Exchange[], screen: Screen): string[] {
  if (steps.length === 0) {
    return [];
  }
  const lines = heading('after', screen);
  for (const step of fewOf(steps)) {
    lines.push(...indented(step, screen, 4));
  }
  return lines;
}

function fewOf(steps: readonly Exchange[]): string[] {
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

function stepInShort({ request, response, error }: Exchange): string {
  const outcome = response === null ? `no response: ${error}` : response.status;
  let text = oneLine(`${request.method} ${request.url} → ${outcome}`);
  if (request.body) {
    text += `\n  ${bodyInShort('sent', request.body)}`;
  }
  if (response?.body) {
    text += `\n  ${bodyInShort('got', response.body)}`;
  }
  return text;
}

function bodyInShort(verb: 'sent' | 'got', body: string): string {
  return ellipsis(oneLine(`${verb} ${body}`), LONGEST.bodyOfStep);
}

function exchangeLines({ request, response, error }: Exchange, screen: Screen): string[] {
  const requestLine = `${request.method} ${request.url}`;
  const sent = messageText(requestLine, request.headers, request.body ?? '');
  let received = `none: ${oneLine(error ?? '')}`;
  if (response !== null) {
    received = messageText(String(response.status), response.headers, response.body);
  }
  return [
    ...heading('request', screen),
    ...indented(sent, screen, 4),
    ...heading('response', screen),
    ...indented(received, screen, 4),
  ];
}

/** A request or a response. */
function messageText(
  startLine: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = [oneLine(startLine)];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(oneLine(`${name}: ${value}`));
  }
  if (body !== '') {
    lines.push('', shown(indentJson(body)));
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
