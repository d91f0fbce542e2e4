/**
 * Every error leaves as a problem (D29): the validator's, the body parser's, the router's, the domain's and those that
 * nobody expected. What the client sees and what the log sees are kept apart: a client gets the code and words of
 * an ApiError, never the message of an unexpected error.
 */
import type { ErrorRequestHandler, Request, Response } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import type { FieldError, Problem, ProblemCode } from '../../domain/types.ts';
import { DamagedRecord, StoreUnavailable } from '../../store/store.ts';
import type { SchemaValidator } from '../validation/openapi-validator.ts';
import { contextOf, logOf } from '../request/context.ts';

/** An error that needs a header beside the problem, such as `Allow` with 405. */
export class HttpError extends ApiError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>>, errors: FieldError[] = []) {
    super(code, detail, errors);
    this.headers = headers;
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

/** Stated by the contract (`FieldError`, `Problem`): longer lists and texts are cut. */
const MAX_ERRORS = 100;
const MAX_POINTER = 4096;
const MAX_INSTANCE = 2048;

/**
 * The last middleware.
 * @param schemas where responses are validated: a problem that breaks the contract is logged, and sent as an error of the service
 */
export function sendProblem(schemas: SchemaValidator | undefined): ErrorRequestHandler {
  return async (error: unknown, req, res, _next) => {
    const apiError = toApiError(error);
    // One with such a status is a fault that was asked for, and logged as one, or a limit.
    if (KINDS[apiError.code].status >= 500 && !(error instanceof ApiError))
      logOf(res).error({ err: error }, messageFor(error));
    const broken = schemas && (await contractBreachOf(schemas, problemFor(apiError, req, res), res));
    if (broken !== undefined) logOf(res).error({ err: broken }, 'the error response breaks the contract');
    send(broken === undefined ? apiError : toApiError(broken), req, res);
  };
}

function send(apiError: ApiError, req: Request, res: Response): void {
  if (res.headersSent) {
    // Half a response is out already: a cut connection is the only honest end.
    res.destroy();
    return;
  }
  // Set for a response that was then found to break the contract.
  res.removeHeader('Location');
  if (apiError instanceof HttpError) res.set(apiError.headers);
  const problem = problemFor(apiError, req, res);
  res.status(problem.status).type(PROBLEM_TYPE).json(problem);
}

const PROBLEM_TYPE = 'application/problem+json';

async function contractBreachOf(schemas: SchemaValidator, problem: Problem, res: Response): Promise<unknown> {
  const { operation } = contextOf(res);
  if (operation === undefined || problem.status >= 500) return undefined;
  try {
    await schemas.response(operation, { status: problem.status, type: PROBLEM_TYPE, body: problem });
    return undefined;
  } catch (error) {
    return error;
  }
}

function problemFor(apiError: ApiError, req: Request, res: Response): Problem {
  return problemOf(apiError, KINDS[apiError.code], contextOf(res).requestId, instanceOf(req));
}

/** The same where there is no request yet, as its head cannot be read. HTTP may have a status that says more. */
export function headProblem(apiError: ApiError, requestId: string, status: number): Problem {
  return problemOf(apiError, { ...KINDS[apiError.code], status }, requestId, undefined);
}

/** What the log says of a fault of the service; `err` beside it has the place. */
function messageFor(error: unknown): string {
  if (error instanceof DamagedRecord) return 'request failed: the record is damaged and was left as it is';
  if (error instanceof StoreUnavailable) return 'request failed: the storage does not answer';
  return 'request failed';
}

function problemOf(
  apiError: ApiError,
  kind: { status: number; title: string },
  requestId: string,
  instance: string | undefined,
): Problem {
  return {
    type: `urn:problem-type:edge-api:${apiError.code.replaceAll('_', '-')}`,
    title: kind.title,
    status: kind.status,
    detail: apiError.detail,
    ...(instance === undefined ? {} : { instance }),
    code: apiError.code,
    ...(apiError.errors.length === 0 ? {} : { errors: apiError.errors.slice(0, MAX_ERRORS).map(cut) }),
    request_id: requestId,
    // For clients that were written for an older form of errors (D29).
    error_code: apiError.code,
    status_code: kind.status,
    msg: apiError.detail,
    details: { operation_id: requestId },
  };
}

function cut(error: FieldError): FieldError {
  if (error.pointer !== undefined) return { ...error, pointer: error.pointer.slice(0, MAX_POINTER) };
  if (error.parameter !== undefined) return { ...error, parameter: error.parameter.slice(0, MAX_POINTER) };
  return error;
}

/** A path that is a URI reference by itself: RFC 3986 characters, whole escapes, and no `//` that would name a host. */
const URI_PATH =
  /^\/(?:(?:[!$&'()*+,;=:@~._0-9A-Za-z-]|%[0-9A-Fa-f]{2})(?:[!$&'()*+,;=:@/~._0-9A-Za-z-]|%[0-9A-Fa-f]{2})*)?$/;

/** The path without its query, which may hold more than is good to repeat; omitted where it is no URI reference. */
function instanceOf(req: Request): string | undefined {
  const path = req.originalUrl.split('?', 1)[0] ?? '';
  return path.length <= MAX_INSTANCE && URI_PATH.test(path) ? path : undefined;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable) {
    return new HttpError('service_unavailable', 'The storage does not respond. Try again later.', {
      'Retry-After': '1',
    });
  }
  if (error instanceof DamagedRecord) {
    return new ApiError(
      'internal_error',
      'The stored data of this resource is damaged. Give the request id when you report this.',
    );
  }
  // The path could not be decoded; the router says so in this way.
  if (error instanceof URIError) return new ApiError('malformed_request', 'The path is not valid percent-encoding.');
  return new ApiError(
    'internal_error',
    'The request could not be completed. Quote the request id when you report this.',
  );
}
