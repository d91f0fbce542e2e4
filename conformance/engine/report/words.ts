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
  incomplete: 'Incomplete',
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

/** A line about the run, such as the address of the service. */
export interface Fact {
  name: string;
  value: string;
}

/** A part of the API, in most contracts an operation. */
export interface Area {
  /** `createEdge` for `createEdge.hostports.unique`. */
  name: string;
  results: RequirementResult[];
  passed: number;
  broken: number;
  /** The number of requirements that are skipped, disabled or in error. */
  others: number;
  /** The most frequent cause of its failures, and how many have it. */
  cause?: { message: string; number: number };
}

export interface Overview {
  title: string;
  sentence: string;
  facts: Fact[];
  counts: { status: Status; text: string }[];
  areas: Area[];
  groups: Group[];
  /** The groups, then what is in error with evidence to show. */
  inFull: Group[];
  unchecked: RequirementResult[];
}

/** The sentence counts what was not checked, too, so that nobody takes a part for the whole. */
export function overviewOf(report: Report): Overview {
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
    inFull: [...groups, ...inError.flatMap((one) => groupsOf([one]))],
    unchecked: (['error', 'skip', 'disabled'] as const).flatMap(having),
  };
}

function factsOf(report: Report): Fact[] {
  const { target, contract, suite } = report;
  const origins = target.origin === 'all' ? 'all origins' : 'the source document alone';
  const token = target.authenticated ? 'with a token' : 'without a token';
  const digest = contract.sha256.slice(0, 12);
  const cases = `${count(report.runs, 'case')} per property`;
  const duration = formatDuration(report.duration_ms);
  const requests = count(report.requests, 'request');
  const facts: Fact[] = [
    { name: 'Service', value: target.url },
    { name: 'Checked by', value: `level ${target.level}, ${origins}, ${token}` },
    { name: 'Contract', value: `${contract.title} ${contract.version}, sha256 ${digest}` },
    { name: 'Suite', value: `${suite.name} ${suite.version}, seed ${report.seed}, ${cases}` },
    { name: 'Run', value: `${report.started_at}, ${duration}, ${requests}` },
  ];
  const sent = sentAgain(report.retries);
  if (sent.length > 0) {
    facts.push({ name: 'Sent again', value: sent.join(', ') });
  }
  const left = leftBehind(report);
  if (left.length > 0) {
    facts.push({ name: 'Left behind', value: left.join(', ') });
  }
  for (const warning of report.warnings) {
    facts.push({ name: 'Warning', value: warning });
  }
  return facts;
}

function sentAgain(retries: Report['retries']): string[] {
  const parts: string[] = [];
  if (retries.rate_limited > 0) {
    parts.push(`${inThousands(retries.rate_limited)} after 429`);
  }
  if (retries.unavailable > 0) {
    parts.push(`${inThousands(retries.unavailable)} after 503`);
  }
  if (retries.connection_lost > 0) {
    parts.push(`${inThousands(retries.connection_lost)} after a lost connection`);
  }
  if (retries.cases > 0) {
    parts.push(`${count(retries.cases, 'case')} tried again from the start`);
  }
  return parts;
}

function leftBehind({ left_behind, may_have_been_made }: Report): string[] {
  const kinds = kindsOf(left_behind);
  const perhaps = kindsOf(may_have_been_made);
  if (perhaps.length > 0) {
    kinds.push(`perhaps ${perhaps.join(', ')}, since no response came`);
  }
  return kinds;
}

/** Such as `3 edges`, `1 source`. */
function kindsOf(counts: Record<string, number>): string[] {
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => count(number, kind.replace(/s$/, ''), kind));
}

/** Why a requirement has not passed, and until when a failure is known. */
export function reasonsOf({ reason, known_failure: known }: RequirementResult): string[] {
  const reasons = reason === undefined ? [] : [reason];
  if (known) {
    const until = known.expired ? ', expired on' : ' until';
    reasons.push(`known failure${until} ${known.expires}: ${known.reason}`);
  }
  return reasons;
}

/** `openapi.yaml:785`, which editors and CI logs turn into a link. */
export function clauseLine({ clause }: Pick<RequirementResult, 'clause'>): string {
  return oneLine(`${clause.file}:${clause.line}`);
}

/** The areas in the order of the contract. */
function areasOf(results: readonly RequirementResult[]): Area[] {
  const [...areas] = groupBy(results, ({ id }) => id.split('.', 1).join(''));
  return areas.map(([name, members]) => areaOf(name, members));
}

function areaOf(name: string, members: RequirementResult[]): Area {
  const failures = members.filter(isBroken);
  const passed = members.filter(({ status }) => status === 'pass').length;
  const area: Area = {
    name,
    results: members,
    passed,
    broken: failures.length,
    others: members.length - failures.length - passed,
  };
  const causes = groupBy(failures, ({ failure }) => failure?.cause ?? 'unknown');
  const [most] = [...causes].toSorted(([, a], [, b]) => b.length - a.length);
  if (most) {
    const [message, { length }] = most;
    area.cause = { message, number: length };
  }
  return area;
}

/** Failures of one cause. */
export interface Group {
  cause: string;
  /** The failure with the fewest steps. */
  example: RequirementResult;
  others: RequirementResult[];
}

/** The largest group comes first, flaky ones last. */
function groupsOf(broken: readonly RequirementResult[]): Group[] {
  const groups: Group[] = [];
  for (const [cause, members] of groupBy(broken, causeOf)) {
    const [example, ...others] = members.toSorted((one, other) => steps(one) - steps(other));
    if (example) {
      groups.push({ cause, example, others });
    }
  }
  const isFlaky = ({ example }: Group) => Number(example.status === 'flaky');
  return groups.toSorted(
    (one, other) => isFlaky(one) - isFlaky(other) || other.others.length - one.others.length,
  );
}

function causeOf({ status, failure }: RequirementResult): string {
  const cause = failure?.cause ?? 'unknown';
  return status === 'flaky' ? `Flaky: ${cause}` : cause;
}

const steps = ({ failure }: RequirementResult): number => failure?.exchanges.length ?? 0;
