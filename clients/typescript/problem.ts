/** The errors of a call that does not succeed. A failed connection stays what `fetch` throws: a TypeError. */
import type { components } from '../../generated/openapi.ts';

export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
/** One error in a request: `pointer` names the place in the body, or `parameter` the one in path or query. */
export type FieldError = components['schemas']['FieldError'];

/** The service refused the request (RFC 9457). It has changed nothing. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  /** The kind of problem: program against this, never against `message`. A later minor version may add codes. */
  readonly code: ProblemCode;
  /** Every error of an `invalid_request`, each with its place; empty for every other code. */
  readonly errors: readonly FieldError[];
  /** Names the request in the log of the service, if it keeps one. */
  readonly requestId: string | undefined;
  /** The whole problem document, as it came. */
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(`${status} ${problem.code}: ${problem.detail}`);
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
    this.problem = problem;
  }
}

/** The response is not one of the contract: most often it comes from a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  /** The HTTP status, 100 to 599. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The error for a response that is not a success. */
export async function refusal(response: Response): Promise<ProblemError | UnexpectedResponseError> {
  const type = response.headers.get('content-type') ?? 'no Content-Type';
  const unexpected = new UnexpectedResponseError(
    response.status,
    `HTTP ${response.status} without problem details (${type}) from ${response.url}`,
  );
  if (!/^application\/problem\+json\b/i.test(type)) return unexpected;
  const problem: unknown = await response.json().catch(() => undefined);
  return isProblem(problem) ? new ProblemError(response.status, problem) : unexpected;
}

/** As much as the class above promises; the rest is for people. */
function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, detail, errors } = value as Partial<Record<keyof Problem, unknown>>;
  return typeof code === 'string' && typeof detail === 'string' && (errors === undefined || Array.isArray(errors));
}
