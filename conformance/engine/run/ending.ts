/**
 * The end of a run before all was tried: because its time is over, or because somebody stops it.
 */
import type { Implementation } from '../http/implementation.ts';
import type { RequirementResult, Status } from './result.ts';
import type { RunOptions } from './run-options.ts';

/** The time of `--max-time` is over. */
class TimeIsOver {
  readonly #seconds: number;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  toString(): string {
    return `--max-time ${this.#seconds} ended the run`;
  }
}

export interface Ending {
  /** Aborted when the run must end; its reason is a text or has one. */
  signal: AbortSignal;
  /** Once the run is over: nothing is waited for any more. */
  clear(): void;
}

/** Nothing more is sent once the run must end, except to clean up. */
export function endingOf(
  { signal, maxSeconds, startedAt }: Pick<RunOptions, 'signal' | 'maxSeconds' | 'startedAt'>,
  implementation: Implementation,
): Ending {
  const controller = new AbortController();
  const end = (reason: unknown): void => {
    implementation.halted ??= String(reason);
    controller.abort(reason);
  };
  const abort = (): void => end(signal.reason);
  if (signal.aborted) {
    abort();
  }
  signal.addEventListener('abort', abort);
  const timer = maxSeconds === undefined ? undefined : timerFor(maxSeconds, startedAt, end);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

function timerFor(
  seconds: number,
  startedAt: number,
  end: (reason: TimeIsOver) => void,
): NodeJS.Timeout {
  const left = Math.max(0, seconds - secondsSince(startedAt));
  return setTimeout(() => end(new TimeIsOver(seconds)), left * 1000);
}

/**
 * By a clock that nobody sets back while the process runs.
 * @param startedAt in milliseconds since 1970
 */
export const secondsSince = (startedAt: number): number =>
  (performance.timeOrigin + performance.now() - startedAt) / 1000;

/** Why requirements have no result, and their status: a time that the user sets is not an error. */
export function untriedBecause(reason: unknown): { status: Status; reason: string } {
  const status = reason instanceof TimeIsOver ? 'disabled' : 'error';
  return { status, reason: `not tried: ${String(reason)}` };
}

/** Why the run ended before all was tried, as its user wished; undefined if it did not. */
export function endedBy({ aborted, reason }: AbortSignal): string | undefined {
  if (aborted && reason instanceof TimeIsOver) {
    return String(reason);
  }
  return undefined;
}

const MOST_NAMED = 5;

/** A sentence about what was not tried; undefined if all was. */
export function untriedInWords(
  results: readonly RequirementResult[],
  untried: readonly RequirementResult[],
  { aborted, reason }: AbortSignal,
): string | undefined {
  if (!aborted || untried.length === 0) {
    return undefined;
  }
  const tried = new Set(results.filter((one) => !untried.includes(one)).map(areaOf));
  const areas = [...new Set(untried.map(areaOf))].filter((area) => !tried.has(area));
  const sentence = `${untried.length} of ${results.length} requirements were not tried`;
  if (areas.length === 0) {
    return `${sentence}, since ${String(reason)}.`;
  }
  const named = areas.slice(0, MOST_NAMED).join(', ');
  const more = areas.length > MOST_NAMED ? ` and ${areas.length - MOST_NAMED} more` : '';
  return `${sentence}, since ${String(reason)}; nothing at all of ${named}${more}.`;
}

const areaOf = ({ id }: RequirementResult): string => id.split('.', 1).join('');
