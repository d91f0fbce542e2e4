/**
 * The bytes of a body, without their content coding (RFC 9110, 8.4), and never more than a limit of them.
 *
 * Express's own parser reads a body that is too large to its end before it says so: the answer to an endless one would
 * never go out. Here it is refused with the first byte too many, or by the length that is announced; what then still
 * arrives is the business of `listen.ts`.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import getRawBody from 'raw-body';
import { Refusal } from '../domain/refusal.ts';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * @param limit in bytes, before and after decoding
 * @throws Refusal `content_too_large`, `unsupported_media_type`, or `malformed_request` where it breaks off or cannot be decoded
 */
export async function bodyBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  const coding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const length = req.headers['content-length'];
  if (Number(length) > limit) throw tooLarge(limit);
  try {
    if (coding === 'identity') return await getRawBody(req, { length: length ?? null, limit });
    return await decoded(req, coding, limit);
  } catch (error) {
    throw toRefusal(error, limit);
  }
}

async function decoded(req: IncomingMessage, coding: string, limit: number): Promise<Buffer> {
  const decoder: (Readable & NodeJS.WritableStream) | undefined = DECODERS.get(coding)?.();
  if (!decoder) throw new Refusal('unsupported_media_type', 'The Content-Encoding is not supported.');
  let encoded = 0;
  req.on('data', (chunk: Buffer) => {
    encoded += chunk.length;
    // Little may come out of much: of empty blocks, nothing does.
    if (encoded > limit) decoder.destroy(tooLarge(limit));
  });
  req.once('aborted', () => decoder.destroy(Object.assign(new Error(), { type: 'request.aborted' })));
  try {
    return await getRawBody(req.pipe(decoder), { limit });
  } finally {
    req.unpipe(decoder);
    decoder.on('error', () => undefined);
    decoder.destroy();
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal('content_too_large', `The body may have at most ${limit} bytes.`);
}

/** The errors of raw-body, by their documented `type`, and those of zlib. Their messages are not passed on. */
function toRefusal(error: unknown, limit: number): unknown {
  if (error instanceof Refusal) return error;
  const { type, code } = error as { type?: string; code?: string };
  switch (type) {
    case 'entity.too.large':
      return tooLarge(limit);
    case 'request.size.invalid':
    case 'request.aborted':
    case 'stream.not.readable':
      return new Refusal('malformed_request', 'The body does not have the length that was announced.');
    default:
  }
  return /^(Z_|ERR__ERROR)/.test(String(code)) ? new Refusal('malformed_request', 'The body cannot be decompressed.') : error;
}
