/** Tries requirements with several workers, and decides what follows from each attempt. */
import type { Implementation } from '../http/implementation.ts';
import type { Requirement } from '../requirements/requirement.ts';
import type { Attempt, AttemptOptions } from './attempt.ts';
import { breadthFirst, inParallel } from './breadth-first.ts';
import { type CaseName, parseCaseName } from './case-name.ts';
import { untriedBecause } from './ending.ts';
import { markErrorsAtOnce } from './errors-at-once.ts';
import { Interruptions, isInterrupted } from './interruptions.ts';
import type { RequirementResult, Status } from './result.ts';
import { Results } from './results.ts';
import type { Progress, RunOptions, Worker } from './run-options.ts';
import type { Selected } from './select.ts';
import type { Stops } from './stops.ts';
import { untriedResult, workerFor } from './worker.ts';

/**
 * The reason why a run ends early and still has a result: findings count, and the other
 * requirements have this status.
 */
export interface Stop {
  status: Status;
  reason: string;
}

const UNAVAILABLE: Stop = {
  status: 'skip',
  reason: 'the service was unavailable for a time (503), each time that it was tried',
};

const BAILED: Stop = {
  status: 'disabled',
  reason: 'not tried: --bail stopped the run at the first failure',
};

/** Each costs a whole timeout, and further ones show nothing new. */
const MAX_LATE = 10;
const GAVE_UP: Stop = {
  status: 'error',
  reason: `not tried: ${MAX_LATE} requirements got no response in time`,
};

/**
 * From this number of failures on, a further one is not shrunk, but shown as it was found: smaller
 * examples help no more.
 */
const MAX_SHRUNK = 30;

/**
 * The number of times that a failure is tried again. One that comes back at once, as most do, costs
 * one case.
 */
const SECOND_TRIES = 3;

/**
 * The number of times that the requirement is tried with fresh cases, if the case that failed does
 * not fail again. A failure of one of these shows a service that is wrong each first time, such as
 * one with a cache.
 */
const FRESH_TRIES = 2;

/**
 * The number of times that a requirement is tried again as a whole, if a 503 was all that failed it
 * and the failed case passes later.
 */
const TRIES_AFTER_503 = 2;

export interface ScheduleOutcome {
  /** By id, those of disabled requirements among them. */
  results: Map<string, RequirementResult>;
  /** The status and the reason of the requirements without a result, if the run decided it. */
  stop: Stop | undefined;
  /** Notes for the user, from a look back after the last attempt. */
  lookedBack: string[];
}

/** A result that is to be confirmed, and the way in which a response did not come. */
interface Failed {
  result: RequirementResult;
  silence: Attempt['silence'];
}

/** They follow a run. */
interface Watchers {
  progress: Progress;
  stops: Stops;
}

/** A part of a requirement, and the worker that tries it. */
interface Task {
  requirement: Requirement;
  part: AttemptOptions['part'];
  worker: Worker;
}

/**
 * Tries requirements: each once, so that a common cause shows at once; then the rest of the cases.
 */
export async function tryAll(
  selected: readonly Selected[],
  implementation: Implementation,
  options: RunOptions,
  watchers: Watchers,
): Promise<ScheduleOutcome> {
  const schedule = new Schedule(implementation, options, watchers);
  return schedule.tryAll(selected);
}

interface FailedCase {
  name: CaseName;
  worker: Worker;
}

class Schedule {
  readonly #implementation: Implementation;
  readonly #options: RunOptions;
  readonly #progress: Progress;
  readonly #replay: CaseName | undefined;
  readonly #results: Results;
  /** The worker of this thread. What a user lends exists only here. */
  readonly #mainWorker: Worker;
  #workers: Worker[];
  /** The worker that began a requirement, and has its test data. */
  readonly #owners = new Map<Requirement, Worker>();
  readonly #stops: Stops;
  readonly #interruptions: Interruptions;
  /** The cases that failed, to be tried again. */
  readonly #failedCases = new Map<string, FailedCase>();
  /** How often a requirement was tried again after 503, by its id. */
  readonly #afterUnavailable = new Map<string, number>();
  #ending: Stop | undefined;
  #late = 0;

