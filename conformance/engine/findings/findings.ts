/**
 * Findings: each cause of failures once. Failures of requirements are grouped by their cause; the
 * same cause at several operations is one finding. A finding need not belong to a requirement, such
 * as a server error during a clean-up, or an example of the contract that breaks its schema.
 */
import type { components } from '../../../generated/report/types.ts';
import { groupBy } from '../contract/load.ts';
import {
  type Accepted,
  acceptedIn,
  idWithEvidence,
  type OfCause,
  ofAnyOperation,
} from './accepted.ts';
import { isOfAuthentication, partOfId } from './cause.ts';
import { type Kind, kindRank } from './kinds.ts';

type Schemas = components['schemas'];
type RequirementResult = Schemas['RequirementResult'];
type Failure = Schemas['Failure'];

export type Finding = Schemas['Finding'];

/** Something wrong in the contract. */
export interface Note {
  operation: string;
  /** The description as a part of an id. */
  what: string;
  /** The description behind the name of the operation. */
  words: string;
  sentence: string;
}

/** A failure that does not belong to a requirement. */
export interface Other {
  failure: Failure;
  /** How often it was seen. */
  times: number;
  /** Other requests that may show it. */
  notes?: readonly string[];
}

/** All that a run has seen. */
export interface SeenInRun {
  results: readonly RequirementResult[];
  others: readonly Other[];
  notes: readonly Note[];
  accept: readonly Accepted[];
  /** The kinds that the user wants; empty for all. */
  kinds: readonly Kind[];
}

interface Failing extends RequirementResult {
  failure: Failure;
}

/**
 * Each of them is due to the code of its operation, unless their evidence is the same: they have
 * nothing in common but the status.
 */
const BY_OPERATION: ReadonlySet<Kind> = new Set(['stopped', 'server-error', 'refuses-valid']);

export function findingsOf({ results, others, notes, accept, kinds }: SeenInRun): Finding[] {
  const failing = results.filter(isFailing);
  const known = new Set(failing.map(({ failure }) => failure.cause_id));
  const more = others.filter(({ failure }) => !known.has(failure.cause_id));
  const shared = sharedCauses([...failing, ...more]);
  const groups = groupsOf(failing, accept, shared);
  const alone = more.filter(({ failure, times }) => {
    const id = commonCauseOf(failure, shared);
    const accepted = acceptedIn(accept, failure);
    const group = groups.find((one) => one.id === id && one.accepted === accepted);
    group?.others.push({ failure, times });
    return group === undefined;
  });
  const findings = [
    ...groups.map((group) => findingOf(group)),
    ...alone.map((other) => findingOfOther(other, accept)),
    ...noteFindings(notes),
  ];
  const wanted = findings.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  return withBlocked(wanted.toSorted(compareFindings), results);
}

/** The ids, for any operation, of causes with evidence that several operations have. */
function sharedCauses(failing: readonly Pick<Other, 'failure'>[]): Set<string> {
  const operations = groupBy(failing, ({ failure }) => ofAnyWithEvidence(failure) ?? '');
  const shared = [...operations].filter(([id, members]) => {
    const [first] = members;
    const isOfSeveral = members.some((one) => one.failure.operation !== first?.failure.operation);
    return id !== '' && isOfSeveral;
  });
  return new Set(shared.map(([id]) => id));
}

function ofAnyWithEvidence(failure: OfCause): string | undefined {
  const id = idWithEvidence(failure);
  return id && ofAnyOperation(id);
}

/** Whether it counts against the service, which is not to blame for its contract. */
export function counts({ kind, accepted }: Finding): boolean {
  return kind !== 'contract' && accepted?.expired !== false;
}

function isFailing(result: RequirementResult): result is Failing {
  const isBroken = result.status === 'fail' || result.status === 'flaky';
  return isBroken && result.failure !== undefined;
}

/**
 * The id that failures of one finding share.
 * @param shared ids of causes with evidence that several operations have
 */
function commonCauseOf(failure: Failure, shared: ReadonlySet<string>): string {
  const withEvidence = ofAnyWithEvidence(failure);
  if (withEvidence !== undefined && shared.has(withEvidence)) {
    return withEvidence;
  }
  const { kind, cause_id: id } = failure;
  const isOfOne = BY_OPERATION.has(kind) && !isOfAuthentication(id);
  return isOfOne ? id : ofAnyOperation(id);
}

/** The id under which a run shows a failure while it does not know which others will come. */
export function likelyCauseOf(failure: Failure): string {
  const withEvidence = ofAnyWithEvidence(failure);
  return commonCauseOf(failure, new Set(withEvidence === undefined ? [] : [withEvidence]));
}

interface Group {
  /** That its failures share. */
  id: string;
  members: readonly Failing[];
  /** Of the same cause, and of no requirement. */
  others: Pick<Other, 'failure' | 'times'>[];
  accepted: Accepted | undefined;
}

/** Those that are accepted have groups to themselves. */
function groupsOf(
  failing: readonly Failing[],
  accept: readonly Accepted[],
  shared: ReadonlySet<string>,
): Group[] {
  const groups = groupBy(failing, ({ failure }) => {
    return `${commonCauseOf(failure, shared)} ${acceptedIn(accept, failure)?.cause ?? ''}`;
  });
  return [...groups.values()].map((members) => {
    const { failure } = firstOf(members);
    const id = commonCauseOf(failure, shared);
    return { id, members, others: [], accepted: acceptedIn(accept, failure) };
  });
}

function firstOf<T>(members: readonly T[]): T {
  const [first] = members;
  if (first === undefined) {
    throw new Error('a group has at least one failure');
  }
  return first;
}

