/**
 * The report on a terminal: one block per failure while the run goes on, and a summary at its end.
 *
 * All text goes through `visible` before a colour is added, so that the only escape sequences are our own. Scripts and
 * commands begin in the first column and are never wrapped: they are there to be copied.
 */
import { beside, padEnd, wrap } from './columns.ts';
import { type AreaLine, overview } from './overview.ts';
import type { Exchange, Report, RequirementResult, Verdict } from '../run/result.ts';
import { cut, ellipsis, formatDuration, formatNumber, indentJson, oneLine, visible } from './text.ts';
import {
  clauseLine,
  count,
  EXIT_CODES,
  STATUS_SIGNS,
  STATUS_WORDS,
  STATUSES,
  VERDICT_WORDS,
  verdictSentence,
  leftBehind,
} from './words.ts';

/** Below this two columns are too narrow to read. */
const TWO_COLUMN_WIDTH = 72;
/** On a terminal a long text pushes away what matters; report.json has it whole. */
const LONGEST_TEXT = 2_000;
const LONGEST_SCRIPT = 8_000;
const LONGEST_CAUSE = 80;

const SGR = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

type Paint = (style: keyof typeof SGR, text: string) => string;

function painter(colour: boolean): Paint {
  return (style, text) => (colour && text !== '' ? `\u001b[${SGR[style]}m${text}\u001b[0m` : text);
}

/** The block of one requirement that is not kept; of one in error, its reason in place of the evidence. */
export function renderFailure(result: RequirementResult, options: { colour: boolean; width: number }): string {
  const paint = painter(options.colour);
  const width = Math.max(options.width, 20);
  const { failure } = result;
  const reason = result.reason === undefined ? [] : indent(oneLine(result.reason), width);
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

/** The steps before the last in a line each; the last one, which broke the promise, whole. */
function exchangeLines(exchanges: readonly Exchange[], width: number, paint: Paint): string[] {
  const last = exchanges.at(-1);
  if (!last) return [];
  const before = exchanges.slice(0, -1).flatMap((step) => indent(stepLine(step), width, 4));
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

function stepLine({ request, response, error }: Exchange): string {
  const outcome = response ? String(response.status) : `no response: ${error ?? 'no reason given'}`;
  return oneLine(`${request.method} ${request.url} → ${outcome}`);
}

function message(start: string, headers: Record<string, string>, body: string, width: number): string[] {
  const head = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const lines = head.flatMap((line) => indent(oneLine(line), width, 4));
  return body === '' ? lines : [...lines, '', ...indent(shown(indentJson(body)), width, 4)];
}

function shown(text: string): string {
  return cut(visible(text), LONGEST_TEXT);
}

const EXIT_ADVICE: Record<Verdict, string> = {
  conformant: 'nothing to do.',
  nonconformant: 'mend what failed; each failure names its clause, a curl script and a command that runs it again.',
  inconclusive: 'not a judgement of the service: remove the cause, then run the suite again.',
};

const VERDICT_COLOURS = { conformant: 'green', nonconformant: 'red', inconclusive: 'yellow' } as const;

export function renderSummary(report: Report, options: { colour: boolean }): string {
  const paint = painter(options.colour);
  const { verdict, summary } = report;
  const counts = STATUSES.filter((status) => summary[status] > 0 || status === 'pass' || status === 'fail').map(
    (status) => {
      const text = `${formatNumber(summary[status])} ${STATUS_WORDS[status]}`;
      if (summary[status] === 0) return paint('dim', text);
      if (status === 'fail') return paint('red', text);
      return status === 'pass' ? paint('green', text) : paint('yellow', text);
    },
  );
  const lines = [
    ...areaTable(overview(report.requirements), paint),
    `${count(report.requirements.length, 'requirement')}: ${counts.join(', ')}`,
    `${count(report.requests, 'request')} in ${formatDuration(report.duration_ms)}, seed ${report.seed}, level ${
      report.target.level
    }, ${oneLine(report.target.url)}`,
  ];
  if (leftBehind(report) !== '') {
    lines.push(`Left behind: ${leftBehind(report)}.`);
  }
  lines.push(
    '',
    `${paint('bold', paint(VERDICT_COLOURS[verdict], VERDICT_WORDS[verdict]))}. ${verdictSentence(report)}`,
  );
  if (report.reason !== undefined) lines.push(oneLine(report.reason));
  lines.push(`Exit code ${EXIT_CODES[verdict]}: ${EXIT_ADVICE[verdict]}`);
  return `${lines.join('\n')}\n`;
}

/** A line for each area; of the causes, the most frequent. */
function areaTable(areas: readonly AreaLine[], paint: Paint): string[] {
  if (areas.length === 0) return [];
  const width = Math.max(...areas.map(({ area }) => area.length));
  const numbers = (...columns: (string | number)[]): string => columns.map((one) => String(one).padStart(8)).join('');
  return [
    paint('dim', `${padEnd('area', width)}${numbers('passed', 'failed', 'others')}  most often`),
    ...areas.map(({ area, passed, failed, others, cause }) => {
      const counted = numbers(...[passed, failed, others].map(formatNumber));
      const line = `${padEnd(oneLine(area), width)}${counted}`;
      return cause
        ? `${paint('red', line)}  ${ellipsis(oneLine(cause.message), LONGEST_CAUSE)} (${formatNumber(cause.number)})`
        : line;
    }),
    '',
  ];
}
