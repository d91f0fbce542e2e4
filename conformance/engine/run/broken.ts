/** Which results count against an implementation. */
import type { RequirementResult } from './result.ts';

/** Seen to fail, whether it comes back or not. */
export function isBroken({ status }: Pick<RequirementResult, 'status'>): boolean {
  return status === 'fail' || status === 'flaky';
}

/** A known failure that is not expired. */
export function isExcused(result: Pick<RequirementResult, 'status' | 'known_failure'>): boolean {
  return isBroken(result) && result.known_failure?.expired === false;
}
