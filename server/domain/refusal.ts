import type { FieldError, ProblemCode } from './types.ts';

/**
 * A request that is refused, for a reason that the client is told. Throwing one before a change is returned leaves
 * everything as it was.
 *
 * `code` is part of the contract (`ProblemCode`); `detail` is for people and must hold no secret and nothing of a body.
 */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];

  constructor(code: ProblemCode, detail: string, errors: readonly FieldError[] = []) {
    // An answer and no fault: nobody reads its stack, and to note one takes a seventh of what a refused request does.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${code}: ${detail}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
    this.errors = errors;
  }
}

/** 400 with every fault that was found; `errors` is not empty. */
export function invalidRequest(errors: readonly FieldError[]): Refusal {
  const places = errors.length === 1 ? 'one place' : `${errors.length} places`;
  return new Refusal('invalid_request', `The request breaks the contract in ${places}.`, errors);
}
