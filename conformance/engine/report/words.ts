/** Words that the reports for people share: statuses, the verdict and the facts of a run. */
import { inThousands } from '../requirements/rule-in-words.ts';
import { isBroken, isExcused } from '../run/verdict.ts';
import type { Report, RequirementResult, Status, Verdict } from '../run/result.ts';
import { formatDuration, oneLine } from './text.ts';

/** As counts are read out (`3 failed`), with a sign for readers who do not see the colour, in the order of importance. */
const STATUS: Record<Status, { word: string; sign: string }> = {
  fail: { word: 'failed', sign: '✗' },
  flaky: { word: 'flaky', sign: '≈' },
  error: { word: 'in error', sign: '!' },
  skip: { word: 'skipped', sign: '–' },
  disabled: { word: 'disabled', sign: '○' },
  pass: { word: 'passed', sign: '✓' },
};

export const STATUSES = Object.keys(STATUS) as Status[];

const VERDICTS: Record<Verdict, string> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  inconclusive: 'Inconclusive',
};

export function signOf({ status }: Pick<RequirementResult, 'status'>): string {
  return STATUS[status].sign;
}

/** Such as `✗ failed`. */
export function statusInWords({ status }: Pick<RequirementResult, 'status'>): string {
  return `${STATUS[status].sign} ${STATUS[status].word}`;
}

/** Such as `3 failed`, for each status that occurs. */
export function countsOf(results: readonly RequirementResult[]): { status: Status; text: string }[] {
  return STATUSES.flatMap((status) => {
    const { length } = results.filter((result) => result.status === status);
    return length === 0 ? [] : [{ status, text: `${inThousands(length)} ${STATUS[status].word}` }];
  });
}

export function countsInWords(results: readonly RequirementResult[]): string {
  return countsOf(results)
    .map(({ text }) => text)
    .join(', ');
}

/** The sentence says what was not checked, too: silence about it would make green look greener. */
export function verdictInWords({ verdict, requirements }: Report): { title: string; sentence: string } {
  const broken = requirements.filter(isBroken).length;
  const checked = requirements.filter(({ status }) => status === 'pass').length + broken;
  const excused = requirements.filter(isExcused).length;
  const known = excused === 0 ? '' : ` (${inThousands(excused)} known and excused)`;
  const others = inThousands(requirements.length - checked);
  const sentence = `${count(checked, 'requirement')} checked, ${inThousands(broken)} broken${known}, ${others} not checked.`;
  return { title: VERDICTS[verdict], sentence };
}

/** The facts of a run: names and values. */
export function factsOf(report: Report): [name: string, value: string][] {
  const { target, contract, suite, retries } = report;
  const origins = target.origin === 'all' ? 'all origins' : 'the source document alone';
  const sent = [
    ...(retries.rate_limited > 0 ? [`${inThousands(retries.rate_limited)} after 429`] : []),
    ...(retries.unavailable > 0 ? [`${inThousands(retries.unavailable)} after 503`] : []),
    ...(retries.connection_lost > 0 ? [`${inThousands(retries.connection_lost)} after a lost connection`] : []),
    ...(retries.cases > 0 ? [`${count(retries.cases, 'case')} tried again from the start`] : []),
  ];
  const perhaps = kindsOf(report.may_have_been_made);
  const left = [
    ...kindsOf(report.left_behind),
    ...(perhaps.length > 0 ? [`perhaps ${perhaps.join(', ')}, since no response came`] : []),
  ];
  return [
    ['Service', target.url],
    ['Checked by', `level ${target.level}, ${origins}, ${target.authenticated ? 'with a token' : 'without a token'}`],
    ['Contract', `${contract.title} ${contract.version}, sha256 ${contract.sha256.slice(0, 12)}`],
    ['Suite', `${suite.name} ${suite.version}, seed ${report.seed}, ${count(report.runs, 'case')} per property`],
    ['Run', `${report.started_at}, ${formatDuration(report.duration_ms)}, ${count(report.requests, 'request')}`],
    ...(sent.length > 0 ? [['Sent again', sent.join(', ')] as [string, string]] : []),
    ...(left.length > 0 ? [['Left behind', left.join(', ')] as [string, string]] : []),
    ...report.warnings.map((warning): [string, string] => ['Warning', warning]),
  ];
}

/** Such as `3 edges`, `1 source`. */
function kindsOf(counts: Record<string, number>): string[] {
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => count(number, kind.replace(/s$/, ''), kind));
}

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${inThousands(value)} ${value === 1 ? singular : plural}`;
}

/** Why a requirement has not passed, and until when a failure is known. */
export function reasonsOf({ reason, known_failure: known }: RequirementResult): string[] {
  return [
    ...(reason === undefined ? [] : [reason]),
    ...(known ? [`known failure${known.expired ? ', expired on' : ' until'} ${known.expires}: ${known.reason}`] : []),
  ];
}

/** `openapi.yaml:785`, which editors and CI logs turn into a link. */
export function clauseLine({ clause }: Pick<RequirementResult, 'clause'>): string {
  return oneLine(`${clause.file}:${clause.line}`);
}

/** In error, skipped and disabled, in that order. */
export function notChecked({ requirements }: Report): RequirementResult[] {
  const order: Status[] = ['error', 'skip', 'disabled'];
  return order.flatMap((status) => requirements.filter((result) => result.status === status));
}
