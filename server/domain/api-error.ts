/**
 * Why a request is refused: an error with a code of the contract, which `http/problem.ts` turns
 * into a response.
 */
import type { FieldError, ProblemCode } from './types.ts';

/** The refusal of a request, before any change. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;
  /** For people, without secrets and parts of a body. */
  readonly detail: string;
  readonly errors: readonly FieldError[];

  constructor(code: ProblemCode, detail: string, errors: readonly FieldError[] = []) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.errors = errors;
  }
}

/** 400 with every error that was found; `errors` is not empty. */
export function invalidRequest(errors: readonly FieldError[]): ApiError {
  const places = errors.length === 1 ? 'one place' : `${errors.length} places`;
  return new ApiError('invalid_request', `The request breaks the contract in ${places}.`, errors);
}
