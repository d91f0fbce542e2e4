/** Reads the JSON body (D30, D32, D35): UTF-8 only, at most 1 MiB, declared as `application/json`, each name once. */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Operation } from '../../contract.ts';
import { invalidRequest, ApiError } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import { bodyBytes } from './body-bytes.ts';
import type { ByteBudget } from './byte-budget.ts';
import { placeBeyondLimits } from './json-limits.ts';
import { loneSurrogates } from './lone-surrogates.ts';
import { repeatedName } from './repeated-names.ts';

/** D32. */
export const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json';

export interface JsonBody {
  /** Undefined where there is no body. */
  value: unknown;
  /** Texts that are no Unicode: reported together with what else is wrong. */
  errors: readonly FieldError[];
}

const NO_BODY: JsonBody = { value: undefined, errors: [] };

/**
 * A body that the operation does not have is ignored (RFC 9110, 9.3).
 * @throws ApiError `malformed_request`, `unsupported_media_type`, `content_too_large`, or `invalid_request` where one is missing
 */
export async function readBody(
  { requestBody }: Operation,
  req: Request,
  res: Response,
  budget: ByteBudget,
): Promise<JsonBody> {
  if (requestBody === undefined) return NO_BODY;
  let body = NO_BODY;
  if (declaresBody(req)) {
    if (!isJson(req.headers['content-type'])) {
      throw new ApiError('unsupported_media_type', `Send the body as ${JSON_TYPE} in UTF-8.`);
    }
    body = readJson(await bodyBytes(req, MAX_BODY_BYTES, budget.reservation(res)));
  }
  if (body.value === undefined && requestBody.required) {
    throw invalidRequest([{ pointer: '', code: 'required', detail: 'a JSON body is required' }]);
  }
  return body;
}

function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function readJson(bytes: Buffer): JsonBody {
  const text = decode(bytes);
  // Announced, but empty.
  if (text === '') return NO_BODY;
  const value = parse(text);
  const beyond = placeBeyondLimits(text, value);
  if (beyond) throw invalidRequest([beyond]);
  const repeated = repeatedName(text, value);
  if (repeated) throw new ApiError('malformed_request', 'An object in the body has the same name twice.', [repeated]);
  // The bytes were UTF-8: only escapes can write a lone surrogate.
  return { value, errors: text.includes('\\u') ? loneSurrogates(value) : NO_BODY.errors };
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

/** A byte order mark at the beginning is omitted, as RFC 8259 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError('malformed_request', 'The body is not UTF-8.');
  }
}

/** The messages of JSON.parse quote the body and are not passed on. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_request', 'The body is not well-formed JSON.');
  }
}
