/** What an API adds to the sending of requests. `engine/requirements/api.ts` has the rest of what an API adds. */
import type { Operation, Response } from '../contract/operations.ts';
import type { Implementation } from './implementation.ts';
import type { HttpResponse } from './response.ts';
import type { CallInput, Sending, Session } from './session.ts';

/** What is known about a request that was refused. */
export interface Refused {
  operation?: Operation;
  /** What the contract documents for the status; undefined where the operation does not document it. */
  documented?: Response | undefined;
  /** What was sent: the errors that it has are the ones that may be reported. */
  input?: CallInput;
  /** The kinds of error that fit, in the words of the API; by default those of the status. */
  codes?: readonly string[];
}

export interface HttpApi {
  /** Follows what a case makes, to remove it. */
  track(session: Session): Tracker;
  /** Looks at a response before anything is said of it. @throws NotPossible where it says nothing */
  look?(implementation: Implementation, operation: Operation, response: HttpResponse): void;
  /**
   * The form of errors, beyond what the contract documents for their status, such as problem details; by default there
   * is none.
   * @throws Nonconformity
   */
  expectError?(implementation: Implementation, response: HttpResponse, refused: Refused): void;
  /**
   * A shell variable for a path segment that the run made up: a script of a failure makes up another one. Undefined for
   * segments that must stay as they are.
   */
  variableFor?(segment: string, implementation: Implementation): string | undefined;
}

/** What one case has made. */
export interface Tracker {
  /** @param response undefined: none came, and the service may have done it all the same */
  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void;
  /** The requests that remove what was made, for a script of the case. */
  removals(): Sending[];
  /** Removes what was made, as far as the API can; what stays is counted. Errors do not count: the case is over. */
  cleanUp(failed: boolean): Promise<void>;
}
