/**
 * The one way to refuse: throw a `Refusal`. `type` is `about:blank` for every problem, which RFC 9457 allows where
 * another member (here `code`) tells the kinds apart; the title then is the phrase of the status.
 */
import { STATUS_CODES } from 'node:http';

export interface HttpResponse {
  status: number;
  headers?: Record<string, string>;
  /** Omitted: a response without content. */
  body?: unknown;
  /** In place of `body`: content that is not JSON, with its type in `headers`. */
  text?: string;
}

/** The status of each code. */
const PROBLEMS = {
  ...{ malformed_request: 400, invalid_request: 400, unauthorized: 401, forbidden: 403, not_found: 404 },
  ...{ method_not_allowed: 405, not_acceptable: 406, already_exists: 409, conflict: 409, content_too_large: 413 },
  ...{ unsupported_media_type: 415, internal_error: 500 },
};

interface Extras {
  headers?: Record<string, string>;
  errors?: readonly FieldError[];
}

export class Refusal extends Error {
  readonly code: keyof typeof PROBLEMS;
  readonly extras: Extras;

  /** @param detail is sent to the client: it never quotes what the client sent */
  constructor(code: keyof typeof PROBLEMS, detail: string, extras: Extras = {}) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }
}

export function problem({ code, message, extras: { headers, errors } }: Refusal): HttpResponse {
  const status = PROBLEMS[code];
  const title = STATUS_CODES[status];
  return {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json; charset=utf-8' },
    body: { ...(errors && { errors }), code, detail: message, status, title, type: 'about:blank', retryable: false },
  };
}

type FieldError = ({ pointer: string } | { parameter: string }) & { code: string; detail: string };

/** A place in a body (RFC 6901). */
export interface Place {
  pointer: string;
  /** False below a name that no pointer can spell: then it is the nearest enclosing place. */
  exact: boolean;
}

export const BODY: Place = { pointer: '', exact: true };

/** The contract allows this many errors, and pointers and names of parameters of this length. */
const MOST_ERRORS = 100;
const LONGEST_PLACE = 4096;

/** The place of a member or item; the enclosing place where no pointer can name it. */
export function step(place: Place, token: string | number): Place {
  if (!place.exact) return place;
  const name = String(token);
  const pointer = `${place.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (!name.isWellFormed() || pointer.length > LONGEST_PLACE) return { ...place, exact: false };
  return { pointer, exact: true };
}

/** Collects every error of one request, so that a client can fix all of them at once. */
export class Errors {
  readonly #found: FieldError[] = [];

  at({ pointer }: Place, code: string, detail: string): undefined {
    this.#found.push({ detail, code, pointer });
  }

  parameter(name: string, code: string, detail: string): undefined {
    this.#found.push({ detail, code, parameter: name.slice(0, LONGEST_PLACE).toWellFormed() });
  }

  throwIfAny(): void {
    const errors = this.#found.slice(0, MOST_ERRORS);
    if (errors.length > 0) throw new Refusal('invalid_request', `Errors found: ${this.#found.length}.`, { errors });
  }
}
