/** Tries requirements when the schedule asks for them. */
import type { Implementation } from '../http/implementation.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { attempt, describe } from './attempt.ts';
import type { RequirementResult } from './result.ts';
import type { RunOptions, Worker } from './run-options.ts';
import { select } from './select.ts';

/** The options of a run that a worker does not need. */
type OfRun =
  | 'others'
  | 'signal'
  | 'maxSeconds'
  | 'knownFailures'
  | 'accept'
  | 'kinds'
  | 'suite'
  | 'startedAt'
  | 'bringBack';

/** @param implementation that no other worker uses */
export function workerFor(
  implementation: Implementation,
  options: Omit<RunOptions, OfRun>,
): Worker {
  const all = new Map<string, Requirement>();
  for (const { requirement } of select(implementation, options)) {
    all.set(requirement.id, requirement);
  }
  return {
    async attempt(id, more) {
      const requirement = all.get(id);
      if (requirement === undefined) {
        throw new Error(`the worker has no requirement ${id}`);
      }
      return attempt(requirement, implementation, { ...options, ...more });
    },
    halt(reason) {
      implementation.halted ??= reason;
    },
    async suspects() {
      return implementation.suspects.all;
    },
    leave() {
      implementation.presence.leave();
    },
    comeBack(barred) {
      implementation.suspects.clear();
      implementation.presence.comeBack(barred);
    },
    async end() {
      return (await options.api.lookBack?.(implementation)) ?? [];
    },
  };
}

/** The result of a requirement that is not tried. */
export function untriedResult(
  requirement: Requirement,
  { contract }: Implementation,
  why: Pick<RequirementResult, 'status' | 'reason' | 'blocked_by'>,
): RequirementResult {
  return { ...describe(requirement, contract), ...why, cases: 0, duration_ms: 0 };
}
