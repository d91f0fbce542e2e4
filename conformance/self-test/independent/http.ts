/** Requests taken apart, and responses written: targets, media types, bodies, queries; and refusals as problems. */
import { STATUS_CODES } from 'node:http';
import { MIMEType } from 'node:util';
import type { ServiceRequest, ServiceResponse } from '../service.ts';

export const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON in ASCII alone, indented, with a line feed at its end: the same value as the compact form in UTF-8. */
const toJson = (value: unknown) =>
  `${JSON.stringify(value, null, 1).replaceAll(/[\u007f-\uffff]/g, escape)}\n`;

/** There is no Content-Length: a mutant between the service and the wire may change a body without repairing the header. */
export function write(
  { status, headers, body, text }: HttpResponse,
  method: string,
): ServiceResponse {
  const all = {
    ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    'cache-control': 'no-store',
    'x-served-by': 'independent',
    ...headers,
  };
  return {
    status,
    headers: all,
    body: method === 'HEAD' ? '' : (text ?? (body === undefined ? '' : toJson(body))),
  };
}

export interface Target {
  segments: string[];
  query: [name: string, value: string][];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(
      'malformed_request',
      'The request target has a percent sign that encodes nothing in UTF-8.',
    );
  }
}

/** Split before it is decoded, so that an encoded slash separates nothing. */
export function parseTarget(target: string): Target {
  const [path = '', ...rest] = target.split('?');
  const pairs = rest.join('?').split('&');
  return {
    segments: path.split('/').slice(1).map(decode),
    query: pairs
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decode(name), decode(value.join('='))];
      }),
  };
}

/** Undefined where it throws. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const parseMediaType = (text: string) => attempt(() => new MIMEType(text));

/** From the narrowest range, which decides, to the broadest. */
const RANGES = ['application/json', 'application/*', '*/*'];
const REFUSING = /^0(?:\.0{0,3})?$/;

/** Whether an Accept header leaves room for JSON (RFC 9110, 12.5.1). An invalid element excludes nothing. */
export function acceptsJson(header = ''): boolean {
  // A comma between quotes does not separate two elements.
  const elements = header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
  const readable = elements.flatMap((element) => parseMediaType(element) ?? []);
  const narrowest = RANGES.find((range) => readable.some(({ essence }) => essence === range));
  // Two ranges of one width differ by parameters, which JSON does not have: the better one counts.
  const deciding = readable.filter(({ essence }) => essence === narrowest);
  return (
    readable.length === 0 || deciding.some(({ params }) => !REFUSING.test(params.get('q') ?? '1'))
  );
}

const MOST_BYTES = 1_048_576;

/** The JSON value of a body. Undefined without a body; then its declaration says nothing. */
export function readBody({ body, headers }: ServiceRequest): unknown {
  if (body.length === 0) {
    return undefined;
  }
  if (body.length > MOST_BYTES) {
    throw new Refusal('content_too_large', `Bodies end at ${MOST_BYTES} bytes here.`);
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    const extras = { headers: { 'accept-encoding': 'identity' } };
    throw new Refusal(
      'unsupported_media_type',
      'Bodies are read without any content coding.',
      extras,
    );
  }
  const type = parseMediaType(headers['content-type'] ?? '');
  const charset = type?.params.get('charset') ?? 'utf-8';
  if (type?.essence !== 'application/json' || charset.toLowerCase() !== 'utf-8') {
    throw new Refusal(
      'unsupported_media_type',
      'Bodies are read as application/json in UTF-8 and as nothing else.',
    );
  }
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = JSON.parse(text);
  } catch {
    throw new Refusal('malformed_request', 'The body is not JSON in UTF-8.');
  }
  if (hasNameTwice(text)) {
    throw new Refusal('malformed_request', 'A name occurs twice in one object of the body.');
  }
  return value;
}

/** Texts, and what opens, closes or separates the others; the rest of a JSON text does not matter here. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Whether an object in a JSON text has a name twice, which a parsed value no longer shows. */
function hasNameTwice(json: string): boolean {
  /** The names of each object around; undefined for a list. */
  const around: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    if (token === '{') {
      around.push(new Set());
    } else if (token === '[') {
      around.push(undefined);
    } else if (token === '}' || token === ']') {
      around.pop();
    } else if (token === ':') {
      const name = JSON.parse(last) as string;
      const names = around.at(-1)!;
      if (names.has(name)) {
        return true;
      }
      names.add(name);
    }
    last = token;
  }
  return false;
}

