/** Reads the parts of a request: its target, query, media types and body. */
import { MIMEType } from 'node:util';
import type { ServiceRequest } from '../service.ts';
import { attempt } from './attempt.ts';
import { ApiError, type Errors } from './problem.ts';

/** A parameter of a query, decoded. */
interface Parameter {
  name: string;
  value: string;
}

export interface Target {
  /** Decoded. */
  segments: string[];
  query: Parameter[];
}

/** Splits a target before it decodes the parts, so that an encoded slash separates nothing. */
export function parseTarget(target: string): Target {
  const [path = '', ...rest] = target.split('?');
  const pairs = rest.join('?').split('&');
  return {
    segments: path.split('/').slice(1).map(decode),
    query: pairs.filter((pair) => pair !== '').map(parseParameter),
  };
}

function parseParameter(pair: string): Parameter {
  const [name = '', ...value] = pair.split('=');
  return { name: decode(name), value: decode(value.join('=')) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError(
      'malformed_request',
      'The request target has a percent sign that encodes nothing in UTF-8.',
    );
  }
}

const parseMediaType = (text: string) => attempt(() => new MIMEType(text));

/** An element of a list in a header. A comma between quotes does not separate two elements. */
const LIST_ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/** The ranges that include JSON, from the narrowest one, which decides, to the broadest one. */
const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/** A weight of zero. */
const REFUSED = /^0(?:\.0{0,3})?$/;

/** Whether an Accept header allows JSON (RFC 9110, 12.5.1). An invalid element excludes nothing. */
export function acceptsJson(header = ''): boolean {
  const elements = header.match(LIST_ELEMENT) ?? [];
  const ranges = elements.map(parseMediaType).filter((range) => range !== undefined);
  if (ranges.length === 0) {
    return true;
  }
  const narrowest = JSON_RANGES.find((one) => ranges.some(({ essence }) => essence === one));
  // Two equal ranges differ by parameters, which JSON does not have: one that accepts is enough.
  const deciding = ranges.filter(({ essence }) => essence === narrowest);
  return deciding.some(({ params }) => !REFUSED.test(params.get('q') ?? '1'));
}

const MAX_BODY_BYTES = 1_048_576;

/** The JSON value of a body; undefined without a body, of which headers may describe anything. */
export function readBody({ body, headers }: ServiceRequest): unknown {
  if (body.length === 0) {
    return undefined;
  }
  if (body.length > MAX_BODY_BYTES) {
    throw new ApiError('content_too_large', `Bodies end at ${MAX_BODY_BYTES} bytes here.`);
  }
  requireJson(headers);
  const text = decodeUtf8(body);
  const value = parseJson(text);
  if (hasRepeatedName(text)) {
    throw new ApiError('malformed_request', 'A name occurs twice in one object of the body.');
  }
  return value;
}

function requireJson(headers: Record<string, string>): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const extras = { headers: { 'accept-encoding': 'identity' } };
    throw new ApiError(
      'unsupported_media_type',
      'Bodies are read without any content coding.',
      extras,
    );
  }
  const type = parseMediaType(headers['content-type'] ?? '');
  const charset = type?.params.get('charset') ?? 'utf-8';
  if (type?.essence !== 'application/json' || charset.toLowerCase() !== 'utf-8') {
    throw new ApiError(
      'unsupported_media_type',
      'Bodies are read as application/json in UTF-8 and as nothing else.',
    );
  }
}

const notJson = () => new ApiError('malformed_request', 'The body is not JSON in UTF-8.');

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw notJson();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/**
 * Strings, and what opens, closes or separates values. The rest of a JSON text does not matter
 * here.
 */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Whether an object in a JSON text has a name twice, which its parsed value does not show. */
function hasRepeatedName(json: string): boolean {
  /** The names of each object around the token; the names of a list stay empty. */
  const around: Set<string>[] = [];
  let last = '';
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') {
      around.push(new Set());
    } else if (token === '}' || token === ']') {
      around.pop();
    } else if (token === ':') {
      const name = JSON.parse(last) as string;
      const names = around.at(-1);
      if (names?.has(name)) {
        return true;
      }
      names?.add(name);
    }
    last = token;
  }
  return false;
}

const DECIMAL_DIGITS = /^(?:0|[1-9][0-9]*)$/;

/** The parameters of a query. One that is unknown or repeated is an error. */
export class Query {
  readonly #values = new Map<string, string>();
  readonly #errors: Errors;

  constructor(query: readonly Parameter[], known: readonly string[], errors: Errors) {
    this.#errors = errors;
    for (const name of new Set(query.map((one) => one.name))) {
      const [first, ...others] = query.filter((one) => one.name === name);
      if (!known.includes(name)) {
        errors.parameter(name, 'unknown', 'This operation takes no parameter of this name.');
      } else if (others.length > 0) {
        // It is not clear which of several values was meant: none is checked.
        errors.parameter(name, 'repeated', 'Give this parameter once.');
      } else if (first) {
        this.#values.set(name, first.value);
      }
    }
  }

  /** A text of 1 to `longest` characters; undefined if it is omitted or an error. */
  text(name: string, longest: number): string | undefined {
    const sent = this.#values.get(name);
    if (sent === undefined) {
      return undefined;
    }
    if (sent === '') {
      this.#errors.parameter(name, 'too_short', 'Give a value, or omit the parameter.');
      return undefined;
    }
    if (Array.from(sent).length > longest) {
      this.#errors.parameter(name, 'too_long', `It ends at ${longest} characters.`);
      return undefined;
    }
    return sent;
  }

  /** An integer in decimal digits: other APIs take `1e1`, `0x0A` and `5.0` for numbers, too. */
  integer(name: string, least: number, most: number): number | undefined {
    const sent = this.#values.get(name);
    if (sent === undefined) {
      return undefined;
    }
    if (!DECIMAL_DIGITS.test(sent)) {
      this.#errors.parameter(name, 'type', 'Write it in decimal digits.');
      return undefined;
    }
    const value = Number(sent);
    if (value < least) {
      this.#errors.parameter(name, 'too_small', `It begins at ${least}.`);
      return undefined;
    }
    if (value > most) {
      this.#errors.parameter(name, 'too_large', `It ends at ${most}.`);
      return undefined;
    }
    return value;
  }
}
