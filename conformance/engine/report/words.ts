/** What the reports for people have in common: the verdict in words, the order of statuses, the grouping by area. */
import type { Report, RequirementResult, Status, Verdict } from '../run/result.ts';
import { formatNumber } from './text.ts';

/** What needs attention comes first. */
export const STATUSES: readonly Status[] = ['fail', 'error', 'skip', 'disabled', 'pass'];

/** As counts are read out: `3 failed`. */
export const STATUS_WORDS: Record<Status, string> = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
  disabled: 'disabled',
  error: 'in error',
};

/** A second sign beside the colour, for those who cannot see it. */
export const STATUS_SIGNS: Record<Status, string> = { pass: '✓', fail: '✗', skip: '–', disabled: '○', error: '!' };

export const VERDICT_WORDS: Record<Verdict, string> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  inconclusive: 'Inconclusive',
};

export const EXIT_CODES: Record<Verdict, 0 | 1 | 2> = { conformant: 0, nonconformant: 1, inconclusive: 2 };

/** The verdict in one sentence. What was not judged is said at once: silence about it would make green look greener. */
export function verdictSentence({ verdict, summary }: Report): string {
  const judged = summary.pass + summary.fail;
  const others = summary.skip + summary.disabled + summary.error;
  const rest = others > 0 ? `; ${formatNumber(others)} ${others === 1 ? 'was' : 'were'} not judged` : '';
  if (verdict === 'inconclusive') {
    const so = judged === 0 ? 'nothing was judged' : `only ${count(judged, 'requirement')} judged`;
    return `The suite could not judge this service: ${so}${rest}.`;
  }
  if (verdict === 'conformant') return `${holds(judged)}${rest}.`;
  return `${formatNumber(summary.fail)} of ${count(judged, 'judged requirement')} ${
    summary.fail === 1 ? 'does' : 'do'
  } not hold${rest}.`;
}

function holds(judged: number): string {
  return judged === 1 ? 'The one judged requirement holds' : `All ${formatNumber(judged)} judged requirements hold`;
}

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`;
}

/** What the run could not remove, such as `3 edges, 1 source`; `''` when there is nothing. */
export function leftBehind({ left_behind: left }: Report): string {
  return Object.entries(left)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => count(number, kind.replace(/s$/, ''), kind))
    .join(', ');
}

/** `createEdge.hostports.unique` belongs to `createEdge`. */
export function areaOf(id: string): string {
  const dot = id.indexOf('.');
  return dot === -1 ? id : id.slice(0, dot);
}

/** In order of first appearance, which is that of the contract. */
export function groupByArea(results: readonly RequirementResult[]): Map<string, RequirementResult[]> {
  const areas = new Map<string, RequirementResult[]>();
  for (const result of results) {
    const area = areaOf(result.id);
    const known = areas.get(area);
    if (known) known.push(result);
    else areas.set(area, [result]);
  }
  return areas;
}

/** `openapi.yaml:785`, which editors and CI logs turn into a link. */
export function clauseLine(result: RequirementResult): string {
  return `openapi.yaml:${result.clause.line}`;
}

/** Skipped, disabled and in error: everything that was neither kept nor broken, errors first. */
export function notJudged(report: Report): RequirementResult[] {
  return (['error', 'skip', 'disabled'] as const).flatMap((status) =>
    report.requirements.filter((result) => result.status === status),
  );
}

export function failed(report: Report): RequirementResult[] {
  return report.requirements.filter((result) => result.status === 'fail');
}
