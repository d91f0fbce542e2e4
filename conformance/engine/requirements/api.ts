/**
 * The additions of an API to what follows from its contract, all optional. Those to its calls are
 * `HttpApi`.
 */
import type * as fc from 'fast-check';
import type { Clause } from '../contract/clauses.ts';
import type { Contract } from '../contract/load.ts';
import type { Level, Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Requirement } from './requirement.ts';

export interface Api {
  /** Requirements beyond the rules of its schemas. */
  laws?(contract: Contract, level: Level): Requirement[];
  /**
   * The ids of requirements that follow from the contract, and that `laws` states in their place.
   */
  replaces?: readonly string[];
  /**
   * Bodies that the operation must accept; undefined if its laws send them. Default: all bodies
   * that its schema allows.
   */
  bodies?(operation: Operation, implementation: Implementation): fc.Arbitrary<unknown> | undefined;
  /** Whether an implementation knows the resources that a body names; undefined if it knows any. */
  knows?(implementation: Implementation): ((body: unknown) => boolean) | undefined;
  /**
   * Compares the response to an accepted body with what was sent.
   * @throws Nonconformity if it does not show it
   */
  expectEcho?(
    contract: Contract,
    operation: Operation,
    sent: unknown,
    response: HttpResponse,
  ): void;
  /** The rule of the contract that a header field which it does not name changes nothing. */
  ignoresFields?: StatedRule;
  /**
   * Whether the contract says how numbers and booleans are written in a text; if not, `01` and
   * `1e1` may be numbers.
   */
  exactTexts?: boolean;
  /**
   * Whether a value on a limit of this parameter may be refused all the same, such as a cursor that
   * nobody issued.
   */
  mayRefuse?(parameter: string): boolean;
  /**
   * The weight of the requirement for a clause of a body, 0 to 1: its part of the cases that each
   * requirement gets.
   */
  weight?(operation: Operation, clause: Clause): number;
  /**
   * A value for a path parameter, to see whether the implementation can be reached: it need not
   * exist.
   */
  probe?(parameter: string, implementation: Implementation): string | undefined;
  /** Advice about a service that finds nothing, as a half sentence. */
  adviceWhenNothingIsFound?: string;
  /**
   * Looks at the existing resources before anything is made.
   * @returns why the implementation cannot be tried; undefined if it can
   */
  lookAhead?(implementation: Implementation): Promise<string | undefined>;
  /**
   * Looks after the run for resources that requests without a response have made. @returns notes
   * for the user
   */
  lookBack?(implementation: Implementation): Promise<string[]>;
}

export interface StatedRule {
  /** See `Requirement`. */
  origin: string;
  /** JSON Pointer into the contract. */
  pointer: string;
  /**
   * The beginning of the sentence of `info.description` that states the rule, if `pointer` is that
   * text.
   */
  words?: string;
}
