/**
 * The findings of one run of the suite: the data behind every report. `report.json` is this, and
 * `report/report.schema.yaml` states it for other tools.
 */
import type { Level } from '../contract/operations.ts';
import type { Exchange } from '../http/session.ts';

export type { Level } from '../contract/operations.ts';
export type { Exchange } from '../http/session.ts';

/**
 * `flaky`: it failed, and the same case with other test data passed. `error`: it could not be checked, because of the
 * suite or of what stands between it and the implementation.
 */
export type Status = 'pass' | 'fail' | 'flaky' | 'skip' | 'disabled' | 'error';

/** `inconclusive`: the suite could not check the implementation (unreachable, refused, or nothing was verified). */
export type Verdict = 'conformant' | 'nonconformant' | 'inconclusive';

export interface Report {
  verdict: Verdict;
  /** One line that says why, and what to do; always there unless the verdict is `conformant`. */
  reason?: string;
  target: { url: string; level: Level; origin: 'source' | 'all'; authenticated: boolean };
  seed: number;
  /** Cases per property. */
  runs: number;
  contract: { title: string; version: string; sha256: string };
  suite: { name: string; version: string };
  /** RFC 3339. */
  started_at: string;
  duration_ms: number;
  requests: number;
  /** Requests that were sent again, by the reason, and cases that were tried again from their start. */
  retries: { rate_limited: number; unavailable: number; connection_lost: number; cases: number };
  /** One line each: what the verdict does not say and somebody should look at. */
  warnings: string[];
  /** Created and not removable, since the service has no operation for it: how many of each kind. */
  left_behind: Record<string, number>;
  /** Perhaps created as well, since the request got no response: how many of each kind. */
  may_have_been_made: Record<string, number>;
  summary: Record<Status, number>;
  requirements: RequirementResult[];
}

export interface RequirementResult {
  /** Frozen: never renamed, never used for something else. */
  id: string;
  level: Level;
  /** `source §2.5`, or a decision such as `D06`. */
  origin: string;
  clause: ClauseLocation;
  /** The rule in one sentence. */
  sentence: string;
  status: Status;
  /** Why it was skipped, disabled, flaky or in error. */
  reason?: string;
  /** The entry of --known-failures, where the requirement fails or is flaky. */
  known_failure?: { reason: string; expires: string; expired: boolean };
  /** How many generated cases were tried. */
  cases: number;
  duration_ms: number;
  failure?: Failure;
}

/** A place in the contract: the name of its file, JSON Pointer (RFC 6901) and line, from 1. */
export interface ClauseLocation {
  file: string;
  pointer: string;
  line: number;
}

export interface Failure {
  /** One sentence: what is wrong. */
  message: string;
  /** The cause in a few words: failures of one cause have the same text here. */
  cause: string;
  expected: string;
  got: string;
  /** The minimal sequence that shows it; the last one is the response that breaks the rule. Secrets are redacted. */
  exchanges: Exchange[];
  /** A shell script that creates what it needs and shows the error; reads its token from the environment. */
  curl: string;
  /** The command that runs this case again. */
  replay: string;
}