  constructor(implementation: Implementation, options: RunOptions, { progress, stops }: Watchers) {
    this.#implementation = implementation;
    this.#options = options;
    this.#progress = progress;
    this.#results = new Results(options, progress);
    this.#replay = options.replay === undefined ? undefined : parseCaseName(options.replay);
    this.#mainWorker = workerFor(implementation, options);
    this.#workers = [this.#mainWorker];
    this.#stops = stops;
    this.#interruptions = new Interruptions({
      implementation,
      stops,
      worker: this.#mainWorker,
      replay: this.#replay,
      halt: (reason) => this.#halt(reason),
    });
  }

  async tryAll(selected: readonly Selected[]): Promise<ScheduleOutcome> {
    const { signal } = this.#options;
    if (selected.length > 0) {
      const others = this.#options.others();
      this.#workers = [this.#mainWorker, ...others];
      this.#stops.others = others;
    }
    const abort = () => {
      this.#ending ??= untriedBecause(signal.reason);
      this.#halt(String(signal.reason));
    };
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort);
    for (const { requirement, disabled: reason } of selected) {
      if (reason !== undefined) {
        const why: Stop = { status: 'disabled', reason };
        this.#finish(untriedResult(requirement, this.#implementation, why));
      }
    }
    await this.#tryPart('first', breadthFirst(this.#open(selected)));
    await this.#tryPart('rest', this.#open(selected));
    await this.#markErrorsAtOnce();
    signal.removeEventListener('abort', abort);
    return {
      results: this.#results.all,
      stop: this.#ending,
      lookedBack: await this.#lookBack(),
    };
  }

  /** The requirements that have no result yet. */
  #open(selected: readonly Selected[]): Requirement[] {
    const requirements = selected.map(({ requirement }) => requirement);
    return requirements.filter(({ id }) => !this.#results.all.has(id));
  }

  async #lookBack(): Promise<string[]> {
    const notes: string[] = [];
    for (const worker of this.#workers) {
      const found = await worker.end().catch((error: unknown) => this.#fail(error));
      notes.push(...(found ?? []));
    }
    return notes;
  }

  async #tryPart(part: AttemptOptions['part'], requirements: Requirement[]): Promise<void> {
    const { concurrency } = this.#options;
    const wide = this.#workers.flatMap((one) => Array<Worker>(concurrency).fill(one));
    await inParallel(requirements, wide, this.#owners, async (requirement, worker) => {
      const task: Task = { requirement, part, worker };
      await this.#tryOne(task).catch((error: unknown) => this.#fail(error));
    });
  }

  async #tryOne(task: Task): Promise<void> {
    const { requirement, worker } = task;
    const { id } = requirement;
    await this.#interruptions.settled();
    if (this.#ending !== undefined || this.#implementation.halted !== undefined) {
      return;
    }
    const barred = this.#stops.barring(id);
    if (barred !== undefined) {
      this.#finish(untriedResult(requirement, this.#implementation, barredBy(barred)));
      return;
    }
    this.#progress.trying(id);
    this.#owners.set(requirement, worker);
    const stopsBefore = this.#stops.count;
    const attempt = await this.#attempt(task);
    const hasStopped = this.#stops.count > stopsBefore;
    if (hasStopped && isInterrupted(attempt)) {
      await this.#goOnAfterStop(task, attempt);
    } else if (attempt.result.status === 'error' && worker !== this.#mainWorker) {
      // It may only lack what a user lends.
      await this.#tryOne({ ...task, worker: this.#mainWorker });
    } else {
      await this.#conclude(task, attempt);
    }
  }

  /** @returns the attempt, once it is known whether the service goes on after it */
  async #attempt({ requirement: { id }, part, worker }: Task): Promise<Attempt> {
    const shrink = this.#results.broken < MAX_SHRUNK;
    const underWay = worker.attempt(id, { part, shrink, replay: this.#replay });
    this.#interruptions.begin(id, part, underWay);
    const attempt = await underWay;
    const stopsBefore = this.#stops.count;
    await this.#interruptions.end(id, attempt);
    if (attempt.silence === 'late' && this.#stops.count === stopsBefore) {
      this.#noteLate();
    }
    return attempt;
  }

  /** A request got no response in time, though the service responds to others. */
  #noteLate(): void {
    this.#late++;
    if (this.#late >= MAX_LATE) {
      this.#ending ??= GAVE_UP;
    }
  }

  /** Decides by an attempt that no stop of the service interrupted. */
  async #conclude(task: Task, attempt: Attempt): Promise<void> {
    const { silence, failed, hasRest } = attempt;
    const result = this.#results.withFirst(attempt.result);
    // Once nothing more is sent, only a failure that a response shows is certain.
    const isCertain = silence === undefined && result.status === 'fail';
    if (this.#implementation.halted !== undefined && !isCertain) {
      return;
    }
    if (failed !== undefined && silence !== 'late' && !this.#replay) {
      await this.#confirm(task, { result, silence }, failed);
    } else if (hasRest) {
      this.#results.keepFirst(result);
    } else {
      this.#finish(result);
    }
  }

  /**
   * A failure is tried again; the whole requirement is if the service stops meanwhile, or was
   * unavailable for a time.
   */
  async #confirm(task: Task, { result, silence }: Failed, failed: CaseName): Promise<void> {
    const { requirement, worker } = task;
    const stopsBefore = this.#stops.count;
    this.#failedCases.set(requirement.id, { name: failed, worker });
    const confirmed = await this.#confirmed(worker, result, failed);
    const wasUnavailable = silence === 'unavailable' && confirmed.status === 'flaky';
    if (this.#stops.count > stopsBefore) {
      await this.#tryOne(task);
    } else if (wasUnavailable) {
      await this.#tryAfterUnavailable(task);
    } else {
      this.#finish(confirmed);
    }
  }

  /** A service may be unavailable for a time: 503 alone shows nothing about a requirement. */
  async #tryAfterUnavailable(task: Task): Promise<void> {
    const { requirement } = task;
    const times = this.#afterUnavailable.get(requirement.id) ?? 0;
    if (times < TRIES_AFTER_503) {
      this.#afterUnavailable.set(requirement.id, times + 1);
      await this.#tryOne(task);
    } else {
      this.#finish(untriedResult(requirement, this.#implementation, UNAVAILABLE));
    }
  }

  /**
   * The requirement fails if a request of its own operation stopped the service, and is blocked if
   * one of a preparation did. Else it is tried again.
   */
  async #goOnAfterStop(task: Task, attempt: Attempt): Promise<void> {
    const { requirement } = task;
    const result = this.#interruptions.aloneResultOf(requirement.id) ?? attempt.result;
    const stop = this.#stops.causeOf(result);
    if (stop === undefined || result.failure === undefined) {
      return this.#tryOne(task);
    }
    const { operation } = stop.failure;
    if (!requirement.id.startsWith(`${operation}.`)) {
      this.#finish(untriedResult(requirement, this.#implementation, barredBy(operation)));
      return;
    }
    const { replay } = result.failure;
    const whole = this.#results.withFirst(result);
    this.#finish({ ...whole, failure: { ...stop.failure, replay } });
  }

  /**
   * The failure; `flaky` if the same case with new test data passes each time, and so do fresh
   * cases.
   */
  async #confirmed(
    worker: Worker,
    result: RequirementResult,
    failed: CaseName,
  ): Promise<RequirementResult> {
    for (let again = 0; again < SECOND_TRIES; again++) {
      const second = await this.#tryAgain(worker, result.id, { replay: failed });
      // A case that cannot be tried again does not show that the first result was wrong.
      if (second.result.status !== 'pass') {
        return result;
      }
    }
    for (let fresh = 1; fresh <= FRESH_TRIES; fresh++) {
      const seed = this.#options.seed + fresh;
      const other = await this.#tryAgain(worker, result.id, { seed, replay: undefined });
      if (other.result.status === 'fail') {
        return result;
      }
    }
    const reason = `the same case passed ${SECOND_TRIES} times when it was tried again`;
    return { ...result, status: 'flaky', reason };
  }

  /** Tries a requirement a second time, once the service is there. */
  async #tryAgain(
    worker: Worker,
    id: string,
    what: Partial<Pick<AttemptOptions, 'seed'>> & Pick<AttemptOptions, 'replay'>,
  ): Promise<Attempt> {
    await this.#interruptions.settled();
    const attempt = await worker.attempt(id, { part: 'first', shrink: false, ...what });
    if (attempt.silence !== undefined || attempt.hasLost) {
      await this.#interruptions.look(id);
    }
    return attempt;
  }

  async #markErrorsAtOnce(): Promise<void> {
    const isAlone = this.#workers.length * this.#options.concurrency === 1;
    if (isAlone || this.#replay !== undefined) {
      return;
    }
    const results = [...this.#results.all.values()];
    const known = results.filter(({ id }) => this.#failedCases.has(id));
    await markErrorsAtOnce(known, ({ id }) => this.#comesBack(id));
  }

  /** Whether a failure comes back when it is tried again; undefined if it cannot be tried. */
  async #comesBack(id: string): Promise<boolean | undefined> {
    const failed = this.#failedCases.get(id);
    if (failed === undefined || this.#implementation.halted !== undefined) {
      return undefined;
    }
    const { result } = await this.#tryAgain(failed.worker, id, { replay: failed.name });
    return result.status !== 'pass';
  }

  #finish(result: RequirementResult): void {
    this.#results.add(result);
    if (this.#options.bail && this.#results.hasUnexcused) {
      this.#ending ??= BAILED;
    }
  }

  #halt(reason: string): void {
    for (const worker of this.#workers) {
      worker.halt(reason);
    }
  }

  #fail(error: unknown): void {
    this.#halt(`a worker failed (${String(error)}), and what it had made may still be there`);
  }
}

function barredBy(operation: string): Pick<RequirementResult, 'status' | 'reason' | 'blocked_by'> {
  const reason = `not tried further: ${operation} stops the service`;
  return { status: 'blocked', reason, blocked_by: operation };
}
