/**
 * Every error leaves as a problem document (D29). Messages of unexpected errors are in the log
 * only.
 */
import type { ErrorRequestHandler, Request } from 'express';
import { ApiError } from '../domain/api-error.ts';
import type { FieldError, Problem, ProblemCode } from '../domain/types.ts';
import { DamagedRecord, StoreUnavailable } from '../store/store.ts';
import { contextOf, logOf, pathWithoutQuery } from './request/context.ts';

type Headers = Readonly<Record<string, string>>;

interface HttpErrorOptions {
  errors?: FieldError[];
  /** If HTTP has one that says more than that of the code. */
  status?: number;
}

/**
 * An error with headers beside the problem, such as `Allow` with 405, or with a status that differs
 * from its code's.
 */
export class HttpError extends ApiError {
  readonly headers: Headers;
  readonly status: number | undefined;

  constructor(code: ProblemCode, detail: string, headers: Headers, options: HttpErrorOptions = {}) {
    super(code, detail, options.errors);
    this.headers = headers;
    this.status = options.status;
  }
}

interface ProblemKind {
  status: number;
  title: string;
}

const KINDS: Record<ProblemCode, ProblemKind> = {
  malformed_request: { status: 400, title: 'The request cannot be read' },
  invalid_request: { status: 400, title: 'The request breaks the contract' },
  unauthorized: { status: 401, title: 'A valid bearer token is needed' },
  forbidden: { status: 403, title: 'The token does not permit this' },
  not_found: { status: 404, title: 'There is no such resource' },
  method_not_allowed: { status: 405, title: 'The path does not support this method' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  already_exists: { status: 409, title: 'The resource exists already' },
  conflict: { status: 409, title: 'The change contradicts other settings' },
  content_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'The service failed' },
  service_unavailable: { status: 503, title: 'The service cannot respond now' },
};

export const PROBLEM_TYPE = 'application/problem+json';

/** Stated by the contract (`FieldError`, `Problem`): longer lists and texts are cut. */
const MAX_ERRORS = 100;
const MAX_PLACE = 4096;
const MAX_INSTANCE = 2048;

/** The last middleware. */
export const sendProblem: ErrorRequestHandler = (error: unknown, req, res, _next) => {
  const apiError = toApiError(error);
  const isUnexpected = apiError !== error;
  if (isUnexpected && KINDS[apiError.code].status >= 500) {
    logOf(res).error({ err: error }, messageFor(error));
  }
  if (res.headersSent) {
    // A part of the response is out already: only a closed connection shows that it is not
    // complete.
    res.destroy();
    return;
  }
  const problem = problemOf(apiError, contextOf(res).requestId, { instance: instanceOf(req) });
  if (apiError instanceof HttpError) {
    res.set(apiError.headers);
  }
  res.status(problem.status).type(PROBLEM_TYPE).json(problem);
};

interface ProblemDetails {
  instance?: string | undefined;
  /** If HTTP has one that says more than that of the error. */
  status?: number | undefined;
}

/** JSON omits what is undefined. */
interface ProblemDocument extends Omit<Problem, 'instance' | 'errors'> {
  instance: string | undefined;
  errors: FieldError[] | undefined;
}

export function problemOf(
  error: ApiError,
  requestId: string,
  { instance, status = statusOf(error) }: ProblemDetails,
): ProblemDocument {
  const { code, detail, errors } = error;
  return {
    type: `urn:problem-type:edge-api:${code.replaceAll('_', '-')}`,
    title: KINDS[code].title,
    status,
    detail,
    instance,
    code,
    errors: errors.length > 0 ? errors.slice(0, MAX_ERRORS).map(cut) : undefined,
    request_id: requestId,
    // For clients that were written for an older form of errors (D29).
    error_code: code,
    status_code: status,
    msg: detail,
    details: { operation_id: requestId },
  };
}

function statusOf(error: ApiError): number {
  const own = error instanceof HttpError ? error.status : undefined;
  return own ?? KINDS[error.code].status;
}

/** A place whose pointer would be too long is reported at the object around it. */
function cut(error: FieldError): FieldError {
  let { pointer } = error;
  if (pointer === undefined) {
    return { ...error, parameter: beginningOf(error.parameter ?? '') };
  }
  while (pointer.length > MAX_PLACE) {
    pointer = pointer.slice(0, pointer.lastIndexOf('/'));
  }
  return { ...error, pointer };
}

/** The name of a parameter as far as an error can hold it: no half of a character is left. */
function beginningOf(name: string): string {
  const beginning = name.slice(0, MAX_PLACE);
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
}

/** Characters of RFC 3986, and whole escapes. */
const URI_PATH = /^\/(?:[!$&'()*+,;=:@/~._0-9A-Za-z-]|%[0-9A-Fa-f]{2})*$/;

/**
 * Undefined if the path is not a URI reference by itself: one that begins with `//` would name a
 * host.
 */
function instanceOf(req: Request): string | undefined {
  const path = pathWithoutQuery(req.originalUrl);
  const isReference = URI_PATH.test(path) && !path.startsWith('//');
  return isReference && path.length <= MAX_INSTANCE ? path : undefined;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof StoreUnavailable) {
    const reason = error.reason === undefined ? '' : `: ${error.reason}`;
    const detail = `The storage does not respond${reason}. Try again later.`;
    return new HttpError('service_unavailable', detail, { 'Retry-After': '1' });
  }
  // Express cannot decode the path.
  if (error instanceof URIError) {
    return new ApiError('malformed_request', 'The path is not valid percent-encoding.');
  }
  const ofOthers = errorWithStatus(error);
  if (ofOthers !== undefined) {
    return ofOthers;
  }
  const advice =
    error instanceof DamagedRecord
      ? 'The stored data of this resource is damaged. Give'
      : 'The request could not be completed. Quote';
  return new ApiError('internal_error', `${advice} the request id when you report this.`);
}

/** As `http-errors` makes them, and with it the parsers of Express. */
interface ErrorWithStatus {
  status?: unknown;
  statusCode?: unknown;
  message?: unknown;
  /** The message is for clients. */
  expose?: unknown;
  headers?: unknown;
  /** The text that a parser could not read: its message quotes it. */
  body?: unknown;
}

/** The error of a middleware of others as Express would respond to it, in form of a problem. */
function errorWithStatus(error: unknown): HttpError | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const { status, statusCode, message, expose, body, headers }: ErrorWithStatus = error;
  const number = Number(status ?? statusCode);
  if (!Number.isInteger(number) || number < 400 || number > 599) {
    return undefined;
  }
  const code = codeOf(number);
  const isForClients = expose === true && body === undefined && message !== '';
  const detail = isForClients ? String(message) : `${KINDS[code].title}.`;
  return new HttpError(code, detail, headersIn(headers), { status: number });
}

/** The code that says most about a status: the first one in the table, or one of its class. */
function codeOf(status: number): ProblemCode {
  const codes = Object.keys(KINDS) as ProblemCode[];
  const found = codes.find((code) => KINDS[code].status === status);
  return found ?? (status < 500 ? 'invalid_request' : 'internal_error');
}

function headersIn(headers: unknown): Headers {
  if (typeof headers !== 'object' || headers === null) {
    return {};
  }
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as Headers;
}

function messageFor(error: unknown): string {
  if (error instanceof DamagedRecord) {
    return 'request failed: the record is damaged and was left as it is';
  }
  if (error instanceof StoreUnavailable) {
    return 'request failed: the storage does not answer';
  }
  return 'request failed';
}
