/**
 * The errors of a call that does not succeed. A failed connection stays what `fetch` throws: a
 * TypeError.
 */
import type { FieldError, Problem, ProblemCode } from '../../generated/openapi.ts';

/**
 * The service responded with a problem document (RFC 9457). After 500 and 503 a change may have
 * been made all the same: the section "Retries" of the contract says what to read. Every other
 * status has changed nothing.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  /**
   * The kind of problem: program against this, never against `message`. A later minor version may
   * add codes.
   */
  readonly code: ProblemCode;
  /** Every error of an `invalid_request`, each with its place; empty for every other code. */
  readonly errors: readonly FieldError[];
  /** Names the request in the log of the service, if it keeps one. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next request, from `Retry-After`; undefined without one. */
  readonly retryAfter: number | undefined;
  /** The whole problem document, as it came. */
  readonly problem: Problem;
  /** The response with its header fields; its body has been read. */
  readonly response: Response;

  constructor(problem: Problem, response: Response) {
    super(`${response.status} ${problem.code}: ${problem.detail}`);
    this.status = response.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
    this.retryAfter = retryAfter(response);
    this.problem = problem;
    this.response = response;
  }
}

/** The response is not one of the contract: most often it comes from a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  /** The HTTP status, 200 to 599. */
  readonly status: number;
  /** Seconds to wait before the next request, from `Retry-After`; undefined without one. */
  readonly retryAfter: number | undefined;
  /**
   * The response with its header fields; undefined where a list of pages is at fault and not one
   * response.
   */
  readonly response: Response | undefined;

  constructor(message: string, response?: Response) {
    super(message);
    this.status = response?.status ?? 200;
    this.retryAfter = response && retryAfter(response);
    this.response = response;
  }
}

/**
 * `Retry-After` in seconds: a number, or an HTTP date, of which one in the past is 0 (RFC 9110
 * section 10.2.3).
 */
export function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) {
    return Number(text);
  }
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) {
    return undefined;
  }
  return Math.max(0, (date - Date.now()) / 1000);
}

const PROBLEM_TYPE = /^application\/problem\+json\b/i;

/** The error for a response that is not a success. */
export async function refusal(response: Response): Promise<ProblemError | UnexpectedResponseError> {
  const type = response.headers.get('content-type') ?? 'no Content-Type';
  const message = `HTTP ${response.status} without problem details (${type}) from ${response.url}`;
  const unexpected = new UnexpectedResponseError(message, response);
  if (!PROBLEM_TYPE.test(type)) {
    return unexpected;
  }
  const problem: unknown = await response.json().catch(() => undefined);
  if (isProblem(problem)) {
    return new ProblemError(problem, response);
  }
  return unexpected;
}

/** Checks the members that `ProblemError` promises; the others are for people. */
function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { code, detail, errors } = value as Partial<Record<keyof Problem, unknown>>;
  return (
    typeof code === 'string' &&
    typeof detail === 'string' &&
    (errors === undefined || Array.isArray(errors))
  );
}
