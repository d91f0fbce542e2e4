/**
 * What one run of the suite found: the data behind every report. `report.json` is this, and
 * `report/report.schema.json` states it for other tools.
 */
import type { Level } from '../contract/operations.ts';
import type { Exchange } from '../http/exchange.ts';

export type { Level } from '../contract/operations.ts';
export type { Exchange } from '../http/exchange.ts';

/** `error`: the suite or the target is at fault, so nothing can be said about the implementation. */
export type Status = 'pass' | 'fail' | 'skip' | 'disabled' | 'error';

/** `inconclusive`: the suite could not judge (unreachable, refused, or nothing was verified). */
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
  /** What the suite created and could not remove, since the API has no operation for it at this level: how many of each kind. */
  left_behind: Record<string, number>;
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
  /** The promise in one sentence. */
  sentence: string;
  status: Status;
  /** Why it was skipped, disabled or in error; for a known failure, its reason. */
  reason?: string;
  /** How many generated cases were tried. */
  cases: number;
  duration_ms: number;
  failure?: Failure;
}

/** A place in openapi.yaml: JSON Pointer (RFC 6901) and line, from 1. */
export interface ClauseLocation {
  pointer: string;
  line: number;
}

export interface Failure {
  /** One sentence: what is wrong. */
  message: string;
  expected: string;
  got: string;
  /** The minimal sequence that shows it; the last one is the response that broke the promise. Secrets are redacted. */
  exchanges: Exchange[];
  /** A shell script that creates what it needs and shows the fault; reads its token from the environment. */
  curl: string;
  /** The command that runs this case again. */
  replay: string;
}
