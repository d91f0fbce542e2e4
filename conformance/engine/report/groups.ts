/** Failures by their cause: one is shown in full, the others in a list. */
import type { RequirementResult } from '../run/result.ts';
import { brokenIn } from './words.ts';

export interface Group {
  cause: string;
  /** The one with the fewest steps. */
  example: RequirementResult;
  others: RequirementResult[];
}

/** The largest group first; what is flaky comes last. */
export function groupsOf(report: { requirements: readonly RequirementResult[] }): Group[] {
  const causes = new Map<string, RequirementResult[]>();
  for (const result of brokenIn(report)) {
    const cause = `${result.status === 'flaky' ? 'Flaky: ' : ''}${result.failure?.cause ?? 'unknown'}`;
    causes.set(cause, [...(causes.get(cause) ?? []), result]);
  }
  return [...causes]
    .map(([cause, members]) => {
      const example = members.toSorted((one, other) => steps(one) - steps(other))[0]!;
      return { cause, example, others: members.filter((member) => member !== example) };
    })
    .toSorted(
      (one, other) =>
        Number(one.example.status === 'flaky') - Number(other.example.status === 'flaky') ||
        other.others.length - one.others.length,
    );
}

function steps({ failure }: RequirementResult): number {
  return failure?.exchanges.length ?? 0;
}
