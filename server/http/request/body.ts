/** Reads the JSON body (D30, D32, D35): UTF-8 only, at most 1 MiB, declared as `application/json`, each name once. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Operation } from '../../contract.ts';
import { ApiError, invalidRequest } from '../../domain/api-error.ts';
import type { FieldError } from '../../domain/types.ts';
import { MAX_BODY_BYTES } from '../../limits.ts';
import { HttpError } from '../problem.ts';
import { inTurns } from '../socket/connections.ts';
import { isJson, JSON_TYPE } from './media-types.ts';
import { checkStructure, loneSurrogates } from './json-rules.ts';

export interface JsonBody {
  /** Undefined where there is no body. */
  value: unknown;
  /** Texts that are not well-formed Unicode: reported together with the other errors. */
  errors: readonly FieldError[];
}

const NO_BODY: JsonBody = { value: undefined, errors: [] };

/** Reserves memory until the response is out or the connection closed. @throws HttpError `service_unavailable` */
export type ByteBudget = (res: Response, bytes: number) => void;

/** Bounds the bytes of all bodies held at once, beside the limit of each: many of them would fill the memory. */
export function createByteBudget(most: number): ByteBudget {
  let held = 0;
  return (res, bytes) => {
    if (held + bytes > most) {
      const detail =
        'The service is receiving too many large bodies. Send the request again later.';
      throw new HttpError('service_unavailable', detail, { 'Retry-After': '1' });
    }
    held += bytes;
    res.once('close', () => {
      held -= bytes;
    });
  };
}

/** Ignores a body that the operation does not have (RFC 9110, 9.3). @throws ApiError: 400, 413, 415 or 503 */
export async function readBody(
  { requestBody }: Operation,
  req: Request,
  res: Response,
  budget: ByteBudget,
) {
  const contentType = req.headers['content-type'];
  // The validator compiles anew for each other value.
  req.headers['content-type'] = undefined;
  if (requestBody === undefined) {
    return NO_BODY;
  }
  let body = NO_BODY;
  if (
    req.headers['transfer-encoding'] !== undefined ||
    Number(req.headers['content-length'] ?? 0) > 0
  ) {
    if (!isJson(contentType)) {
      throw new ApiError('unsupported_media_type', `Send the body as ${JSON_TYPE} in UTF-8.`);
    }
    body = readJson(await bodyBytes(req, (bytes) => budget(res, bytes)));
  }
  if (body.value !== undefined) {
    req.headers['content-type'] = JSON_TYPE;
  } else if (requestBody.required) {
    throw invalidRequest([{ pointer: '', code: 'required', detail: 'a JSON body is required' }]);
  }
  return body;
}

/** Omits a byte order mark at the beginning, as RFC 8259 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson(bytes: Buffer): JsonBody {
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
  return { value, errors: text.includes('\\u') ? loneSurrogates(value) : [] };
}

/** Messages of parsers quote the body and are not passed on. */
function attempt<T>(detail: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('malformed_request', detail);
  }
}

const DECODERS = new Map<
  string,
  (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>
>([
  ['identity', async (bytes) => bytes],
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress)],
]);

/** The bytes without their content coding (RFC 9110, 8.4), never more than the limit, before and after. */
async function bodyBytes(req: IncomingMessage, reserve: (bytes: number) => void): Promise<Buffer> {
  const decoded = DECODERS.get(
    (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase(),
  );
  if (!decoded) {
    throw new ApiError('unsupported_media_type', 'The Content-Encoding is not supported.');
  }
  if (req.readableEnded) {
    throw new Error(
      'The body has been read already: mount this application before its parsers of bodies.',
    );
  }
  const bytes = await collect(req, reserve);
  try {
    return await decoded(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge();
    }
    throw new ApiError('malformed_request', 'The body cannot be decompressed.');
  }
}

/** Refuses at the first byte too many, or by the announced length: an endless body gets a response, too. */
async function collect(req: IncomingMessage, reserve: (bytes: number) => void): Promise<Buffer> {
  const most = Number(req.headers['content-length'] ?? MAX_BODY_BYTES);
  // `readRest` (socket/connections.ts) reads on. Common parsers would read all of it first.
  if (most > MAX_BODY_BYTES) {
    throw tooLarge();
  }
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let held = 0;
  const add = (chunk: Buffer) => {
    const all = length + chunk.length;
    if (all > most) {
      throw tooLarge();
    }
    // The first chunk is all of most bodies. More are copied: 1 MiB in objects of one byte took 800 MB.
    if (length === 0) {
      bytes = chunk;
    } else {
      if (all > bytes.length) {
        // Not all of it at once: slow senders would take the room of all others.
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(16_384, 2 * bytes.length, all)));
        reserve(larger.length - held);
        held = larger.length;
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      chunk.copy(bytes, length);
    }
    length = all;
  };
  await eachChunk(req, add);
  return bytes.subarray(0, length);
}

/** By events: `for await` takes a tenth of the CPU time of such a request. The stream stays open for the response. */
function eachChunk(req: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error?: unknown) => {
      req.off('data', onData).off('end', stop).off('close', onClose).off('error', onClose).pause();
      if (error === undefined) {
        resolve();
      } else {
        reject(error as Error);
      }
    };
    const onData = inTurns(req, (chunk) => {
      try {
        take(chunk);
      } catch (error) {
        stop(error);
      }
    });
    const onClose = () =>
      stop(
        new ApiError('malformed_request', 'The body does not have the length in Content-Length.'),
      );
    // One that broke off before now emits nothing any more.
    if (req.destroyed) {
      onClose();
    }
    // Not `once`: its objects would keep the request in memory, and a create took a fifth more (docs/maintainers/speed.md).
    else {
      req.on('data', onData).on('end', stop).on('close', onClose).on('error', onClose);
    }
  });
}

function tooLarge(): ApiError {
  return new ApiError('content_too_large', `The body can have at most ${MAX_BODY_BYTES} bytes.`);
}
