/**
 * The order in which requirements are tried, by several workers, and the handling of each result.
 */
import { acceptedIn } from '../findings/accepted.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Silence } from '../http/response.ts';
import type { Suspected } from '../http/suspects.ts';
import { CLAUSE, type Requirement } from '../requirements/requirement.ts';
import type { Attempt, AttemptOptions } from './attempt.ts';
import { type CaseName, parseCaseName } from './case-name.ts';
import { untriedBecause } from './ending.ts';
import type { RequirementResult, Status } from './result.ts';
import type { Progress, RunOptions, Worker } from './run-options.ts';
import type { Selected } from './select.ts';
import { Stops } from './stops.ts';
import { isBroken, isExcused } from './verdict.ts';
import { untriedResult, workerFor } from './worker.ts';

/**
 * The reason why a run ends early and still has a result: findings count, and the other
 * requirements have this status.
 */
export interface Stop {
  status: Status;
  reason: string;
}

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

export interface Outcome {
  /** By id, those of disabled requirements among them. */
  results: Map<string, RequirementResult>;
  /** The status and the reason of the requirements without a result, if the run decided it. */
  stop: Stop | undefined;
  /** Notes for the user, from a look back after the last attempt. */
  lookedBack: string[];
}

/** They follow a run. */
interface Watchers {
  progress: Progress;
  stops: Stops;
}

/** An attempt that is under way. */
interface UnderWay {
  part: AttemptOptions['part'];
  attempt: Promise<Attempt>;
}

/**
 * Tries requirements: each once, so that a common cause shows at once; then the rest of the cases.
 */
export async function tryAll(
  selected: readonly Selected[],
  implementation: Implementation,
  options: RunOptions,
  watchers: Watchers,
): Promise<Outcome> {
  const schedule = new Schedule(implementation, options, watchers);
  return schedule.tryAll(selected);
}

class Schedule {
  readonly #implementation: Implementation;
  readonly #options: RunOptions;
  readonly #progress: Progress;
  readonly #replay: CaseName | undefined;
  readonly #results = new Map<string, RequirementResult>();
  /** The results of first cases of requirements that have more cases. */
  readonly #first = new Map<string, RequirementResult>();
  /** The worker of this thread. What a user lends exists only here. */
  readonly #mainWorker: Worker;
  #workers: Worker[];
  /** The worker that began a requirement, and has its test data. */
  readonly #owners = new Map<Requirement, Worker>();
  #ending: Stop | undefined;
  #late = 0;
  #broken = 0;
  readonly #stops: Stops;
  /** Where the service is looked for: no attempt begins meanwhile. */
  #looking: Promise<void> | undefined;
  readonly #underWay = new Map<string, UnderWay>();
  /** Results of requirements that stopped the service when they were tried alone. */
  readonly #stoppedAlone = new Map<string, RequirementResult>();

  constructor(implementation: Implementation, options: RunOptions, { progress, stops }: Watchers) {
    this.#stops = stops;
    this.#implementation = implementation;
    this.#options = options;
    this.#progress = progress;
    this.#replay = options.replay === undefined ? undefined : parseCaseName(options.replay);
    this.#mainWorker = workerFor(implementation, options);
    this.#workers = [this.#mainWorker];
  }

  async tryAll(selected: readonly Selected[]): Promise<Outcome> {
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
    await this.#tryPart('first', firstOnes(this.#open(selected)));
    await this.#tryPart('rest', this.#open(selected));
    signal.removeEventListener('abort', abort);
    const lookedBack: string[] = [];
    for (const worker of this.#workers) {
      const found = await worker.end().catch((error: unknown) => this.#fail(error));
      lookedBack.push(...(found ?? []));
    }
    return { results: this.#results, stop: this.#ending, lookedBack };
  }

  /** The requirements that have no result yet. */
  #open(selected: readonly Selected[]): Requirement[] {
    const requirements = selected.map(({ requirement }) => requirement);
    return requirements.filter(({ id }) => !this.#results.has(id));
  }

  async #tryPart(part: AttemptOptions['part'], requirements: Requirement[]): Promise<void> {
    const { concurrency } = this.#options;
    const wide = this.#workers.flatMap((one) => Array<Worker>(concurrency).fill(one));
    await inParallel(requirements, wide, this.#owners, async (requirement, worker) => {
      await this.#tryOne(requirement, part, worker).catch((error: unknown) => this.#fail(error));
    });
  }

