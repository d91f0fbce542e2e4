/**
 * A service may fail only at requests that it gets at once: then nobody sees the error who sends
 * one. A few failures of each cause are tried again while nothing else is under way.
 */
import { groupBy } from '../contract/load.ts';
import type { RequirementResult } from './result.ts';

/** Causes that are tried alone, and failures of each. */
const MOST_CAUSES = 60;
const MOST_ALONE = 3;

/**
 * Marks the server errors that do not come back alone.
 * @param comesBack tries a failure again; undefined if it cannot be tried
 */
export async function markErrorsAtOnce(
  results: readonly RequirementResult[],
  comesBack: (result: RequirementResult) => Promise<boolean | undefined>,
): Promise<void> {
  const failed = results.filter(({ failure }) => failure?.kind === 'server-error');
  const byCause = groupBy(failed, ({ failure }) => failure?.cause_id ?? '');
  for (const ofCause of [...byCause.values()].slice(0, MOST_CAUSES)) {
    const shortest = ofCause.toSorted((one, other) => stepsOf(one) - stepsOf(other));
    if (!(await failsAlone(shortest.slice(0, MOST_ALONE), comesBack))) {
      ofCause.forEach(markAtOnce);
    }
  }
}

/** Whether one of the failures comes back, or cannot be tried. Those that do not are marked. */
async function failsAlone(
  results: readonly RequirementResult[],
  comesBack: (result: RequirementResult) => Promise<boolean | undefined>,
): Promise<boolean> {
  for (const result of results) {
    if ((await comesBack(result)) !== false) {
      return true;
    }
    markAtOnce(result);
  }
  return false;
}

function markAtOnce({ failure }: RequirementResult): void {
  if (failure !== undefined) {
    failure.at_once = true;
  }
}

const stepsOf = ({ failure }: RequirementResult): number => failure?.exchanges.length ?? 0;
