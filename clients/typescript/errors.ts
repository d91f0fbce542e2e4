/** The errors of a call that does not succeed. */
import type { FieldError, operations, Problem, ProblemCode } from '../../generated/openapi.ts';

/**
 * The service responded with a problem document (RFC 9457). After 500 and 503 a change may have
 * been made all the same: the section "Retries" of the contract says what to read. Every other
 * status has changed nothing.
 */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
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
    super(messageOf(problem, response));
    this.status = response.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
    this.retryAfter = retryAfter(response);
    this.problem = problem;
    this.response = response;
  }
}

const SHOWN_ERRORS = 5;

/** Programs log the message alone: it has the address, and the place of each error. */
function messageOf({ code, detail, errors = [] }: Problem, { status, url }: Response): string {
  const source = url === '' ? '' : ` from ${url}`;
  const parts = errors.slice(0, SHOWN_ERRORS).map(describe);
  const hidden = errors.length - parts.length;
  if (hidden > 0) {
    parts.push(`${hidden} more`);
  }
  const list = parts.length === 0 ? '' : ` (${parts.join('; ')})`;
  return `${status} ${code}${source}: ${detail}${list}`;
}

function describe({ pointer, parameter, detail }: FieldError): string {
  const place = pointer ?? parameter;
  // The pointer "" is the body itself.
  if (place === undefined || place === '') {
    return detail;
  }
  return `${place} ${detail}`;
}

/** `invalid_request`: the request breaks the contract; `errors` says where. */
export class InvalidRequestError extends ProblemError {
  override readonly name = 'InvalidRequestError';
}

/** `unauthorized`: the token is missing or invalid. */
export class UnauthorizedError extends ProblemError {
  override readonly name = 'UnauthorizedError';
}

/** `forbidden`: the token is read-only. */
export class ForbiddenError extends ProblemError {
  override readonly name = 'ForbiddenError';
}

/** `not_found`: there is no such resource. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError';
}

/** `already_exists`: the resource exists; read it. */
export class AlreadyExistsError extends ProblemError {
  override readonly name = 'AlreadyExistsError';
}

/** `conflict`: the change contradicts other settings of the edge or route. */
export class ConflictError extends ProblemError {
  override readonly name = 'ConflictError';
}

/** `too_many_requests`: nothing was changed; come back after `retryAfter` seconds. */
export class RateLimitError extends ProblemError {
  override readonly name = 'RateLimitError';
}

/** `internal_error`: the service failed; give `requestId` when you report it. */
export class InternalServerError extends ProblemError {
  override readonly name = 'InternalServerError';
}

/** `service_unavailable`: come back after `retryAfter` seconds, if it has a value. */
export class ServiceUnavailableError extends ProblemError {
  override readonly name = 'ServiceUnavailableError';
}

/** Every other code is a plain `ProblemError`. */
const KINDS = new Map<ProblemCode, typeof ProblemError>([
  ['invalid_request', InvalidRequestError],
  ['unauthorized', UnauthorizedError],
  ['forbidden', ForbiddenError],
  ['not_found', NotFoundError],
  ['already_exists', AlreadyExistsError],
  ['conflict', ConflictError],
  ['too_many_requests', RateLimitError],
  ['internal_error', InternalServerError],
  ['service_unavailable', ServiceUnavailableError],
]);

/** The response is not one of the contract: most often it comes from a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  /** The HTTP status, 200 to 599. */
  readonly status: number;
  /** Seconds to wait before the next request, from `Retry-After`; undefined without one. */
  readonly retryAfter: number | undefined;
  /**
   * The response with its header fields; undefined if the error is in a list of pages and not in
   * one response.
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
 * There is no response: the connection failed or ended early, or nothing listens at `baseUrl`.
 * `cause` is what `fetch` throws. The change may have been made all the same.
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  /** The `operationId` of the call. */
  readonly operation: keyof operations;
  readonly url: string;

  constructor(
    operation: keyof operations,
    { method, url }: Request,
    cause: unknown,
    reason = reasonOf(cause),
  ) {
    super(`${operation}: no response to ${method} ${url}: ${reason}`, { cause });
    this.operation = operation;
    this.url = url;
  }
}

/** There was no response within the `timeout`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The messages of an error and of its causes; that of `fetch` says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error.cause === undefined) {
    return error.message;
  }
  return `${error.message}: ${reasonOf(error.cause)}`;
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
const JSON_TYPE = /^application\/json\b/i;

/** @throws {ProblemError | UnexpectedResponseError} unless the response is a success */
export async function requireSuccess(response: Response): Promise<void> {
  if (!response.ok) {
    throw await refusal(response);
  }
  const isJson = JSON_TYPE.test(response.headers.get('content-type') ?? '');
  if (response.status !== 204 && !isJson) {
    const message = `HTTP ${response.status} without JSON from ${response.url}`;
    throw new UnexpectedResponseError(message, response);
  }
}

async function refusal(response: Response): Promise<ProblemError | UnexpectedResponseError> {
  const type = response.headers.get('content-type') ?? 'no Content-Type';
  const message = `HTTP ${response.status} without problem details (${type}) from ${response.url}`;
  const unexpected = new UnexpectedResponseError(message, response);
  if (!PROBLEM_TYPE.test(type)) {
    return unexpected;
  }
  const problem: unknown = await response.json().catch(() => undefined);
  if (isProblem(problem)) {
    const Kind = KINDS.get(problem.code) ?? ProblemError;
    return new Kind(problem, response);
  }
  return unexpected;
}

/** Checks the members that `ProblemError` promises; the others are for people. */
function isProblem(value: unknown): value is Problem {
  if (!isObject(value)) {
    return false;
  }
  const { code, detail, errors } = value as Partial<Record<keyof Problem, unknown>>;
  return (
    typeof code === 'string' &&
    typeof detail === 'string' &&
    (errors === undefined || (Array.isArray(errors) && errors.every(isObject)))
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
