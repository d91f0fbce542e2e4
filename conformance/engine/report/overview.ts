/**
 * An overview of a run, which all reports for people share: findings, each cause once, in the order
 * in which to fix them; and areas, which show the parts of the service that are missing.
 */
import { groupBy } from '../contract/load.ts';
import { UNSTATED } from '../contract/origins.ts';
import { headingOf, type Kind, KINDS } from '../findings/kinds.ts';
import { count, inThousands } from '../requirements/rule-in-words.ts';
import type {
  Failure,
  Finding,
  Report,
  RequirementResult,
  Status,
  Verdict,
} from '../run/result.ts';
import { isBroken, isExcused, isOpen } from '../run/verdict.ts';
import { refusalInWords } from './survey-words.ts';
import { formatDuration, withShortValues } from './text.ts';
import {
  countsOf,
  notesOfFinding,
  reasonsOfKnown,
  scopeInWords,
  type StatusCount,
  withStatus,
} from './words.ts';

export interface Overview {
  /** The verdict, such as `Not conformant`. */
  title: string;
  /**
   * It also counts the requirements that were not checked: without that, a report would look better
   * than it is.
   */
  sentence: string;
  facts: Fact[];
  counts: StatusCount[];
  /** In the order of the contract. */
  areas: Area[];
  /** Their heading: how many there are, and how many of them do not count. */
  heading: string;
  /** A group for each finding, in the order of the report. */
  groups: Group[];
  /** The groups that a failure shows, then each result in error that has evidence. */
  inFull: GroupInFull[];
  /** In error, skipped or disabled, in this order. */
  unchecked: RequirementResult[];
}

/**
 * A line about the run: the service that was tested, the settings, and a warning if there is one.
 */
export interface Fact {
  name: string;
  value: string;
}

/** The requirements whose ids have one beginning. */
export interface Area {
  /** `createEdge` for `createEdge.hostports.unique`. */
  name: string;
  results: RequirementResult[];
  passed: number;
  broken: number;
  /** How many are skipped, disabled or in error. */
  others: number;
  /** The most frequent cause of its failures; undefined if there are none. */
  cause: FrequentCause | undefined;
}

export interface FrequentCause {
  message: string;
  /** How many failures have it. */
  number: number;
}

/** A finding with the results that it is about. */
export interface Group {
  /** Undefined for a result in error. */
  finding: Finding | undefined;
  /** The description of the finding, in one line. */
  title: string;
  /** The failure that shows it; undefined for an error in the contract. */
  failure: Failure | undefined;
  /** The result that has the failure; undefined if no requirement has it. */
  example: RequirementResult | undefined;
  /** The other results of this cause. */
  others: RequirementResult[];
  /** What a reader must see beside the title, such as why it does not count. */
  notes: string[];
}

export interface GroupInFull extends Group {
  failure: Failure;
}

/** The groups of one kind. */
export interface KindOfGroups {
  kind: Kind;
  heading: string;
  groups: Group[];
}

export interface ResultWithEvidence extends RequirementResult {
  failure: Failure;
}

const TITLES: Record<Verdict, string> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  incomplete: 'Incomplete',
  inconclusive: 'Inconclusive',
};

const UNCHECKED: readonly Status[] = ['error', 'blocked', 'skip', 'disabled'];

export function overviewOf(report: Report): Overview {
  const { verdict, requirements } = report;
  const groups = groupsOf(report);
  const inError = withStatus(requirements, 'error').filter(hasEvidence).map(groupOfOne);
  return {
    title: TITLES[verdict],
    sentence: sentenceOf(requirements),
    facts: factsOf(report),
    counts: countsOf(requirements),
    areas: areasOf(requirements),
    heading: headingOfFindings(report),
    groups,
    inFull: [...groups.filter(isInFull), ...inError],
    unchecked: UNCHECKED.flatMap((status) => withStatus(requirements, status)),
  };
}

