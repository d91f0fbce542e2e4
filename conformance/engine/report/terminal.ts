/** The report on a terminal: the overview by area and by cause, one failure of each cause in full, and the verdict. */
import { padEnd, wrap } from './columns.ts';
import { renderFailure } from './failure-text.ts';
import { type Group, groupsOf } from './groups.ts';
import { type AreaLine, overview } from './overview.ts';
import { type Paint, painter } from './paint.ts';
import type { Report, RequirementResult, Verdict } from '../run/result.ts';
import { ellipsis, formatDuration, oneLine } from './text.ts';
import { inThousands } from '../requirements/rule-in-words.ts';
import {
  count,
  EXIT_CODES,
  leftInWords,
  reasonsOf,
  retriesInWords,
  STATUS_SIGNS,
  STATUS_WORDS,
  STATUSES,
  VERDICT_WORDS,
  verdictSentence,
} from './words.ts';

const LONGEST_CAUSE = 80;
/** Of one cause; report.json has them all. */
const MOST_LISTED = 15;

const EXIT_ADVICE: Record<Verdict, string> = {
  conformant: 'nothing to do.',
  nonconformant: 'fix what failed; each failure names its clause, a curl script and a command that runs it again.',
  inconclusive: 'no verdict on the service: remove the cause, then run the suite again.',
};

const VERDICT_COLOURS = { conformant: 'green', nonconformant: 'red', inconclusive: 'yellow' } as const;

export function renderSummary(report: Report, options: { colour: boolean; width: number }): string {
  const paint = painter(options.colour);
  const { verdict, summary } = report;
  const counts = STATUSES.filter((status) => summary[status] > 0 || status === 'pass' || status === 'fail').map(
    (status) => {
      const text = `${inThousands(summary[status])} ${STATUS_WORDS[status]}`;
      if (summary[status] === 0) return paint('dim', text);
      if (status === 'fail') return paint('red', text);
      return status === 'pass' ? paint('green', text) : paint('yellow', text);
    },
  );
  const groups = groupsOf(report);
  const errors = report.requirements.filter(({ status, failure }) => status === 'error' && failure !== undefined);
  const retries = retriesInWords(report);
  const left = leftInWords(report);
  const lines = [
    ...areaTable(overview(report.requirements), paint),
    ...causeTable(groups, paint),
    ...groups.flatMap((group) => groupBlock(group, options, paint)),
    ...errors.map((result) => renderFailure(result, options)),
    `${count(report.requirements.length, 'requirement')}: ${counts.join(', ')}`,
    `${count(report.requests, 'request')} in ${formatDuration(report.duration_ms)}, seed ${report.seed}, level ${
      report.target.level
    }, ${oneLine(report.target.url)}`,
    ...(retries === undefined ? [] : [`Sent again: ${retries}.`]),
    ...(left === undefined ? [] : [`Left behind: ${left}.`]),
    ...report.warnings.map((warning) => paint('yellow', `Warning: ${oneLine(warning)}`)),
    '',
    `${paint('bold', paint(VERDICT_COLOURS[verdict], VERDICT_WORDS[verdict]))}. ${verdictSentence(report)}`,
    ...(report.reason === undefined ? [] : [oneLine(report.reason)]),
    `Exit code ${EXIT_CODES[verdict]}: ${EXIT_ADVICE[verdict]}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A line for each area; of the causes, the most frequent. */
function areaTable(areas: readonly AreaLine[], paint: Paint): string[] {
  if (areas.length === 0) return [];
  const width = Math.max(...areas.map(({ area }) => area.length));
  const numbers = (...columns: (string | number)[]): string => columns.map((one) => String(one).padStart(8)).join('');
  return [
    paint('dim', `${padEnd('area', width)}${numbers('passed', 'broken', 'others')}  most often`),
    ...areas.map(({ area, passed, broken, others, cause }) => {
      const counted = numbers(...[passed, broken, others].map(inThousands));
      const line = `${padEnd(oneLine(area), width)}${counted}`;
      return cause
        ? `${paint('red', line)}  ${ellipsis(oneLine(cause.message), LONGEST_CAUSE)} (${inThousands(cause.number)})`
        : line;
    }),
    '',
  ];
}

/** The causes, the most frequent first; each has a block of its own below. */
function causeTable(groups: readonly Group[], paint: Paint): string[] {
  if (groups.length === 0) return [];
  return [
    paint('dim', 'broken  cause'),
    ...groups.map(({ cause, others }) => {
      const number = inThousands(others.length + 1).padStart(6);
      return `${paint('red', number)}  ${ellipsis(oneLine(cause), LONGEST_CAUSE)}`;
    }),
    '',
  ];
}

function groupBlock(
  { cause, example, others }: Group,
  options: { colour: boolean; width: number },
  paint: Paint,
): string[] {
  const block = renderFailure(example, options);
  if (others.length === 0) return [block];
  const listed = others.slice(0, MOST_LISTED).flatMap((result) => otherLines(result, options.width));
  const more = others.length - MOST_LISTED;
  return [
    block,
    `  ${paint('cyan', `${count(others.length, 'other')} of the same cause: ${ellipsis(oneLine(cause), LONGEST_CAUSE)}`)}`,
    ...listed,
    ...(more > 0 ? [`    … and ${inThousands(more)} more: report.json has them`] : []),
    '',
  ];
}

function otherLines(result: RequirementResult, width: number): string[] {
  const notes = reasonsOf(result).map((reason) => ` (${oneLine(reason)})`);
  const line = `${STATUS_SIGNS[result.status]} ${oneLine(result.id)}${notes.join('')}`;
  return wrap(line, Math.max(width, 20) - 4).map((part) => `    ${part}`);
}
