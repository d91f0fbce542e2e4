/**
 * The verdict on results: which of them count against an implementation, and the verdict of a run.
 */
import type { KnownFailure } from './known-failures.ts';
import type { Reach } from './never-succeeded.ts';
import type { Report, RequirementResult, Status } from './result.ts';

/** Seen to fail, whether it comes back or not. */
export const isBroken = ({ status }: Pick<RequirementResult, 'status'>) =>
  status === 'fail' || status === 'flaky';

export const isExcused = (result: Pick<RequirementResult, 'status' | 'known_failure'>): boolean =>
  isBroken(result) && result.known_failure?.expired === false;

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

/** More broken connections and 503s than these are worth a look, whatever the verdict. */
const FEW = 3;

export function warningsFor({ unavailable, connection_lost, cases }: Report['retries']): string[] {
  if (unavailable + connection_lost <= FEW) {
    return [];
  }
  const what: string[] = [];
  if (unavailable > 0) {
    what.push(`${unavailable} responses were 503 with Retry-After`);
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
  /** The share of chosen operations that must have succeeded, 0 to 1. */
  share: number;
  reached: Reach;
  /** Why nothing more was sent. */
  halted: string | undefined;
}

/**
 * Findings come first: a service that breaks its contract is not conformant, however much was
 * tried.
 */
export function verdictOf(
  results: readonly RequirementResult[],
  { known, share, reached, halted }: Circumstances,
): Decision {
  if (halted !== undefined) {
    return { verdict: 'inconclusive', reason: halted };
  }
  return (
    nonconformant(results, known) ??
    inError(results) ??
    nothingVerified(results) ??
    incomplete(reached, share) ??
    conformant(results)
  );
}

function nonconformant(
  results: readonly RequirementResult[],
  known: readonly KnownFailure[],
): Decision | undefined {
  const broken = results.flatMap((result) => unexpected(result, known));
  if (broken.length === 0) {
    return undefined;
  }
  const first = broken.slice(0, 3).join(', ');
  const more = broken.length > 3 ? ` and ${broken.length - 3} more` : '';
  return { verdict: 'nonconformant', reason: `${broken.length} broken: ${first}${more}` };
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
  const reason = `${excused} known ${what} excused until the day in --known-failures`;
  return { verdict: 'conformant', reason };
}

/**
 * The id of a result that makes a run nonconformant, with notes. A flaky requirement does not hold:
 * it was seen to fail.
 */
function unexpected(result: RequirementResult, known: readonly KnownFailure[]): string[] {
  const { id, status, known_failure: failure } = result;
  if (status === 'pass' && known.some((one) => one.id === id)) {
    return [`${id} (listed as a known failure, but it passes: remove it)`];
  }
  if (!isBroken(result) || isExcused(result)) {
    return [];
  }
  const notes = status === 'flaky' ? ['flaky'] : [];
  if (failure) {
    notes.push(`known, but expired on ${failure.expires}`);
  }
  return [notes.length === 0 ? id : `${id} (${notes.join(', ')})`];
}