/** A broken requirement always has evidence; one in error may have some. */
function hasEvidence(result: RequirementResult): result is ResultWithEvidence {
  return result.failure !== undefined;
}

function sentenceOf(results: readonly RequirementResult[]): string {
  const broken = results.filter(isBroken).length;
  const excused = results.filter(isExcused).length;
  const checked = withStatus(results, 'pass').length + broken;
  let brokenInWords = `${inThousands(broken)} broken`;
  if (excused > 0) {
    brokenInWords += ` (${inThousands(excused)} known and excused)`;
  }
  const others = inThousands(results.length - checked);
  return `${count(checked, 'requirement')} checked, ${brokenInWords}, ${others} not checked.`;
}

const NEVER_SUCCEEDED = 'Never succeeded';

/** How many reasons why operations never succeeded are shown. */
const MOST_NAMED = 5;

function factsOf(report: Report): Fact[] {
  const { target, contract, suite, requirements } = report;
  const facts: Fact[] = [];
  const add = (name: string, ...parts: string[]) => {
    facts.push({ name, value: parts.join(', ') });
  };
  add('Service', target.url);
  const statesOrigins = requirements.some(({ origin }) => origin !== UNSTATED);
  const token = target.authenticated ? 'with a token' : 'without a token';
  add('Checked by', ...scopeInWords({ ...target, statesOrigins }), token);
  const sha256 = contract.sha256.slice(0, 12);
  add('Contract', `${contract.title} ${contract.version}`, `sha256 ${sha256}`);
  const cases = `${count(report.runs, 'case')} per property`;
  add('Suite', `${suite.name} ${suite.version}`, `seed ${report.seed}`, cases);
  const duration = formatDuration(report.duration_ms);
  add('Run', report.started_at, duration, count(report.requests, 'request'));
  for (const value of neverSucceededInWords(report)) {
    add(NEVER_SUCCEEDED, value);
  }
  const sentAgain = retriesInWords(report.retries);
  if (sentAgain.length > 0) {
    add('Sent again', ...sentAgain);
  }
  const left = leftBehindInWords(report);
  if (left.length > 0) {
    add('Left behind', ...left);
  }
  const shown = new Set(report.findings.flatMap(({ notes = [] }) => notes));
  for (const warning of report.warnings.filter((one) => !shown.has(one))) {
    add('Warning', warning);
  }
  return facts;
}

/** A line for each reason, and one for the operations beyond the first ones. */
function neverSucceededInWords({ never_succeeded: never }: Report): string[] {
  const byReason = [...groupBy(never, reasonInWords)];
  const lines = byReason.slice(0, MOST_NAMED).map(([reason, members]) => {
    return `${namesOf(members)}: ${reason}`;
  });
  const rest = byReason.slice(MOST_NAMED).flatMap(([, members]) => members);
  if (rest.length > 0) {
    lines.push(`${count(rest.length, 'more operation')}: ${namesOf(rest)}`);
  }
  return lines;
}

type NeverSucceeded = Report['never_succeeded'][number];

const namesOf = (operations: readonly NeverSucceeded[]): string =>
  operations.map(({ operation }) => operation).join(', ');

function reasonInWords({ reason, refusal }: NeverSucceeded): string {
  if (refusal === undefined) {
    return reason;
  }
  return `${reason}; for example ${withShortValues(refusalInWords(refusal))}`;
}

function headingOfFindings({ findings, requirements }: Report): string {
  const byId = new Map(requirements.map((result) => [result.id, result]));
  const excused = findings.filter((finding) => !isOpen(finding, byId)).length;
  const heading = `${count(findings.length, 'finding')}, in the order in which to fix them`;
  return excused === 0 ? heading : `${heading}; ${inThousands(excused)} of them not counted`;
}

/** Whether a fact asks for attention. */
export function isWarning({ name }: Fact): boolean {
  return name === 'Warning' || name === NEVER_SUCCEEDED;
}

