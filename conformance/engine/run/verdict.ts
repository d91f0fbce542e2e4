/** The verdict on results: which of them count against an implementation, and the verdict of a run. */
import type { KnownFailure } from './known-failures.ts';
import type { Report, RequirementResult, Status } from './result.ts';

/** Seen to fail, whether it comes back or not. */
export const isBroken = ({ status }: Pick<RequirementResult, 'status'>) =>
  status === 'fail' || status === 'flaky';

export const isExcused = (result: Pick<RequirementResult, 'status' | 'known_failure'>): boolean =>
  isBroken(result) && result.known_failure?.expired === false;

export function count(requirements: readonly RequirementResult[]): Record<Status, number> {
  const summary: Record<Status, number> = {
    pass: 0,
    fail: 0,
    flaky: 0,
    skip: 0,
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
  const what = [
    ...(unavailable > 0 ? [`${unavailable} responses were 503 with Retry-After`] : []),
    ...(connection_lost > 0 ? [`${connection_lost} connections ended before their response`] : []),
  ];
  const again = cases > 0 ? `; ${cases} cases were tried again from their start` : '';
  return [`The service is not stable: ${what.join(' and ')}${again}.`];
}

type Decision = Pick<Report, 'verdict' | 'reason'>;

/** @param share of requirements without which there is no verdict, 0 to 1 @param halted why nothing more was sent */
export function verdictOf(
  all: RequirementResult[],
  known: KnownFailure[],
  share: number,
  halted?: string,
): Decision {
  if (halted !== undefined) {
    return { verdict: 'inconclusive', reason: halted };
  }
  const broken = all.flatMap((result) => unexpected(result, known));
  if (broken.length > 0) {
    const more = broken.length > 3 ? ` and ${broken.length - 3} more` : '';
    return {
      verdict: 'nonconformant',
      reason: `${broken.length} broken: ${broken.slice(0, 3).join(', ')}${more}`,
    };
  }
  const [error, ...others] = all.filter(({ status }) => status === 'error');
  if (error) {
    return {
      verdict: 'inconclusive',
      reason: `${others.length + 1} could not be tried: ${error.id}: ${error.reason}`,
    };
  }
  const { skip, disabled } = count(all);
  const tried = all.length - skip - disabled;
  if (tried > 0 && tried < share * (tried + skip)) {
    const needs =
      'the others say what they need: --data, --token or links in the contract (--min-tried sets the share)';
    return {
      verdict: 'inconclusive',
      reason: `only ${tried} of ${tried + skip} requirements were tried; ${needs}`,
    };
  }
  const excused = all.filter(isExcused).length;
  if (excused > 0) {
    const what = excused === 1 ? 'failure is' : 'failures are';
    return {
      verdict: 'conformant',
      reason: `${excused} known ${what} excused until the day in --known-failures`,
    };
  }
  if (all.some(({ status }) => status === 'pass')) {
    return { verdict: 'conformant' };
  }
  if (all.length === 0) {
    return { verdict: 'inconclusive', reason: 'the contract has no operation that could be tried' };
  }
  const nothing = 'nothing was verified, since every requirement was skipped or disabled';
  return { verdict: 'inconclusive', reason: `${nothing}: their reasons say what is needed` };
}

/** The id of a result that makes a run nonconformant, with notes. A flaky requirement does not hold: it was seen to fail. */
function unexpected(result: RequirementResult, known: readonly KnownFailure[]): string[] {
  const { id, status, known_failure: failure } = result;
  if (status === 'pass' && known.some((one) => one.id === id)) {
    return [`${id} (listed as a known failure, but it passes: remove it)`];
  }
  if (!isBroken(result) || isExcused(result)) {
    return [];
  }
  const expired = failure ? [`known, but expired on ${failure.expires}`] : [];
  const notes = [...(status === 'flaky' ? ['flaky'] : []), ...expired];
  return [notes.length === 0 ? id : `${id} (${notes.join(', ')})`];
}
