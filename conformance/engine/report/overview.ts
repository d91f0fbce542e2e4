/**
 * Many failures at a glance: a line for each area, with what is wrong there most often. Who has built half of a service
 * sees which half is missing; one cause behind a hundred failures shows as one.
 */
import type { RequirementResult } from '../run/result.ts';
import { isBroken } from '../run/verdict.ts';
import { groupByArea } from './words.ts';

export interface AreaLine {
  area: string;
  passed: number;
  broken: number;
  /** Skipped, disabled and in error. */
  others: number;
  /** What most of the failures have in common, and how many do. */
  cause: { message: string; number: number } | undefined;
}

/** In the order of the contract; empty where nothing is broken. */
export function overview(results: readonly RequirementResult[]): AreaLine[] {
  if (!results.some(isBroken)) return [];
  return [...groupByArea(results)].map(([area, members]) => {
    const failures = members.filter(isBroken);
    const passed = members.filter(({ status }) => status === 'pass').length;
    return {
      area,
      passed,
      broken: failures.length,
      others: members.length - failures.length - passed,
      cause: mostFrequent(failures.flatMap(({ failure }) => (failure ? [failure.cause] : []))),
    };
  });
}

function mostFrequent(causes: readonly string[]): AreaLine['cause'] {
  const counts = new Map<string, number>();
  for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && { message: first[0], number: first[1] };
}
