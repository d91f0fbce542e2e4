/** The results that count against an implementation, and the verdict of a run. */
import { counts, type Finding } from '../findings/findings.ts';
import type { KnownFailure } from './known-failures.ts';
import type { Reach } from './never-succeeded.ts';
import type { Report, RequirementResult, Status } from './result.ts';

/** The statuses of requirements that were seen to fail, whether the failure comes back or not. */
export const isBroken = ({ status }: Pick<RequirementResult, 'status'>) =>
  status === 'fail' || status === 'flaky';

type Excusable = Pick<RequirementResult, 'status' | 'known_failure' | 'accepted'>;

export function isExcused(result: Excusable): boolean {
  const isKnown = result.known_failure?.expired === false;
  const isAccepted = result.accepted?.expired === false;
  return isBroken(result) && (isKnown || isAccepted);
}

export function countByStatus(requirements: readonly RequirementResult[]): Record<Status, number> {
  const summary: Record<Status, number> = {
    pass: 0,
    fail: 0,
    flaky: 0,
    skip: 0,
    blocked: 0,
    disabled: 0,
    error: 0,
  };
  for (const { status } of requirements) {
    summary[status]++;
  }
  return summary;
}

/** A run with more broken connections and 503s than these has a note, whatever the verdict. */
const FEW = 3;

export function warningsFor({ unavailable, connection_lost, cases }: Report['retries']): string[] {
  if (unavailable + connection_lost <= FEW) {
    return [];
  }
  const what: string[] = [];
  if (unavailable > 0) {
    what.push(`${unavailable} responses were 503`);
  }
  if (connection_lost > 0) {
    what.push(`${connection_lost} connections ended before their response`);
  }
  const again = cases > 0 ? `; ${cases} cases were tried again from their start` : '';
  return [`The service is not stable: ${what.join(' and ')}${again}.`];
}

type Decision = Pick<Report, 'verdict' | 'reason'>;

/** The data that decides beside the results. */
interface Circumstances {
  known: readonly KnownFailure[];
  findings: readonly Finding[];
  /** The share of chosen operations that must have succeeded, 0 to 1. */
  share: number;
  reached: Reach;
  /** Why nothing more was sent. */
  halted: string | undefined;
  /** Why the run ended before all was tried, as its user wished. */
  endedBy: string | undefined;
}

/**
 * Findings come first: a service that breaks its contract is not conformant, however much was
 * tried.
 */
export function verdictOf(
  results: readonly RequirementResult[],
  { known, findings, share, reached, halted, endedBy }: Circumstances,
): Decision {
  return (
    nonconformant(results, findings, known) ??
    (halted === undefined ? undefined : { verdict: 'inconclusive', reason: halted }) ??
    (endedBy === undefined ? undefined : { verdict: 'incomplete', reason: endedBy }) ??
    inError(results) ??
    nothingVerified(results) ??
    incomplete(reached, share) ??
    conformant(results)
  );
}

/** The number of findings that the reason names. */
const MOST_NAMED = 3;

function nonconformant(
  results: readonly RequirementResult[],
  findings: readonly Finding[],
  known: readonly KnownFailure[],
): Decision | undefined {
  const byId = new Map(results.map((result) => [result.id, result]));
  const open = findings.filter((finding) => isOpen(finding, byId));
  const titles = open.map((finding) => finding.title + notesOn(finding, byId));
  const passing = results.filter(({ id, status }) => {
    return status === 'pass' && known.some((one) => one.id === id);
  });
  const reasons = passing.map(({ id }) => {
    return `${id} is listed as a known failure, but it passes: remove it`;
  });
  if (titles.length > 0) {
    const first = titles.slice(0, MOST_NAMED).join('; ');
    const more = titles.length > MOST_NAMED ? `; and ${titles.length - MOST_NAMED} more` : '';
    const number = titles.length === 1 ? '1 finding' : `${titles.length} findings`;
    reasons.unshift(`${number}: ${first}${more}`);
  }
  if (reasons.length === 0) {
    return undefined;
  }
  return { verdict: 'nonconformant', reason: reasons.join('; ') };
}

type ById = ReadonlyMap<string, RequirementResult>;

/** Whether the finding counts, and one of its requirements is not excused. */
export function isOpen(finding: Finding, byId: ById): boolean {
  const results = resultsOf(finding, byId);
  const areExcused = results.length > 0 && results.every(isExcused);
  return counts(finding) && !areExcused;
}

const resultsOf = ({ requirements }: Finding, byId: ById): RequirementResult[] =>
  requirements.flatMap((id) => byId.get(id) ?? []);

/** A flaky requirement does not hold, either: it was seen to fail. */
function notesOn(finding: Finding, byId: ById): string {
  const notes = finding.flaky ? ['flaky'] : [];
  if (finding.accepted) {
    notes.push(`accepted, but expired on ${finding.accepted.expires}`);
  }
  for (const { id, known_failure: failure } of resultsOf(finding, byId)) {
    if (failure?.expired) {
      notes.push(`${id} is known, but expired on ${failure.expires}`);
      break;
    }
  }
  if (notes.length === 0) {
    return '';
  }
  return ` (${notes.join(', ')})`;
}

function inError(results: readonly RequirementResult[]): Decision | undefined {
  const [error, ...others] = results.filter(({ status }) => status === 'error');
  if (!error) {
    return undefined;
  }
  const reason = `${others.length + 1} could not be tried: ${error.id}: ${error.reason}`;
  return { verdict: 'inconclusive', reason };
}

function nothingVerified(results: readonly RequirementResult[]): Decision | undefined {
  if (results.length === 0) {
    return { verdict: 'inconclusive', reason: 'the contract has no operation that could be tried' };
  }
  if (results.some((result) => result.status === 'pass' || isBroken(result))) {
    return undefined;
  }
  const nothing = 'nothing was verified, since every requirement was skipped or disabled';
  return { verdict: 'inconclusive', reason: `${nothing}: their reasons say what is needed` };
}

function incomplete({ chosen, neverSucceeded }: Reach, share: number): Decision | undefined {
  const succeeded = chosen - neverSucceeded.length;
  const [first, ...others] = neverSucceeded;
  if (!first || succeeded >= share * chosen) {
    return undefined;
  }
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const reason =
    `never succeeded: ${first.operation}: ${first.reason}${more} ` +
    `(${succeeded} of ${chosen} operations did; --min-tried says what is enough)`;
  return { verdict: 'incomplete', reason };
}

function conformant(results: readonly RequirementResult[]): Decision {
  const excused = results.filter(isExcused).length;
  if (excused === 0) {
    return { verdict: 'conformant' };
  }
  const what = excused === 1 ? 'failure is' : 'failures are';
  const where = '--known-failures or accept';
  const reason = `${excused} known ${what} excused until the day in ${where}`;
  return { verdict: 'conformant', reason };
}
