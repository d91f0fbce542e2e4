/** Every error leaves as a problem document (D29). Messages of unexpected errors are in the log only. */
import type { ErrorRequestHandler, Request } from 'express';
import { ApiError } from '../domain/api-error.ts';
import type { FieldError, Problem, ProblemCode } from '../domain/types.ts';
import { DamagedRecord, StoreUnavailable } from '../store/store.ts';
import { contextOf, logOf } from './request/context.ts';

/** An error with headers beside the problem, such as `Allow` with 405, or a status that says more than its code. */
export class HttpError extends ApiError {
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    headers: Readonly<Record<string, string>>,
    { errors, status }: { errors?: FieldError[]; status?: number } = {},
  ) {
    super(code, detail, errors);
    this.headers = headers;
    this.status = status;
  }
}

const KINDS: Record<ProblemCode, { status: number; title: string }> = {
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
const MAX_POINTER = 4096;
const MAX_INSTANCE = 2048;

/** The last middleware. */
export const sendProblem: ErrorRequestHandler = (error: unknown, req, res, _next) => {
  const apiError = toApiError(error);
  // An ApiError with such a status is an injected error or a limit.
  if (apiError !== error && KINDS[apiError.code].status >= 500) {
    logOf(res).error({ err: error }, messageFor(error));
  }
  if (res.headersSent) {
    // A part of the response is out already: only a closed connection shows that it is not complete.
    res.destroy();
    return;
  }
  const { headers = {}, status } = apiError instanceof HttpError ? apiError : {};
  const problem = problemOf(apiError, contextOf(res).requestId, {
    instance: instanceOf(req),
    status,
  });
  res.set(headers).status(problem.status).type(PROBLEM_TYPE).json(problem);
};

/** @param other `status` where HTTP has one that says more than that of the code */
export function problemOf(
  { code, detail, errors }: ApiError,
  requestId: string,
  {
    instance,
    status = KINDS[code].status,
  }: { instance?: string | undefined; status?: number | undefined },
): Problem {
  return {
    type: `urn:problem-type:edge-api:${code.replaceAll('_', '-')}`,
    title: KINDS[code].title,
    status,
    detail,
    ...(instance === undefined ? {} : { instance }),
    code,
    ...(errors.length === 0 ? {} : { errors: errors.slice(0, MAX_ERRORS).map(cut) }),
    request_id: requestId,
    // For clients that were written for an older form of errors (D29).
    error_code: code,
    status_code: status,
    msg: detail,
    details: { operation_id: requestId },
  };
}

/** A place whose pointer would be too long is reported at the object around it. */
function cut(error: FieldError): FieldError {
  let { pointer } = error;
  if (pointer === undefined) {
    return { ...error, parameter: error.parameter?.slice(0, MAX_POINTER) ?? '' };
  }
  while (pointer.length > MAX_POINTER) {
    pointer = pointer.slice(0, pointer.lastIndexOf('/'));
  }
  return { ...error, pointer };
}

/** A path that is a URI reference by itself: RFC 3986 characters, whole escapes, and no `//` that would name a host. */
const URI_PATH =
  /^\/(?:(?:[!$&'()*+,;=:@~._0-9A-Za-z-]|%[0-9A-Fa-f]{2})(?:[!$&'()*+,;=:@/~._0-9A-Za-z-]|%[0-9A-Fa-f]{2})*)?$/;

/** The path without its query, which may hold secrets; undefined where it is not a URI reference. */
function instanceOf(req: Request): string | undefined {
  const path = req.originalUrl.split('?', 1)[0] ?? '';
  if (path.length <= MAX_INSTANCE && URI_PATH.test(path)) {
    return path;
  }
  return undefined;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  const soon = { 'Retry-After': '1' };
  if (error instanceof StoreUnavailable) {
    return new HttpError(
      'service_unavailable',
      'The storage does not respond. Try again later.',
      soon,
    );
  }
  // Express cannot decode the path.
  if (error instanceof URIError) {
    return new ApiError('malformed_request', 'The path is not valid percent-encoding.');
  }
  const what =
    error instanceof DamagedRecord
      ? 'The stored data of this resource is damaged. Give'
      : 'The request could not be completed. Quote';
  return new ApiError('internal_error', `${what} the request id when you report this.`);
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