  async #tryOne(
    requirement: Requirement,
    part: AttemptOptions['part'],
    worker: Worker,
  ): Promise<void> {
    const { id } = requirement;
    await this.#looking;
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
    const attempt = await this.#attempt(id, part, worker);
    const { result, silence, failed, hasRest, hasLost } = attempt;
    if (silence !== undefined || hasLost) {
      await this.#look(id, silence);
    }
    // Another requirement may have begun to look whether the service stopped.
    await this.#looking;
    this.#underWay.delete(id);
    if (this.#stops.count > stopsBefore && isInterrupted(attempt)) {
      return this.#goOnAfterStop(requirement, part, worker, attempt);
    }
    // It may only lack what a user lends.
    if (result.status === 'error' && worker !== this.#mainWorker) {
      return this.#tryOne(requirement, part, this.#mainWorker);
    }
    const whole = this.#withFirst(result);
    // Once nothing more is sent, only a failure that a response shows is certain.
    const isCertain = silence === undefined && whole.status === 'fail';
    if (this.#implementation.halted !== undefined && !isCertain) {
      return;
    }
    if (failed !== undefined && silence !== 'late' && !this.#replay) {
      const stops = this.#stops.count;
      const sure = await this.#confirmed(worker, whole, failed);
      if (this.#stops.count > stops) {
        return this.#tryOne(requirement, part, worker);
      }
      this.#finish(sure);
    } else if (hasRest) {
      this.#first.set(id, whole);
    } else {
      this.#finish(whole);
    }
  }

  #attempt(id: string, part: AttemptOptions['part'], worker: Worker): Promise<Attempt> {
    const shrink = this.#broken < MAX_SHRUNK;
    const attempt = worker.attempt(id, { part, shrink, replay: this.#replay });
    // Until it is known that the service goes on.
    this.#underWay.set(id, { part, attempt });
    return attempt;
  }

  /**
   * The requirement fails if a request of its own operation stopped the service, and is blocked if
   * one of a preparation did. Else it is tried again.
   */
  async #goOnAfterStop(
    requirement: Requirement,
    part: AttemptOptions['part'],
    worker: Worker,
    attempt: Attempt,
  ): Promise<void> {
    const result = this.#stoppedAlone.get(requirement.id) ?? attempt.result;
    const stop = this.#stops.causeOf(result);
    if (stop === undefined || result.failure === undefined) {
      return this.#tryOne(requirement, part, worker);
    }
    const { operation } = stop.failure;
    if (!requirement.id.startsWith(`${operation}.`)) {
      this.#finish(untriedResult(requirement, this.#implementation, barredBy(operation)));
      return;
    }
    const { replay } = result.failure;
    const whole = this.#withFirst(result);
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
    await this.#looking;
    const attempt = await worker.attempt(id, { part: 'first', shrink: false, ...what });
    if (attempt.silence !== undefined || attempt.hasLost) {
      await this.#look(id, undefined);
    }
    return attempt;
  }

  /** The result with the cases and the time of the first part. */
  #withFirst(result: RequirementResult): RequirementResult {
    const before = this.#first.get(result.id) ?? { cases: 0, duration_ms: 0 };
    const cases = result.cases + before.cases;
    return { ...result, cases, duration_ms: result.duration_ms + before.duration_ms };
  }

  #finish(found: RequirementResult): void {
    const { bail, kinds } = this.#options;
    const result = ofKinds(found, kinds);
    this.#results.set(result.id, result);
    if (isBroken(result)) {
      this.#broken++;
      this.#excuse(result);
      if (bail && !isExcused(result)) {
        this.#ending ??= BAILED;
      }
    }
    this.#progress.finished(result, this.#results.size);
  }

  /** Notes whether the user knows the failure, or accepts its cause. */
  #excuse(result: RequirementResult): void {
    const { knownFailures, accept } = this.#options;
    const known = knownFailures.find(({ id }) => id === result.id);
    if (known) {
      const { reason, expires, expired } = known;
      result.known_failure = { reason, expires, expired };
    }
    const accepted = result.failure && acceptedIn(accept, result.failure.cause_id);
    if (accepted) {
      result.accepted = accepted;
    }
  }

  /**
   * A request without a response counts against the implementation as long as it responds to
   * others. If it does not, it has stopped.
   */
  async #look(id: string, silence: Silence | undefined): Promise<void> {
    const stopsBefore = this.#stops.count;
    this.#looking ??= this.#lookOnce(id).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
    if (silence === 'late' && this.#stops.count === stopsBefore) {
      this.#late++;
    }
    if (this.#late >= MAX_LATE) {
      this.#ending ??= GAVE_UP;
    }
  }

  async #lookOnce(id: string): Promise<void> {
    const look = await this.#stops.look();
    if (look.kind === 'gone') {
      this.#giveUp(look.reason, id, look.suspected);
    } else if (look.kind === 'back' && look.found === undefined) {
      await this.#tryAlone(look.suspected);
    }
  }

  #giveUp(reason: string, id: string, suspected: Suspected | undefined): void {
    if (suspected !== undefined) {
      this.#implementation.isGone = true;
      this.#stops.noteUnknown(suspected);
    }
    this.#halt(`${reason} It stopped while ${id} was tried: --only ${id} may show why.`);
  }

  /**
   * No request has stopped the service by itself: each requirement that was under way is tried
   * alone, with test data of its own, until one does.
   */
  async #tryAlone(suspected: Suspected): Promise<void> {
    const attempts = [...this.#underWay];
    for (const [id, { part, attempt }] of attempts) {
      const ended = await attempt;
      const mayHaveStopped = isInterrupted(ended) || ended.hasLost === true;
      if (!mayHaveStopped || this.#implementation.halted !== undefined) {
        continue;
      }
      const more = { part, shrink: false, replay: this.#replay };
      const { result } = await this.#mainWorker.attempt(id, more);
      if (await this.#stops.hasStopped()) {
        const found = this.#stops.noteAlone(result);
        this.#stoppedAlone.set(id, result);
        const why = await this.#stops.bringBack();
        if (why !== undefined) {
          this.#giveUp(why, id, undefined);
        }
        if (found !== undefined) {
          return;
        }
      }
    }
    this.#stops.noteUnknown(suspected);
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

/** Whether the attempt ended because the service had stopped, as far as it can be known. */
function isInterrupted({ result: { status }, silence, hasLost }: Attempt): boolean {
  const hasNoBase = hasLost === true && (status === 'blocked' || status === 'skip');
  return silence !== undefined || status === 'error' || hasNoBase;
}

function barredBy(operation: string): Pick<RequirementResult, 'status' | 'reason' | 'blocked_by'> {
  const reason = `not tried further: ${operation} stops the service`;
  return { status: 'blocked', reason, blocked_by: operation };
}

/** The result; a failure of a kind that the user does not want is disabled. */
function ofKinds(result: RequirementResult, kinds: RunOptions['kinds']): RequirementResult {
  const { failure, ...rest } = result;
  if (failure === undefined || kinds.length === 0 || kinds.includes(failure.kind)) {
    return result;
  }
  const reason = `it is broken, by a finding of the kind ${failure.kind}, which --kind leaves out`;
  return { ...rest, status: 'disabled', reason };
}

/**
 * Breadth first: each operation once, then the next requirement of each, so that a run that is cut
 * short has seen all operations. Requirements of an operation that are lighter than a clause, of
 * which there are hundreds, come after its others.
 */
function firstOnes(requirements: readonly Requirement[]): Requirement[] {
  const rank = ({ weight = 1 }: Requirement) => Math.min(weight, CLAUSE);
  const byWeight = requirements.toSorted((one, other) => rank(other) - rank(one));
  const counts = new Map<string, number>();
  const turns = new Map<Requirement, number>();
  for (const requirement of byWeight) {
    const [operation = ''] = requirement.id.split('.', 1);
    const turn = counts.get(operation) ?? 0;
    counts.set(operation, turn + 1);
    turns.set(requirement, turn);
  }
  const turnOf = (requirement: Requirement): number => turns.get(requirement) ?? 0;
  return byWeight.toSorted((one, other) => turnOf(one) - turnOf(other));
}

/** Each worker takes the next item that it owns, as long as there is one, or else any. */
async function inParallel<T, W>(
  items: readonly T[],
  workers: readonly W[],
  owners: ReadonlyMap<T, W>,
  work: (item: T, by: W) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const next = (worker: W): T | undefined => {
    const ownIndex = rest.findIndex((one) => owners.get(one) === worker);
    const index = ownIndex === -1 ? 0 : ownIndex;
    const [item] = rest.splice(index, 1);
    return item;
  };
  const takeTurns = async (worker: W): Promise<void> => {
    for (let item = next(worker); item !== undefined; item = next(worker)) {
      await work(item, worker);
    }
  };
  await Promise.all(workers.map(takeTurns));
}
