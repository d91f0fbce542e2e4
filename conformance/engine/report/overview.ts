/**
 * Many failures at a glance: a line for each area, with what is wrong there most often. Who has built half of a service
 * sees which half is missing; one cause behind a hundred failures shows as one.
 */
import type { Failure, RequirementResult } from '../run/result.ts';
import { groupByArea } from './words.ts';

export interface AreaLine {
  area: string;
  passed: number;
  failed: number;
  /** Skipped, disabled and in error. */
  others: number;
  /** What most of the failures have in common, and how many do. */
  cause: { message: string; number: number } | undefined;
}

/** With fewer failures, their own blocks are easier to read. */
const FEWEST = 5;

/** In the order of the contract; empty where there are too few failures for an overview. */
export function overview(results: readonly RequirementResult[]): AreaLine[] {
  if (results.filter(({ status }) => status === 'fail').length < FEWEST) return [];
  return [...groupByArea(results)].map(([area, members]) => {
    const failures = members.filter(({ status }) => status === 'fail');
    const passed = members.filter(({ status }) => status === 'pass').length;
    return {
      area,
      passed,
      failed: failures.length,
      others: members.length - failures.length - passed,
      cause: mostFrequent(failures.flatMap(({ failure }) => (failure ? inShort(failure) : []))),
    };
  });
}

/** Without what was sent, which differs; with the status that came, which often says it all. */
function inShort({ message, got }: Failure): string {
  const last = message.split(/(?<=\.) /).at(-1)!;
  const status = /^[1-5]\d\d(?=,|$)/.exec(got)?.[0];
  return status === undefined ? last : `${last.replace(/\.$/, '')}: ${status}`;
}

function mostFrequent(messages: readonly string[]): AreaLine['cause'] {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && { message: first[0], number: first[1] };
}
