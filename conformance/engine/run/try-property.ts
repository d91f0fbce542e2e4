/** Tries the cases of one property, and shrinks a failure within limits. */
import fc from 'fast-check';
import { Unsupported } from '../contract/keywords.ts';
import { GaveUp, shrunkUntil } from '../generate/filter.ts';
import type { Sending } from '../http/call.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import { Blocked, BrokenOff, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { NoResponse, ResponseLost } from '../http/response.ts';
import { CaseSession, type Shared } from '../http/session.ts';
import type { Property } from '../requirements/requirement.ts';

/** The cases of a property that are tried. */
export interface Trial {
  seed: number;
  /** The number of cases, unless the property has only one. */
  runs: number;
  /** The place of one case, as an earlier failure gave it: only that case is tried. */
  path?: string;
  /** Whether a failure is made as small as possible, which takes most of its requests. */
  shrink: boolean;
}

/** The data that the properties of a requirement share. */
export interface TrialContext {
  implementation: Implementation;
  /** Lasts from one property to the next. */
  shared: Shared;
  /** The number of cases of all properties that were tried so far. */
  cases: number;
}

/** The smallest case that failed. */
export interface Evidence {
  error: Nonconformity | NoResponse;
  exchanges: RecordedExchange[];
  /** The requests that remove what the case made. */
  removals: Sending[];
}

/** `path`: the place of the case. */
export type Broken = { kind: 'broken'; path: string } & Evidence;

/** The reason why no further case says anything. */
type Ended =
  | { kind: 'not possible' | 'broken off'; reason: string }
  | { kind: 'blocked'; by: string; reason: string }
  | { kind: 'suite failed'; error: unknown; after?: RecordedExchange | undefined };

/** `held`: in all cases; there are no cases if its values do not exist. */
export type TrialOutcome = { kind: 'held' } | Broken | Ended;

export async function tryProperty(
  property: Property,
  trial: Trial,
  context: TrialContext,
): Promise<TrialOutcome> {
  return new PropertyTrial(property, trial, context).run();
}

/** A minimum is not worth more than so many steps, or so many requests. */
const MAX_SHRINKS = 120;
const MAX_SHRINK_REQUESTS = 600;

/** The end of a case that was tried once. */
type CaseEnd = 'held' | 'failed' | 'begins again';

class PropertyTrial {
  readonly #property: Property;
  readonly #trial: Trial;
  readonly #context: TrialContext;
  /** The number of cases of the properties before this one. */
  readonly #casesBefore: number;
  /**
   * The number of cases that were tried since the first failure, and of the requests of these and
   * of the failure.
   */
  #shrinks = 0;
  #spent = 0;
  #smallest: Evidence | undefined;
  #ended: Ended | undefined;

  constructor(property: Property, trial: Trial, context: TrialContext) {
    this.#property = property;
    this.#trial = trial;
    this.#context = context;
    this.#casesBefore = context.cases;
  }

  async run(): Promise<TrialOutcome> {
    const { values, mayBeEmpty } = this.#property;
    const shrinkable = shrunkUntil(values, () => this.#isOver());
    const property = fc.asyncProperty(shrinkable, (value: unknown) => this.#tryCase(value));
    let details: fc.RunDetails<[unknown]>;
    try {
      details = await fc.check(property, this.#parameters());
    } catch (error) {
      const hasNoCase = this.#context.cases === this.#casesBefore;
      if (mayBeEmpty && error instanceof GaveUp && hasNoCase) {
        return { kind: 'held' };
      }
      // A path that leads to no case.
      return { kind: 'suite failed', error };
    }
    return this.#outcome(details);
  }

  #parameters(): fc.Parameters<[unknown]> {
    const { seed, runs, path } = this.#trial;
    const numRuns = this.#property.once ? 1 : runs;
    if (path === undefined) {
      return { seed, numRuns };
    }
    return { seed, numRuns, path };
  }

  #outcome({ failed, counterexamplePath, errorInstance }: fc.RunDetails<[unknown]>): TrialOutcome {
    if (this.#ended?.kind === 'suite failed') {
      return this.#ended;
    }
    // A failure that was found before the run was broken off still counts.
    if (this.#smallest) {
      return { kind: 'broken', ...this.#smallest, path: counterexamplePath ?? '0' };
    }
    if (this.#ended) {
      return this.#ended;
    }
    // Without a failing case, the error is one of the generator.
    if (failed) {
      return { kind: 'suite failed', error: errorInstance };
    }
    return { kind: 'held' };
  }

  /** Whether no further case is tried. */
  #isOver(): boolean {
    // A replay is one case: the cases next to it that shrinking would try are not.
    const isReplayed = this.#trial.path !== undefined && this.#context.cases > this.#casesBefore;
    return this.#ended !== undefined || isReplayed || this.#isSmallEnough();
  }

  #isSmallEnough(): boolean {
    if (this.#shrinks > MAX_SHRINKS || this.#spent > MAX_SHRINK_REQUESTS) {
      return true;
    }
    if (this.#smallest === undefined) {
      return false;
    }
    const { error } = this.#smallest;
    // Each smaller case would take as long, and show the same.
    const isLate = error instanceof NoResponse && error.kind === 'late';
    return isLate || !this.#trial.shrink;
  }

