/** An overview of a run, which the reports for people share: areas show which half is missing, groups share a cause. */
import { groupBy } from '../contract/load.ts';
import { count, inThousands } from '../requirements/rule-in-words.ts';
import { isBroken, isExcused } from '../run/verdict.ts';
import type { Report, RequirementResult, Status, Verdict } from '../run/result.ts';
import { formatDuration, oneLine } from './text.ts';

export { count };

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

export const signOf = ({ status }: Pick<RequirementResult, 'status'>): string =>
  STATUS[status].sign;

/** Such as `✗ failed`. */
export function statusInWords({ status }: Pick<RequirementResult, 'status'>): string {
  return `${STATUS[status].sign} ${STATUS[status].word}`;
}

/** Such as `3 failed`, for each status that occurs. */
function countsOf(results: readonly RequirementResult[]): { status: Status; text: string }[] {
  return STATUSES.flatMap((status) => {
    const { length } = results.filter((result) => result.status === status);
    if (length === 0) {
      return [];
    }
    return [{ status, text: `${inThousands(length)} ${STATUS[status].word}` }];
  });
}

export function countsInWords(results: readonly RequirementResult[]): string {
  return Array.from(countsOf(results), ({ text }) => text).join(', ');
}

export type Overview = ReturnType<typeof overviewOf>;

/** The sentence says what was not checked, too: silence about it would make green look greener. */
export function overviewOf(report: Report) {
  const { verdict, requirements } = report;
  const having = (one: Status) => requirements.filter(({ status }) => status === one);
  const broken = requirements.filter(isBroken);
  const checked = having('pass').length + broken.length;
  const excused = requirements.filter(isExcused).length;
  const known = excused === 0 ? '' : ` (${inThousands(excused)} known and excused)`;
  const others = inThousands(requirements.length - checked);
  const found = `${inThousands(broken.length)} broken${known}`;
  const groups = groupsOf(broken);
  const inError = having('error').filter(({ failure }) => failure);
  return {
    title: VERDICTS[verdict],
    sentence: `${count(checked, 'requirement')} checked, ${found}, ${others} not checked.`,
    facts: factsOf(report),
    counts: countsOf(requirements),
    areas: areasOf(requirements),
    groups,
    /** The groups, then what is in error with evidence to show. */
    inFull: [...groups, ...inError.flatMap((one) => groupsOf([one]))],
    unchecked: (['error', 'skip', 'disabled'] as const).flatMap(having),
  };
}

function factsOf(report: Report): [name: string, value: string][] {
  const { target, contract, suite, retries } = report;
  const origins = target.origin === 'all' ? 'all origins' : 'the source document alone';
  const sent = [
    ...(retries.rate_limited > 0 ? [`${inThousands(retries.rate_limited)} after 429`] : []),
    ...(retries.unavailable > 0 ? [`${inThousands(retries.unavailable)} after 503`] : []),
    ...(retries.connection_lost > 0
      ? [`${inThousands(retries.connection_lost)} after a lost connection`]
      : []),
    ...(retries.cases > 0 ? [`${count(retries.cases, 'case')} tried again from the start`] : []),
  ];
  const perhaps = kindsOf(report.may_have_been_made);
  const left = [
    ...kindsOf(report.left_behind),
    ...(perhaps.length > 0 ? [`perhaps ${perhaps.join(', ')}, since no response came`] : []),
  ];
  return [
    ['Service', target.url],
    [
      'Checked by',
      `level ${target.level}, ${origins}, ${target.authenticated ? 'with a token' : 'without a token'}`,
    ],
    ['Contract', `${contract.title} ${contract.version}, sha256 ${contract.sha256.slice(0, 12)}`],
    [
      'Suite',
      `${suite.name} ${suite.version}, seed ${report.seed}, ${count(report.runs, 'case')} per property`,
    ],
    [
      'Run',
      `${report.started_at}, ${formatDuration(report.duration_ms)}, ${count(report.requests, 'request')}`,
    ],
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

/** Why a requirement has not passed, and until when a failure is known. */
export function reasonsOf({ reason, known_failure: known }: RequirementResult): string[] {
  return [
    ...(reason === undefined ? [] : [reason]),
    ...(known
      ? [
          `known failure${known.expired ? ', expired on' : ' until'} ${known.expires}: ${known.reason}`,
        ]
      : []),
  ];
}

/** `openapi.yaml:785`, which editors and CI logs turn into a link. */
export function clauseLine({ clause }: Pick<RequirementResult, 'clause'>): string {
  return oneLine(`${clause.file}:${clause.line}`);
}

/** In the order of the contract. */
function areasOf(results: readonly RequirementResult[]) {
  return [...groupBy(results, ({ id }) => id.split('.', 1)[0]!)].map(([name, members]) => {
    const failures = members.filter(isBroken);
    const causes = groupBy(failures, ({ failure }) => failure?.cause ?? 'unknown');
    const [most] = [...causes].toSorted(([, a], [, b]) => b.length - a.length);
    const passed = members.filter(({ status }) => status === 'pass').length;
    return {
      /** `createEdge` for `createEdge.hostports.unique`. */
      name,
      results: members,
      passed,
      broken: failures.length,
      /** Skipped, disabled and in error. */
      others: members.length - failures.length - passed,
      /** The most frequent cause of its failures, and how many have it. */
      ...(most && { cause: { message: most[0], number: most[1].length } }),
    };
  });
}

export interface Group {
  cause: string;
  /** The failure with the fewest steps. */
  example: RequirementResult;
  others: RequirementResult[];
}

/** Failures of one cause; the largest group first, flaky ones last. */
function groupsOf(broken: readonly RequirementResult[]): Group[] {
  const causeOf = ({ status, failure }: RequirementResult) =>
    `${status === 'flaky' ? 'Flaky: ' : ''}${failure?.cause ?? 'unknown'}`;
  const steps = ({ failure }: RequirementResult) => failure?.exchanges.length ?? 0;
  const isFlaky = ({ example }: Group) => Number(example.status === 'flaky');
  return [...groupBy(broken, causeOf)]
    .map(([cause, members]) => {
      const [example, ...others] = members.toSorted((one, other) => steps(one) - steps(other));
      return { cause, example: example!, others };
    })
    .toSorted(
      (one, other) => isFlaky(one) - isFlaky(other) || other.others.length - one.others.length,
    );
}
