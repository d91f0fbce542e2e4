/** What the reports for people have in common: the verdict in words, the order of statuses, the grouping by area. */
import type { Report, RequirementResult, Status, Verdict } from '../run/result.ts';
import { isBroken, isExcused } from '../run/verdict.ts';
import { oneLine } from './text.ts';
import { inThousands } from '../requirements/rule-in-words.ts';

/** What needs attention comes first. */
export const STATUSES: readonly Status[] = ['fail', 'flaky', 'error', 'skip', 'disabled', 'pass'];

/** As counts are read out: `3 failed`. */
export const STATUS_WORDS: Record<Status, string> = {
  pass: 'passed',
  fail: 'failed',
  flaky: 'flaky',
  skip: 'skipped',
  disabled: 'disabled',
  error: 'in error',
};

/** A second sign beside the colour, for those who cannot see it. */
export const STATUS_SIGNS: Record<Status, string> = {
  pass: '✓',
  fail: '✗',
  flaky: '≈',
  skip: '–',
  disabled: '○',
  error: '!',
};

export const VERDICT_WORDS: Record<Verdict, string> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  inconclusive: 'Inconclusive',
};

export const EXIT_CODES: Record<Verdict, 0 | 1 | 2> = { conformant: 0, nonconformant: 1, inconclusive: 2 };

/** The verdict in one sentence. What was not checked is part of it: silence about it would make green look greener. */
export function verdictSentence({ verdict, summary, requirements }: Report): string {
  const broken = summary.fail + summary.flaky;
  const checked = summary.pass + broken;
  const others = summary.skip + summary.disabled + summary.error;
  const rest = others > 0 ? `; ${inThousands(others)} ${others === 1 ? 'was' : 'were'} not checked` : '';
  if (verdict === 'inconclusive') {
    const so = checked === 0 ? 'nothing was checked' : `only ${count(checked, 'requirement')} checked`;
    return `The suite could not reach a verdict on this service: ${so}${rest}.`;
  }
  if (broken === 0) return `${holds(checked)}${rest}.`;
  const excused = requirements.filter(isExcused).length;
  if (verdict === 'conformant') {
    const known = excused === 1 ? '1 is a known failure' : `${inThousands(excused)} are known failures`;
    const kept = `${inThousands(summary.pass)} ${summary.pass === 1 ? 'holds' : 'hold'}`;
    return `Of ${count(checked, 'checked requirement')}, ${kept} and ${known}${rest}.`;
  }
  const known = excused === 0 ? '' : `, ${inThousands(excused)} of them known and excused`;
  return `${inThousands(broken)} of ${count(checked, 'checked requirement')} ${
    broken === 1 ? 'does' : 'do'
  } not hold${known}${rest}.`;
}

function holds(checked: number): string {
  return checked === 1 ? 'The one checked requirement holds' : `All ${inThousands(checked)} checked requirements hold`;
}

/** What stands beside a requirement that is not passed: why, or until when a failure is known. */
export function reasonsOf({ reason, known_failure: known }: RequirementResult): string[] {
  return [
    ...(reason === undefined ? [] : [reason]),
    ...(known ? [`known failure${known.expired ? ', expired on' : ' until'} ${known.expires}: ${known.reason}`] : []),
  ];
}

/** In words, none where nothing was sent again. */
export function retriesInWords({ retries }: Report): string | undefined {
  const parts = [
    ...(retries.rate_limited > 0 ? [`${inThousands(retries.rate_limited)} after 429`] : []),
    ...(retries.unavailable > 0 ? [`${inThousands(retries.unavailable)} after 503`] : []),
    ...(retries.connection_lost > 0 ? [`${inThousands(retries.connection_lost)} after a lost connection`] : []),
  ];
  if (parts.length === 0) return undefined;
  const cases = retries.cases > 0 ? `; ${count(retries.cases, 'case')} tried again from the start` : '';
  return `${parts.join(', ')}${cases}`;
}

/** In words, none where nothing is left. */
export function leftInWords({ left_behind: left, may_have_been_made: perhaps }: Report): string | undefined {
  const parts = [
    kindsOf(left),
    ...(kindsOf(perhaps) === '' ? [] : [`perhaps ${kindsOf(perhaps)}, since no response came`]),
  ];
  return parts.filter((part) => part !== '').join('; ') || undefined;
}

/** Such as `3 edges, 1 source`; `''` when there is nothing. */
function kindsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => count(number, kind.replace(/s$/, ''), kind))
    .join(', ');
}

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${inThousands(value)} ${value === 1 ? singular : plural}`;
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
export function clauseLine({ clause }: Pick<RequirementResult, 'clause'>): string {
  return oneLine(`${clause.file}:${clause.line}`);
}

/** Skipped, disabled and in error, errors first. */
export function notChecked(report: Report): RequirementResult[] {
  return (['error', 'skip', 'disabled'] as const).flatMap((status) =>
    report.requirements.filter((result) => result.status === status),
  );
}

/** Failures, then what is flaky. */
export function brokenIn(report: { requirements: readonly RequirementResult[] }): RequirementResult[] {
  return report.requirements.filter(isBroken).toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ status }: RequirementResult): number {
  return STATUSES.indexOf(status);
}
