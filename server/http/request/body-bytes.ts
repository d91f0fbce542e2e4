/**
 * The bytes of a body, without their content coding (RFC 9110, 8.4), and never more than a limit of them.
 *
 * Common parsers read a body that is too large to its end before they say so: the response to an endless one would never
 * go out. Here it is refused with the first byte too many, or by the length that is announced; the rest is then the business
 * of `readRest` (socket/connections.ts). They also keep each chunk as an object: 1 MiB in chunks of one byte took 800 MB.
 * Here the first chunk is kept, and is all of most bodies; with a second one, each is copied into one buffer, which doubles.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '../../domain/api-error.ts';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** @throws when there is no memory left for so many bytes more */
type Reserve = (bytes: number) => void;

/**
 * @param limit in bytes, before and after decoding
 * @param reserve called before more than one chunk is kept: a body of one chunk is used at once, and not held
 * @throws ApiError `content_too_large`, `unsupported_media_type`, or `malformed_request` where it is incomplete or cannot be decoded
 */
export async function bodyBytes(req: IncomingMessage, limit: number, reserve: Reserve): Promise<Buffer> {
  const coding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (coding === 'identity') return collect(req, limit, reserve);
  const decoder = DECODERS.get(coding)?.();
  if (!decoder) throw new ApiError('unsupported_media_type', 'The Content-Encoding is not supported.');
  let encoded = 0;
  const count = (chunk: Buffer) => {
    encoded += chunk.length;
    // The output has no such limit: empty blocks produce none.
    if (encoded > limit) decoder.destroy(tooLarge(limit));
  };
  const abort = () => decoder.destroy(incomplete());
  req.on('data', count).once('aborted', abort);
  try {
    return await collect(req.pipe(decoder), limit, reserve);
  } finally {
    req.off('data', count).off('aborted', abort).unpipe(decoder);
    decoder.on('error', () => undefined).destroy();
  }
}

async function collect(stream: Readable, limit: number, reserve: Reserve): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let reserved = 0;
  try {
    // The stream of a request must stay open for its response.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const all = length + chunk.length;
      if (all > limit) throw tooLarge(limit);
      if (length === 0) {
        bytes = chunk;
      } else {
        if (all > bytes.length) {
          const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * bytes.length, all), limit));
          reserve(larger.length - reserved);
          reserved = larger.length;
          bytes.copy(larger, 0, 0, length);
          bytes = larger;
        }
        chunk.copy(bytes, length);
      }
      length = all;
    }
  } catch (error) {
    throw toApiError(error as NodeJS.ErrnoException);
  }
  return bytes.subarray(0, length);
}

function toApiError(error: NodeJS.ErrnoException): Error {
  const code = String(error.code);
  if (/^(Z_|ERR__ERROR|ERR_PADDING)/.test(code))
    return new ApiError('malformed_request', 'The body cannot be decompressed.');
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' ? incomplete() : error;
}

function tooLarge(limit: number): ApiError {
  return new ApiError('content_too_large', `The body can have at most ${limit} bytes.`);
}

function incomplete(): ApiError {
  return new ApiError('malformed_request', 'The body does not have the length in Content-Length.');
}