function findingOf({ id, members, others, accepted }: Group): Finding {
  const { failure: first } = firstOf(members);
  const example = members.reduce(smaller);
  const failures = [...members, ...others].map(({ failure }) => failure);
  const operations = [...new Set(failures.map(({ operation }) => operation))];
  const words = first.cause + evidenceInWords(failures);
  const { kind } = first;
  const finding: Finding = {
    id: operations.length > 1 ? id : first.cause_id,
    kind,
    title: titleOf(kind, operations, words),
    operations,
    requirements: members.map((member) => member.id),
    times: others.reduce((sum, { times }) => sum + times, members.length),
    example: example.id,
  };
  if (members.every(({ status }) => status === 'flaky')) {
    finding.flaky = true;
  }
  if (members.every(({ failure }) => failure.at_once)) {
    finding.at_once = true;
  }
  return withAccepted(finding, accepted);
}

/** Such as ` (DataIntegrityViolationException)`, if all failures have it. */
function evidenceInWords(failures: readonly Failure[]): string {
  const { evidence } = firstOf(failures);
  const isCommon = failures.every((failure) => failure.evidence === evidence);
  return evidence === undefined || !isCommon ? '' : ` (${evidence})`;
}

function findingOfOther(other: Other, accept: readonly Accepted[]): Finding {
  const { failure, times, notes = [] } = other;
  const { kind, operation, cause, cause_id: id } = failure;
  const title = operation === '*' ? cause : titleOf(kind, [operation], cause);
  const finding: Finding = {
    id,
    kind,
    title,
    operations: [operation],
    requirements: [],
    times,
    failure,
  };
  if (notes.length > 0) {
    finding.notes = [...notes];
  }
  return withAccepted(finding, acceptedIn(accept, failure));
}

function withAccepted(finding: Finding, accepted: Accepted | undefined): Finding {
  return accepted === undefined ? finding : { ...finding, accepted };
}

function noteFindings(notes: readonly Note[]): Finding[] {
  const groups = groupBy(notes, ({ what }) => what);
  return [...groups].map(([what, members]) => {
    const operations = [...new Set(members.map(({ operation }) => operation))];
    const [only = ''] = operations;
    const operation = operations.length > 1 ? '*' : partOfId(only);
    return {
      id: `contract:${operation}:${what}`,
      kind: 'contract',
      title: titleOf('contract', operations, members[0]?.words ?? what),
      operations,
      requirements: [],
      times: members.length,
      notes: members.map(({ sentence }) => sentence),
    };
  });
}

/** A law is a sentence, which names its subject itself. */
function titleOf(kind: Kind, operations: readonly string[], words: string): string {
  const places = placesInWords(operations, kind === 'law' ? 'areas' : 'operations');
  return kind === 'law' ? `${words} (${places})` : `${places}: ${words}`;
}

function placesInWords(operations: readonly string[], plural: string): string {
  const [first = '', second, ...more] = operations;
  if (second === undefined) {
    return first;
  }
  const both = `${first} and ${second}`;
  const areShort = more.length === 0 && both.length <= LONGEST_NAMES;
  return areShort ? both : `${operations.length} ${plural}`;
}

/** In characters: the description must stay on the line. */
const LONGEST_NAMES = 40;

function smaller(one: Failing, other: Failing): Failing {
  return sizeOf(other) < sizeOf(one) ? other : one;
}

/** The id of the requirement that a valid request succeeds. */
const OF_SUCCESS = /\.2(\d\d|XX)$/;

/**
 * A failure that comes without other requests is first. Compares by the number of requests; then, a
 * requirement of the operation itself comes before one that needs it, and one with a valid request
 * before others; then by the number of characters.
 */
function sizeOf({ id, failure }: Failing): number {
  const { exchanges, operation, at_once: isAtOnce = false } = failure;
  const last = exchanges.at(-1)?.request;
  // Characters that need an escape take longer to read, too.
  const length = JSON.stringify([last?.url, last?.body]).length;
  const isOwn = id.startsWith(`${operation}.`);
  const isUsual = isOwn && OF_SUCCESS.test(id);
  const rank = isUsual ? 0 : 1e8;
  return (isAtOnce ? 1e12 : 0) + exchanges.length * 1e9 + rank + (isOwn ? 0 : 1e8) + length;
}

/** The first finding of an operation is what blocks the requirements that need it. */
function withBlocked(
  findings: readonly Finding[],
  results: readonly RequirementResult[],
): Finding[] {
  const blocked = groupBy(
    results.filter((one) => one.blocked_by !== undefined),
    (one) => one.blocked_by ?? '',
  );
  return findings.map((finding) => {
    let blocks = 0;
    for (const operation of finding.kind === 'contract' ? [] : finding.operations) {
      blocks += blocked.get(operation)?.length ?? 0;
      blocked.delete(operation);
    }
    return blocks === 0 ? finding : { ...finding, blocks };
  });
}

/** Statuses of errors that may be meant: what is missing, and what is busy. */
const MEANT = /:(501|503|unavailable)$/;

/** What crashes comes before what says that it cannot serve. */
const rankOfStatus = ({ kind, id }: Finding): number =>
  Number(kind === 'server-error' && MEANT.test(id));

function compareFindings(one: Finding, other: Finding): number {
  return (
    kindRank(one.kind) - kindRank(other.kind) ||
    Number(one.flaky ?? false) - Number(other.flaky ?? false) ||
    Number(one.at_once ?? false) - Number(other.at_once ?? false) ||
    rankOfStatus(one) - rankOfStatus(other) ||
    Number(!counts(one)) - Number(!counts(other)) ||
    other.times - one.times
  );
}
