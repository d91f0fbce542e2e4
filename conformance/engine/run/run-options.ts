/** The options of a run, and its progress. */
import type { Accepted } from '../findings/accepted.ts';
import type { Kind } from '../findings/kinds.ts';
import type { Suspected } from '../http/suspects.ts';
import type { Api } from '../requirements/api.ts';
import type { Attempt, AttemptOptions } from './attempt.ts';
import type { KnownFailure } from './known-failures.ts';
import type { RequirementResult, SurveyedOperation } from './result.ts';

export interface RunOptions extends Omit<AttemptOptions, 'shrink' | 'part' | 'replay'> {
  /** Additions of the API to what follows from its contract. */
  api: Api;
  /** Requirements under way at once, in each worker. */
  concurrency: number;
  bail: boolean;
  /** Whether nothing is checked after the survey. */
  survey: boolean;
  only: string[];
  /** The beginnings of the ids that are tried at all; empty for all ids. */
  within: readonly string[];
  /** Globs of the ids of operations that may do harm, and are tried all the same. */
  allow: string[];
  skip: { pattern: string; reason: string }[];
  replay: string | undefined;
  knownFailures: KnownFailure[];
  /** Causes that the user accepts for a time. */
  accept: readonly Accepted[];
  /** The kinds of findings that count; empty for all. */
  kinds: readonly Kind[];
  /**
   * The share of chosen operations that must succeed at least once for the verdict `conformant`, 0
   * to 1.
   */
  minTried: number;
  /** After so many seconds the run ends as `signal` ends it; undefined: it does not. */
  maxSeconds: number | undefined;
  /**
   * Brings a service back that has stopped, or waits until somebody has; undefined if nobody will.
   * It resolves to why it is not back, as a sentence, or to undefined.
   */
  bringBack: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /**
   * Ends the run early: what is under way is cleaned up, and the rest is not tried. Its reason says
   * why.
   */
  signal: AbortSignal;
  suite: { name: string; version: string };
  startedAt: number;
  /** Starts the workers beside the one of this thread. */
  others: () => Worker[];
}

export interface Progress {
  /** Before the first request: the number of requirements to try. */
  started(count: number): void;
  /** The service was asked how each operation is reached. */
  surveyed(survey: readonly SurveyedOperation[]): void;
  /** A requirement is under way, or goes on with the rest of its cases. */
  trying(id: string): void;
  finished(result: RequirementResult, done: number): void;
}

/** `seed`: default: that of the run. */
type OfAttempt = Pick<AttemptOptions, 'part' | 'shrink' | 'replay'> &
  Partial<Pick<AttemptOptions, 'seed'>>;

/**
 * It may be in another thread: what goes in and out is data. Each call fails if the thread is gone.
 */
export interface Worker {
  attempt(id: string, options: OfAttempt): Promise<Attempt>;
  /** Nothing more is sent, except to clean up. */
  halt(reason: string): void;
  /** What may be why the service has stopped. */
  suspects(): Promise<Suspected>;
  /** The service has stopped: what is under way ends. */
  leave(): void;
  /** The service is back. @param barred operations that are called no more */
  comeBack(barred: readonly string[]): void;
  /** After the last attempt. @returns notes for the user */
  end(): Promise<string[]>;
}
