/**
 * Findings: each cause of failures once. Failures of requirements are grouped by their cause; the
 * same cause at several operations is one finding. A finding need not belong to a requirement, such
 * as a server error during a clean-up, or an example of the contract that breaks its schema.
 */
import type { components } from '../../../generated/report/types.ts';
import { groupBy } from '../contract/load.ts';
import { type Accepted, acceptedIn, ofAnyOperation } from './accepted.ts';
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

/** Each of them is due to its own code: they have nothing in common but the status. */
const BY_OPERATION: ReadonlySet<Kind> = new Set(['stopped', 'server-error', 'refuses-valid']);

export function findingsOf({ results, others, notes, accept, kinds }: SeenInRun): Finding[] {
  const failing = results.filter(isFailing);
  const known = new Set(failing.map(({ failure }) => failure.cause_id));
  const more = others.filter(({ failure }) => !known.has(failure.cause_id));
  const findings = [
    ...groupsOf(failing, accept).map((group) => findingOf(group)),
    ...more.map((other) => findingOfOther(other, accept)),
    ...noteFindings(notes),
  ];
  const wanted = findings.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  return withBlocked(wanted.toSorted(compareFindings), results);
}

/** Whether it counts against the service, which is not to blame for its contract. */
export function counts({ kind, accepted }: Finding): boolean {
  return kind !== 'contract' && accepted?.expired !== false;
}

function isFailing(result: RequirementResult): result is Failing {
  const isBroken = result.status === 'fail' || result.status === 'flaky';
  return isBroken && result.failure !== undefined;
}

/** The id that failures of one finding share. */
export function commonCauseOf({ kind, cause_id: id }: Pick<Failure, 'kind' | 'cause_id'>): string {
  const isOfOne = BY_OPERATION.has(kind) && !isOfAuthentication(id);
  if (isOfOne) {
    return id;
  }
  return ofAnyOperation(id);
}

interface Group {
  members: readonly Failing[];
  accepted: Accepted | undefined;
}

/** Those that are accepted have groups to themselves. */
function groupsOf(failing: readonly Failing[], accept: readonly Accepted[]): Group[] {
  const groups = groupBy(failing, ({ failure }) => {
    return `${commonCauseOf(failure)} ${acceptedIn(accept, failure.cause_id)?.cause ?? ''}`;
  });
  return [...groups.values()].map((members) => {
    const [first] = members;
    return { members, accepted: first && acceptedIn(accept, first.failure.cause_id) };
  });
}

function findingOf({ members, accepted }: Group): Finding {
  const [first] = members;
  if (first === undefined) {
    throw new Error('a group has at least one failure');
  }
  const { kind, cause_id: causeId, cause } = first.failure;
  const example = members.reduce(smaller);
  const operations = [...new Set(members.map(({ failure }) => failure.operation))];
  const finding: Finding = {
    id: operations.length > 1 ? ofAnyOperation(causeId) : causeId,
    kind,
    title: titleOf(kind, operations, cause),
    operations,
    requirements: members.map(({ id }) => id),
    times: members.length,
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
  return withAccepted(finding, acceptedIn(accept, id));
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
