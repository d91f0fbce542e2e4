/**
 * One failure as text, on a terminal and in JUnit.
 *
 * All text goes through `visible` before a colour is added, so that the only escape sequences are our own. Scripts and
 * commands begin in the first column and are never wrapped: they are there to be copied.
 */
import { beside, wrap } from './columns.ts';
import { type Paint, painter } from './paint.ts';
import type { Exchange, RequirementResult } from '../run/result.ts';
import { cut, ellipsis, indentJson, oneLine, visible } from './text.ts';
import { clauseLine, reasonsOf, STATUS_SIGNS } from './words.ts';

/** Below this two columns are too narrow to read. */
const TWO_COLUMN_WIDTH = 72;
/** On a terminal a long text pushes away what matters; report.json has it whole. */
const LONGEST_TEXT = 2_000;
const LONGEST_SCRIPT = 8_000;
const LONGEST_STEP_BODY = 300;

/** The block of one requirement that does not hold; of one in error, its reason in place of the evidence. */
export function renderFailure(result: RequirementResult, options: { colour: boolean; width: number }): string {
  const paint = painter(options.colour);
  const width = Math.max(options.width, 20);
  const { failure } = result;
  const reason = reasonsOf(result).flatMap((text) => indent(oneLine(text), width));
  const lines = [
    ...wrap(`${STATUS_SIGNS[result.status]} ${oneLine(result.id)}`, width).map((line) =>
      paint('bold', paint('red', line)),
    ),
    ...indent(oneLine(result.sentence), width),
    ...indent(`${clauseLine(result)}  ${oneLine(result.clause.pointer)}`, width).map((line) => paint('dim', line)),
    ...indent(`${result.level}, ${oneLine(result.origin)}`, width).map((line) => paint('dim', line)),
    ...(reason.length > 0 ? ['', ...reason.map((line) => paint('yellow', line))] : []),
  ];
  if (failure) {
    lines.push(
      '',
      ...indent(oneLine(failure.message), width).map((line) => paint('bold', line)),
      '',
      ...expectedAndGot(failure.expected, failure.got, width, paint),
      ...exchangeLines(failure.exchanges, width, paint),
      '',
      heading('show it with curl', paint),
      cut(visible(failure.curl).trimEnd(), LONGEST_SCRIPT),
      '',
      heading('run this case again', paint),
      visible(failure.replay).trimEnd(),
    );
  }
  return `${lines.join('\n')}\n`;
}

function heading(text: string, paint: Paint): string {
  return `  ${paint('cyan', text)}`;
}

function indent(text: string, width: number, by = 2): string[] {
  return wrap(text, width - by).map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

function expectedAndGot(expected: string, got: string, width: number, paint: Paint): string[] {
  const left = shown(expected);
  const right = shown(got);
  if (width < TWO_COLUMN_WIDTH) {
    return [
      heading('expected', paint),
      ...indent(left, width, 4).map((line) => paint('green', line)),
      heading('got', paint),
      ...indent(right, width, 4).map((line) => paint('red', line)),
    ];
  }
  const bar = paint('dim', '│');
  const [first, ...rows] = beside(`expected\n${left}`, `got\n${right}`, width - 2);
  return [
    `  ${paint('cyan', first?.[0] ?? '')} ${bar} ${paint('cyan', first?.[1] ?? '')}`,
    ...rows.map(([l, r]) => `  ${paint('green', l)} ${bar} ${paint('red', r)}`.trimEnd()),
  ];
}

/** The steps before the last in short, with their bodies; the last one, which breaks the rule, whole. */
function exchangeLines(exchanges: readonly Exchange[], width: number, paint: Paint): string[] {
  const last = exchanges.at(-1);
  if (!last) return [];
  const before = exchanges.slice(0, -1).flatMap((step) => stepLines(step, width));
  const { request, response } = last;
  return [
    '',
    ...(before.length > 0 ? [heading('after', paint), ...before, ''] : []),
    heading('request', paint),
    ...message(`${request.method} ${request.url}`, request.headers, request.body ?? '', width),
    '',
    heading('response', paint),
    ...(response
      ? message(String(response.status), response.headers, response.body, width)
      : indent(`none: ${oneLine(last.error ?? 'no reason given')}`, width, 4)),
  ];
}

function stepLines({ request, response, error }: Exchange, width: number): string[] {
  const outcome = response ? String(response.status) : `no response: ${error ?? 'no reason given'}`;
  const bodies = [
    ...(request.body ? [`sent ${request.body}`] : []),
    ...(response?.body ? [`got ${response.body}`] : []),
  ];
  return [
    ...indent(oneLine(`${request.method} ${request.url} → ${outcome}`), width, 4),
    ...bodies.flatMap((body) => indent(ellipsis(oneLine(body), LONGEST_STEP_BODY), width, 6)),
  ];
}

function message(start: string, headers: Record<string, string>, body: string, width: number): string[] {
  const head = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const lines = head.flatMap((line) => indent(oneLine(line), width, 4));
  return body === '' ? lines : [...lines, '', ...indent(shown(indentJson(body)), width, 4)];
}

function shown(text: string): string {
  return cut(visible(text), LONGEST_TEXT);
}
