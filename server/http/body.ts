/**
 * Reads the JSON body (D30, D32, D35): UTF-8 only, at most 1 MiB, declared as `application/json`, each name once.
 *
 * The Content-Type is normalised here, since express-openapi-validator keeps a compiled validator per distinct value.
 */
import type { Request, RequestHandler, Response } from 'express';
import { invalidRequest, Refusal } from '../domain/refusal.ts';
import { bodyBytes } from './body-bytes.ts';
import { crowdedPlace } from './crowded.ts';
import { repeatedName } from './repeated-names.ts';
import { operationOf, setTextFaults } from './request-context.ts';
import { unicodeFaults } from './unicode.ts';

/** D32. */
export const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json';

export const readBody: RequestHandler = (req, res, next) => {
  const { requestBody } = operationOf(res);
  if (requestBody === undefined) {
    // An operation without a body ignores one (RFC 9110).
    if (req.headers['content-type'] !== undefined) delete req.headers['content-type'];
    next();
    return undefined;
  }
  const take = (body: unknown) => {
    if (body === undefined && requestBody.required) {
      throw invalidRequest([{ pointer: '', code: 'required', detail: 'a JSON body is required' }]);
    }
    req.body = body;
    req.headers['content-type'] = JSON_TYPE;
    next();
  };
  if (!declaresBody(req)) return take(undefined);
  if (!isJson(req.headers['content-type'])) {
    throw new Refusal('unsupported_media_type', `Send the body as ${JSON_TYPE} in UTF-8.`);
  }
  return bodyBytes(req, MAX_BODY_BYTES).then((bytes) => take(readJson(bytes, res)));
};

function declaresBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** Undefined when a body was announced, but is empty. */
function readJson(bytes: Buffer, res: Response): unknown {
  const text = decode(bytes);
  if (text === '') return undefined;
  const value = parse(text);
  const crowded = crowdedPlace(text, value);
  if (crowded) throw invalidRequest([crowded]);
  const repeated = repeatedName(text, value);
  if (repeated) throw new Refusal('malformed_request', 'An object of the body has one name twice.', [repeated]);
  // The bytes were UTF-8: only escapes can write a lone surrogate. It is told together with what else is wrong.
  if (text.includes('\\u')) setTextFaults(res, unicodeFaults(value));
  return value;
}

/** RFC 8259 defines no parameter; `charset=utf-8` is common and harmless, another charset is not. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    type === JSON_TYPE &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter))
  );
}

/** A byte order mark at the beginning is left out, as RFC 8259 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('malformed_request', 'The body is not UTF-8.');
  }
}

/** The messages of JSON.parse quote the body and are not passed on. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('malformed_request', 'The body is not well-formed JSON.');
  }
}
