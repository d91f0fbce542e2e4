/**
 * Results by area and failures by cause. The author of half a service sees which half is missing; one cause behind a
 * hundred failures is shown in full once.
 */
import { entry } from '../contract/load.ts';
import { isBroken } from '../run/verdict.ts';
import type { RequirementResult } from '../run/result.ts';

export type Area = ReturnType<typeof areasOf>[number];

/** In the order of the contract. */
export function areasOf(results: readonly RequirementResult[]) {
  return [...groupBy(results, ({ id }) => id.split('.', 1)[0]!)].map(([name, members]) => {
    const failures = members.filter(isBroken);
    const causes = groupBy(failures, ({ failure }) => failure?.cause ?? 'unknown');
    const [most] = [...causes].toSorted(([, a], [, b]) => b.length - a.length);
    const passed = members.filter(({ status }) => status === 'pass').length;
    return {
      /** `createEdge` for `createEdge.hostports.unique`. */
      name,
      results: members,
      passed,
      broken: failures.length,
      /** Skipped, disabled and in error. */
      others: members.length - failures.length - passed,
      /** The most frequent cause of its failures, and how many have it. */
      ...(most && { cause: { message: most[0], number: most[1].length } }),
    };
  });
}

export interface Group {
  cause: string;
  /** The failure with the fewest steps. */
  example: RequirementResult;
  others: RequirementResult[];
}

/** Failures of one cause; the largest group first, flaky ones last. */
export function groupsOf({ requirements }: { requirements: readonly RequirementResult[] }): Group[] {
  const causeOf = ({ status, failure }: RequirementResult) =>
    `${status === 'flaky' ? 'Flaky: ' : ''}${failure?.cause ?? 'unknown'}`;
  const steps = ({ failure }: RequirementResult) => failure?.exchanges.length ?? 0;
  const isFlaky = ({ example }: Group) => Number(example.status === 'flaky');
  return [...groupBy(requirements.filter(isBroken), causeOf)]
    .map(([cause, members]) => {
      const [example, ...others] = members.toSorted((one, other) => steps(one) - steps(other));
      return { cause, example: example!, others };
    })
    .toSorted((one, other) => isFlaky(one) - isFlaky(other) || other.others.length - one.others.length);
}

/** The groups, then what is in error with evidence to show. */
export function shownInFull(report: { requirements: readonly RequirementResult[] }): Group[] {
  const errors = report.requirements.flatMap((example) =>
    example.status === 'error' && example.failure ? [{ cause: example.failure.cause, example, others: [] }] : [],
  );
  return [...groupsOf(report), ...errors];
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) entry(groups, keyOf(item), (): T[] => []).push(item);
  return groups;
}