  /** @throws the failure of the case, from which fast-check goes on to smaller cases */
  async #tryCase(value: unknown): Promise<void> {
    if (this.#isOver()) {
      return;
    }
    if (this.#smallest !== undefined) {
      this.#shrinks++;
    }
    this.#context.cases++;
    const { retries } = this.#context.implementation.client;
    const beginnings = new Beginnings();
    while ((await this.#tryOnce(value, beginnings)) === 'begins again') {
      retries.cases++;
    }
  }

  async #tryOnce(value: unknown, beginnings: Beginnings): Promise<CaseEnd> {
    const { implementation, shared } = this.#context;
    const session = new CaseSession(implementation, shared, this.#trial.seed);
    const error = await this.#errorIn(value, session);
    const end = this.#endOf(error, session, beginnings);
    if (this.#smallest !== undefined) {
      this.#spent += session.exchanges.length;
    }
    await session.cleanUp(end === 'failed');
    if (end !== 'held') {
      await shared.renew();
    }
    if (end === 'failed') {
      throw error;
    }
    return end;
  }

  /** The error that the check throws; undefined if it throws none. */
  async #errorIn(value: unknown, session: CaseSession): Promise<unknown> {
    try {
      await this.#property.check(value, session);
      return undefined;
    } catch (error) {
      return error ?? new Error('a check threw nothing');
    }
  }

  /** Notes the meaning of the error for the property. */
  #endOf(error: unknown, session: CaseSession, beginnings: Beginnings): CaseEnd {
    const { exchanges } = session;
    if (error === undefined) {
      return 'held';
    }
    if (error instanceof ResponseLost && beginnings.mayBeginAgain(exchanges.length)) {
      return 'begins again';
    }
    if (error instanceof Nonconformity || error instanceof NoResponse) {
      // A smaller case that fails in another way shows something else: for fast-check, it does not
      // fail.
      if (this.#smallest && kindOf(error) !== kindOf(this.#smallest.error)) {
        return 'held';
      }
      this.#smallest = { error, exchanges, removals: session.removals };
      return 'failed';
    }
    this.#ended = endedBy(error, exchanges.at(-1));
    return 'held';
  }
}

/** @param after the last request, with its response */
function endedBy(error: unknown, after: RecordedExchange | undefined): Ended {
  if (error instanceof BrokenOff) {
    return { kind: 'broken off', reason: error.message };
  }
  if (error instanceof Blocked) {
    return { kind: 'blocked', by: error.by, reason: error.message };
  }
  if (error instanceof NotPossible || error instanceof Unsupported) {
    return { kind: 'not possible', reason: error.message };
  }
  return { kind: 'suite failed', error, after };
}

/**
 * The way in which a case fails: the status that came in place of another one, no response, or
 * anything else.
 */
function kindOf(error: Nonconformity | NoResponse): string {
  if (error instanceof NoResponse) {
    return error.kind;
  }
  if (error.details.kind === 'status') {
    return error.details.got.slice(0, 3);
  }
  return '';
}

/**
 * The most times that a case begins, if requests were lost that must not be sent again: in all, and
 * for losses at one step.
 */
const MAX_BEGINNINGS = 10;
const MAX_AT_ONE_STEP = 3;

/** The beginnings of one case. */
class Beginnings {
  /** The step at which a response was lost, each time. */
  readonly #lostAt: number[] = [];

  /** @param step at which a response was lost just now */
  mayBeginAgain(step: number): boolean {
    this.#lostAt.push(step);
    const atThisStep = this.#lostAt.filter((one) => one === step).length;
    return this.#lostAt.length < MAX_BEGINNINGS && atThisStep < MAX_AT_ONE_STEP;
  }
}