function retriesInWords(retries: Report['retries']): string[] {
  const words: string[] = [];
  if (retries.rate_limited > 0) {
    words.push(`${inThousands(retries.rate_limited)} after 429`);
  }
  if (retries.unavailable > 0) {
    words.push(`${inThousands(retries.unavailable)} after 503`);
  }
  if (retries.connection_lost > 0) {
    words.push(`${inThousands(retries.connection_lost)} after a lost connection`);
  }
  if (retries.cases > 0) {
    words.push(`${count(retries.cases, 'case')} tried again from the start`);
  }
  return words;
}

function leftBehindInWords(report: Report): string[] {
  const left = kindsInWords(report.left_behind);
  const perhaps = kindsInWords(report.may_have_been_made);
  if (perhaps.length > 0) {
    left.push(`perhaps ${perhaps.join(', ')}, since no response came`);
  }
  return left;
}

/** Such as `3 edges`, `1 source`, or `2 made by POST /pets`. */
function kindsInWords(counts: Record<string, number>): string[] {
  const words: string[] = [];
  for (const [kind, number] of Object.entries(counts).filter(([, one]) => one > 0)) {
    const isOperation = kind.includes('/');
    if (isOperation) {
      words.push(`${inThousands(number)} made by ${kind}`);
    } else {
      words.push(count(number, kind.replace(/s$/, ''), kind));
    }
  }
  return words;
}

function areasOf(results: readonly RequirementResult[]): Area[] {
  const areas = groupBy(results, ({ id }) => areaNameOf(id));
  return [...areas].map(([name, members]) => areaOf(name, members));
}

function areaNameOf(id: string): string {
  const [name = ''] = id.split('.', 1);
  return name;
}

function areaOf(name: string, results: RequirementResult[]): Area {
  const failures = results.filter(isBroken);
  const broken = failures.length;
  const passed = withStatus(results, 'pass').length;
  const others = results.length - broken - passed;
  const cause = mostFrequentCause(failures.filter(hasEvidence));
  return { name, results, passed, broken, others, cause };
}

function mostFrequentCause(failures: readonly ResultWithEvidence[]): FrequentCause | undefined {
  let most: FrequentCause | undefined;
  for (const [message, { length }] of groupBy(failures, ({ failure }) => failure.cause)) {
    if (most === undefined || length > most.number) {
      most = { message, number: length };
    }
  }
  return most;
}

function groupsOf({ findings, requirements }: Report): Group[] {
  const byId = new Map(requirements.map((result) => [result.id, result]));
  return findings.map((finding) => {
    const example = finding.example === undefined ? undefined : byId.get(finding.example);
    const others = finding.requirements.flatMap((id) => byId.get(id) ?? []);
    return {
      finding,
      title: finding.title,
      failure: finding.failure ?? example?.failure,
      example,
      others: others.filter((one) => one !== example),
      notes: [...notesOfFinding(finding), ...knownInWords(others)],
    };
  });
}

/** Why the finding does not count, if each of its failures is a known one. */
function knownInWords(results: readonly RequirementResult[]): string[] {
  const known = results.filter((one) => one.known_failure?.expired === false);
  const [first] = known;
  return first !== undefined && known.length === results.length ? reasonsOfKnown(first) : [];
}

const isInFull = (group: Group): group is GroupInFull => group.failure !== undefined;

function groupOfOne(example: ResultWithEvidence): GroupInFull {
  const { failure, id } = example;
  return { finding: undefined, title: id, failure, example, others: [], notes: [] };
}

/** Each kind that occurs, in order. */
export function byKind(groups: readonly Group[]): KindOfGroups[] {
  const kinds = KINDS.map((kind) => {
    const members = groups.filter(({ finding }) => finding?.kind === kind);
    return { kind, heading: headingOf(kind), groups: members };
  });
  return kinds.filter((one) => one.groups.length > 0);
}
