/**
 * The one way to refuse: throw a `Refusal`. `type` is `about:blank` for every problem, which RFC 9457 allows when
 * another member (here `code`) tells the kinds apart; the title then is the phrase of the status.
 */
import type { HttpResponse } from './response.ts';
import type { FieldError } from './faults.ts';

const PROBLEMS = {
  malformed_request: [400, 'Bad Request'],
  invalid_request: [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  not_acceptable: [406, 'Not Acceptable'],
  already_exists: [409, 'Conflict'],
  conflict: [409, 'Conflict'],
  content_too_large: [413, 'Content Too Large'],
  unsupported_media_type: [415, 'Unsupported Media Type'],
  internal_error: [500, 'Internal Server Error'],
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

export interface RefusalExtras {
  headers?: Record<string, string>;
  errors?: readonly FieldError[];
}

export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly extras: RefusalExtras;

  /** `detail` is sent to the client: it never quotes what the client sent. */
  constructor(code: ProblemCode, detail: string, extras: RefusalExtras = {}) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }
}

export function problem({ code, message, extras }: Refusal): HttpResponse {
  const [status, title] = PROBLEMS[code];
  return {
    status,
    headers: { ...extras.headers, 'content-type': 'application/problem+json; charset=utf-8' },
    body: {
      ...(extras.errors && { errors: extras.errors }),
      code,
      detail: message,
      status,
      title,
      type: 'about:blank',
      retryable: false,
    },
  };
}
