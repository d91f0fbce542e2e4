/**
 * Reads the JSON body (D30, D32, D35): UTF-8 only, at most 1 MiB, declared as `application/json`,
 * each name once.
 */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Operation } from '../../contract.ts';
import { ApiError, invalidRequest } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import { MAX_BODY_BYTES } from '../../limits.ts';
import { collectBody, tooLarge } from './body-bytes.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type Decode, decoderFor } from './content-codings.ts';
import { checkStructure, loneSurrogates } from './json-rules.ts';
import { isJson, JSON_TYPE } from './media-types.ts';

export interface JsonBody {
  /** Undefined if there is no body. */
  value: unknown;
  /** Texts that are not well-formed Unicode: reported together with the other errors. */
  errors: readonly FieldError[];
}

const NO_BODY: JsonBody = { value: undefined, errors: [] };

/**
 * Ignores a body that the operation does not have (RFC 9110, 9.3).
 *
 * @throws ApiError: 400, 413, 415 or 503
 */
export async function readBody(
  { requestBody }: Operation,
  req: Request,
  res: Response,
  budget: ByteBudget,
): Promise<JsonBody> {
  const contentType = req.headers['content-type'];
  // The validator compiles anew for each other value.
  req.headers['content-type'] = undefined;
  if (requestBody === undefined) {
    return NO_BODY;
  }
  const body = hasBody(req) ? await readJson(contentType, req, res, budget) : NO_BODY;
  if (body.value !== undefined) {
    req.headers['content-type'] = JSON_TYPE;
  } else if (requestBody.required) {
    throw invalidRequest([{ pointer: '', code: 'required', detail: 'a JSON body is required' }]);
  }
  return body;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function readJson(
  contentType: string | undefined,
  req: Request,
  res: Response,
  budget: ByteBudget,
): Promise<JsonBody> {
  if (!isJson(contentType)) {
    throw new ApiError('unsupported_media_type', `Send the body as ${JSON_TYPE} in UTF-8.`);
  }
  const decode = decoderFor(req.headers['content-encoding']);
  if (req.readableEnded) {
    throw new Error(
      'The body has been read already: mount this application before its parsers of bodies.',
    );
  }
  if (req.readableEncoding !== null) {
    throw new Error(
      'The body is read as text: mount this application before setEncoding is called.',
    );
  }
  const bytes = await collectBody(req, (count) => budget(res, count));
  return parse(await decoded(bytes, decode));
}

/** @throws ApiError also for a body that is larger than the limit only after it is decoded */
async function decoded(bytes: Buffer, decode: Decode): Promise<Buffer> {
  try {
    return await decode(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge();
    }
    throw new ApiError('malformed_request', 'The body cannot be decompressed.');
  }
}

/** Omits a byte order mark at the beginning, as RFC 8259 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): JsonBody {
  const text = attempt('The body is not UTF-8.', () => utf8.decode(bytes));
  // Announced, but empty.
  if (text === '') {
    return NO_BODY;
  }
  const value: unknown = attempt('The body is not well-formed JSON.', () => {
    checkStructure(text);
    return JSON.parse(text);
  });
  // The bytes were UTF-8: only escapes can write a lone surrogate.
  const errors = text.includes('\\u') ? loneSurrogates(value) : [];
  return { value, errors };
}

/** Messages of parsers quote the body and are not passed on. */
function attempt<T>(detail: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('malformed_request', detail);
  }
}
