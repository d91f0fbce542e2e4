/**
 * The bytes of a body, without their content coding (RFC 9110, 8.4), and never more than a limit of them.
 *
 * Parsers at hand read a body that is too large to its end before they say so: the response to an endless one would never
 * go out. Here it is refused with the first byte too many, or by the length that is announced; what then still arrives is
 * the business of socket/rest-of-body.ts. They also keep each chunk as an object: 1 MiB in chunks of one byte took 800 MB.
 * Here the first is kept, and is all of most bodies; with a second one, each is copied into one buffer, which doubles.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '../../domain/api-error.ts';
import type { Reserve } from './byte-budget.ts';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * @param limit in bytes, before and after decoding
 * @param reserve called before more than one chunk is kept: a body of one chunk is read at once, and not held
 * @throws ApiError `content_too_large`, `unsupported_media_type`, or `malformed_request` where it breaks off or cannot be decoded
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
    // Much may come in where little comes out: of empty blocks, nothing does.
    if (encoded > limit) decoder.destroy(tooLarge(limit));
  };
  const abort = () => decoder.destroy(brokenOff());
  req.on('data', count).once('aborted', abort);
  try {
    return await collect(req.pipe(decoder), limit, reserve);
  } finally {
    req.off('data', count).off('aborted', abort).unpipe(decoder);
    decoder.on('error', () => undefined).destroy();
  }
}

function collect(stream: Readable, limit: number, reserve: Reserve): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    let length = 0;
    let reserved = false;
    const onData = (chunk: Buffer) => {
      const all = length + chunk.length;
      if (all > limit) {
        fail(tooLarge(limit));
        return;
      }
      if (bytes === undefined) {
        bytes = chunk;
      } else {
        if (all > bytes.length) {
          const larger = Math.min(Math.max(2 * bytes.length, all), limit);
          try {
            reserve(larger - (reserved ? bytes.length : 0));
          } catch (error) {
            fail(error as Error);
            return;
          }
          reserved = true;
          bytes = enlarged(bytes, length, larger);
        }
        chunk.copy(bytes, length);
      }
      length = all;
    };
    const onEnd = () => resolve(bytes === undefined ? Buffer.alloc(0) : bytes.subarray(0, length));
    const onError = (error: NodeJS.ErrnoException) =>
      fail(isOfZlib(error) ? cannotDecode() : error.code === 'ECONNRESET' ? brokenOff() : error);
    const onClose = () => stream.readableEnded || fail(brokenOff());
    const fail = (error: Error) => {
      // What still comes is of no use here.
      stream.off('data', onData).off('end', onEnd).off('close', onClose).pause();
      reject(error);
    };
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

function enlarged(bytes: Buffer, length: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger, 0, 0, length);
  return larger;
}

function tooLarge(limit: number): ApiError {
  return new ApiError('content_too_large', `The body can have at most ${limit} bytes.`);
}

function brokenOff(): ApiError {
  return new ApiError('malformed_request', 'The body does not have the length in Content-Length.');
}

function cannotDecode(): ApiError {
  return new ApiError('malformed_request', 'The body cannot be decompressed.');
}

function isOfZlib({ code }: NodeJS.ErrnoException): boolean {
  return /^(Z_|ERR__ERROR|ERR_PADDING)/.test(String(code));
}
