/**
 * The bytes of a body, without their content coding (RFC 9110, 8.4), and never more than a limit of them.
 *
 * Parsers at hand read a body that is too large to its end before they say so: the answer to an endless one would never
 * go out. Here it is refused with the first byte too many, or by the length that is announced; what then still arrives is
 * the business of `listen.ts`. They also keep each chunk as an object: 1 MiB in chunks of one byte took 800 MB. Here
 * each is copied into one buffer, which doubles.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Refusal } from '../domain/refusal.ts';

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Bodies are mostly smaller. Less than half a page of Node's pool, from which buffers cost least. */
const FIRST_BYTES = 4095;

/**
 * @param limit in bytes, before and after decoding
 * @throws Refusal `content_too_large`, `unsupported_media_type`, or `malformed_request` where it breaks off or cannot be decoded
 */
export async function bodyBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  const coding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const announced = Number(req.headers['content-length'] ?? FIRST_BYTES);
  if (announced > limit) throw tooLarge(limit);
  if (coding === 'identity') return collect(req, limit, Math.min(announced, FIRST_BYTES));
  const decoder = DECODERS.get(coding)?.();
  if (!decoder) throw new Refusal('unsupported_media_type', 'The Content-Encoding is not supported.');
  let encoded = 0;
  const count = (chunk: Buffer) => {
    encoded += chunk.length;
    // Much may come in where little comes out: of empty blocks, nothing does.
    if (encoded > limit) decoder.destroy(tooLarge(limit));
  };
  const abort = () => decoder.destroy(brokenOff());
  req.on('data', count).once('aborted', abort);
  try {
    return await collect(req.pipe(decoder), limit, FIRST_BYTES);
  } finally {
    req.off('data', count).off('aborted', abort).unpipe(decoder);
    decoder.on('error', () => undefined).destroy();
  }
}

/** @param room for so many bytes at first */
function collect(stream: Readable, limit: number, room: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.allocUnsafe(room);
    let length = 0;
    const onData = (chunk: Buffer) => {
      if (length + chunk.length > limit) {
        settle(() => reject(tooLarge(limit)));
        return;
      }
      if (length + chunk.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, length + chunk.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      chunk.copy(bytes, length);
      length += chunk.length;
    };
    const onEnd = () => settle(() => resolve(bytes.subarray(0, length)));
    const onError = (error: NodeJS.ErrnoException) => settle(() => reject(isOfZlib(error) ? cannotDecode() : error));
    const onClose = () => settle(() => reject(brokenOff()));
    const settle = (end: () => void) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose).off('aborted', onClose).pause();
      end();
    };
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose).on('aborted', onClose);
  });
}

function tooLarge(limit: number): Refusal {
  return new Refusal('content_too_large', `The body may have at most ${limit} bytes.`);
}

function brokenOff(): Refusal {
  return new Refusal('malformed_request', 'The body does not have the length that was announced.');
}

function cannotDecode(): Refusal {
  return new Refusal('malformed_request', 'The body cannot be decompressed.');
}

function isOfZlib({ code }: NodeJS.ErrnoException): boolean {
  return /^(Z_|ERR__ERROR|ERR_PADDING)/.test(String(code));
}
