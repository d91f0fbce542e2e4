/** Reads the JSON body (D30, D32, D35): UTF-8 only, at most 1 MiB, declared as `application/json`, each name once. */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Operation } from '../../contract.ts';
import { ApiError, invalidRequest } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import { HttpError } from '../problem.ts';
import { bodyBytes } from './body-bytes.ts';
import { loneSurrogates, placeBeyondLimits, repeatedName } from './json-checks.ts';

/** D32. */
const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json';

export interface JsonBody {
  /** Undefined where there is no body. */
  value: unknown;
  /** Texts that are not well-formed Unicode: reported together with the other errors. */
  errors: readonly FieldError[];
}

const NO_BODY: JsonBody = { value: undefined, errors: [] };

/**
 * Reserves memory for the body of a request, until its response is out or its connection is closed.
 * @throws HttpError `service_unavailable` when there is not enough left for so many bytes more
 */
export type ByteBudget = (res: Response) => (bytes: number) => void;

/**
 * Bounds the bytes of bodies that the process holds at once: each body has its own limit, and many of them together would
 * still fill the memory.
 * @param most bytes
 */
export function createByteBudget(most: number): ByteBudget {
  let held = 0;
  return (res) => {
    let own = 0;
    res.once('close', () => {
      held -= own;
    });
    return (bytes) => {
      if (held + bytes > most) {
        const detail = 'The service is receiving too many large bodies. Send the request again later.';
        throw new HttpError('service_unavailable', detail, { 'Retry-After': '1' });
      }
      own += bytes;
      held += bytes;
    };
  };
}

/**
 * Ignores a body that the operation does not have (RFC 9110, 9.3).
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
    if (!isJson(req.headers['content-type']))
      throw new ApiError('unsupported_media_type', `Send the body as ${JSON_TYPE} in UTF-8.`);
    body = readJson(await bodyBytes(req, MAX_BODY_BYTES, budget(res)));
  }
  if (body.value === undefined && requestBody.required)
    throw invalidRequest([{ pointer: '', code: 'required', detail: 'a JSON body is required' }]);
  return body;
}

function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** RFC 8259 defines no parameter; `charset=utf-8` is common and harmless, another charset is not. */
function isJson(contentType = ''): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return type === JSON_TYPE && charsets.every((charset) => /^charset="?utf-8"?$/.test(charset));
}

function readJson(bytes: Buffer): JsonBody {
  const text = decode(bytes);
  // Announced, but empty.
  if (text === '') return NO_BODY;
  const value = parse(text);
  const beyond = placeBeyondLimits(value);
  if (beyond) throw invalidRequest([beyond]);
  const repeated = repeatedName(text);
  if (repeated) throw new ApiError('malformed_request', 'An object in the body has the same name twice.', [repeated]);
  // The bytes were UTF-8: only escapes can write a lone surrogate.
  return { value, errors: text.includes('\\u') ? loneSurrogates(value) : [] };
}

/** Omits a byte order mark at the beginning, as RFC 8259 allows. */
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
