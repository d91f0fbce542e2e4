/** Errors with a code, which are sent as problem documents (RFC 9457). */
import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from './response.ts';

const STATUSES = {
  malformed_request: 400,
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  already_exists: 409,
  conflict: 409,
  content_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
};

type Code = keyof typeof STATUSES;

/**
 * An error of one value of a request: it has a pointer into the body, or the name of a parameter.
 */
interface FieldError {
  detail: string;
  code: string;
  pointer?: string;
  parameter?: string;
}

interface Extras {
  headers?: Record<string, string>;
  errors?: readonly FieldError[];
}

/** Every refusal of a request is one of these. */
export class ApiError extends Error {
  readonly code: Code;
  readonly extras: Extras;

  /** @param detail is sent to the client: it never quotes what the client sent */
  constructor(code: Code, detail: string, extras: Extras = {}) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }
}

/** `type` is `about:blank`, as RFC 9457 allows beside `code`. `title` is that of the status. */
export function problem({ code, message, extras }: ApiError): HttpResponse {
  const status = STATUSES[code];
  const document = {
    code,
    detail: message,
    status,
    title: STATUS_CODES[status],
    type: 'about:blank',
    retryable: false,
  };
  const { headers, errors } = extras;
  return {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json; charset=utf-8' },
    body: errors ? { errors, ...document } : document,
  };
}

/** The contract allows this many errors, and pointers and names of parameters of this length. */
const MAX_ERRORS = 100;
const MAX_PLACE_LENGTH = 4096;

/** The JSON Pointer (RFC 6901) to a member or item. */
export function step(place: string, token: string | number): string {
  const escaped = String(token).replaceAll('~', '~0').replaceAll('/', '~1');
  return `${place}/${escaped}`;
}

/** Collects all errors of one request, so that a client can fix all of them at once. */
export class Errors {
  readonly #found: FieldError[] = [];

  /**
   * Adds an error at a place of the body. If no pointer can spell the place, the nearest one around
   * it is named.
   */
  at(place: string, code: string, detail: string): void {
    let pointer = place;
    while (pointer.length > MAX_PLACE_LENGTH || !pointer.isWellFormed()) {
      pointer = pointer.slice(0, pointer.lastIndexOf('/', MAX_PLACE_LENGTH));
    }
    this.#found.push({ detail, code, pointer });
  }

  /** Adds an error of a parameter. */
  parameter(name: string, code: string, detail: string): void {
    const parameter = name.slice(0, MAX_PLACE_LENGTH).toWellFormed();
    this.#found.push({ detail, code, parameter });
  }

  throwIfAny(): void {
    const count = this.#found.length;
    if (count > 0) {
      const errors = this.#found.slice(0, MAX_ERRORS);
      throw new ApiError('invalid_request', `Errors found: ${count}.`, { errors });
    }
  }
}