/** The parameters of a query: each is known and occurs once, or is an error. */
export class Query {
  readonly #once = new Map<string, string>();
  readonly #errors: Errors;

  constructor(pairs: Target['query'], known: readonly string[], errors: Errors) {
    this.#errors = errors;
    for (const name of new Set(pairs.map(([one]) => one))) {
      const values = pairs.filter(([one]) => one === name).map(([, value]) => value);
      if (!known.includes(name)) {
        errors.parameter(name, 'unknown', 'This operation takes no parameter of this name.');
      }
      // Nobody can tell which of several values was meant: none is checked.
      else if (values.length > 1) {
        errors.parameter(name, 'repeated', 'Give this parameter once.');
      } else {
        this.#once.set(name, values[0]!);
      }
    }
  }

  text(name: string, longest: number): string | undefined {
    const sent = this.#once.get(name);
    if (sent === undefined) {
      return undefined;
    }
    if (sent === '') {
      return this.#errors.parameter(name, 'too_short', 'Give a value, or omit the parameter.');
    }
    if (Array.from(sent).length <= longest) {
      return sent;
    }
    return this.#errors.parameter(name, 'too_long', `It ends at ${longest} characters.`);
  }

  /** Decimal digits alone: `1e1`, `0x0A` and `5.0` are numbers elsewhere. */
  integer(name: string, least: number, most: number): number | undefined {
    const sent = this.#once.get(name);
    if (sent === undefined) {
      return undefined;
    }
    if (!/^(?:0|[1-9][0-9]*)$/.test(sent)) {
      return this.#errors.parameter(name, 'type', 'Write it in decimal digits.');
    }
    const value = Number(sent);
    if (value < least) {
      return this.#errors.parameter(name, 'too_small', `It begins at ${least}.`);
    }
    if (value > most) {
      return this.#errors.parameter(name, 'too_large', `It ends at ${most}.`);
    }
    return value;
  }
}

export interface HttpResponse {
  status: number;
  headers?: Record<string, string>;
  /** Omitted: a response without content. */
  body?: unknown;
  /** In place of `body`: content that is not JSON, with its type in `headers`. */
  text?: string;
}

const PROBLEMS = {
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

interface Extras {
  headers?: Record<string, string>;
  errors?: readonly FieldError[];
}

/** The one way to refuse. `type` is `about:blank`, as RFC 9457 allows beside `code`; `title` is that of the status. */
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
    body: {
      ...(errors && { errors }),
      code,
      detail: message,
      status,
      title,
      type: 'about:blank',
      retryable: false,
    },
  };
}

type FieldError = ({ pointer: string } | { parameter: string }) & { code: string; detail: string };

/** The contract allows this many errors, and pointers and names of parameters of this length. */
const MOST_ERRORS = 100;
const LONGEST_PLACE = 4096;

/** The JSON Pointer (RFC 6901) to a member or item. */
export const step = (place: string, token: string | number): string =>
  `${place}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Collects every error of one request, so that a client can fix all of them at once. */
export class Errors {
  readonly #found: FieldError[] = [];

  /** At the nearest enclosing place, where no pointer can spell this one. */
  at(place: string, code: string, detail: string): undefined {
    let pointer = place;
    while (pointer.length > LONGEST_PLACE || !pointer.isWellFormed()) {
      pointer = pointer.slice(0, pointer.lastIndexOf('/', LONGEST_PLACE));
    }
    this.#found.push({ detail, code, pointer });
  }

  parameter(name: string, code: string, detail: string): undefined {
    this.#found.push({ detail, code, parameter: name.slice(0, LONGEST_PLACE).toWellFormed() });
  }

  throwIfAny(): void {
    const errors = this.#found.slice(0, MOST_ERRORS);
    if (errors.length > 0) {
      throw new Refusal('invalid_request', `Errors found: ${this.#found.length}.`, { errors });
    }
  }
}
