/** The content codings of bodies (RFC 9110, 8.4). */
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { ApiError } from '../../domain/api-error.ts';

/**
 * @throws Error with the code ERR_BUFFER_TOO_LARGE beyond the limit, and with others for invalid
 * bytes
 */
export type Decode = (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS = new Map<string, Decode>([
  ['identity', async (bytes) => bytes],
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress)],
]);

/** @throws ApiError `unsupported_media_type` */
export function decoderFor(contentEncoding = 'identity'): Decode {
  const decode = DECODERS.get(contentEncoding.trim().toLowerCase());
  if (decode === undefined) {
    throw new ApiError('unsupported_media_type', 'The Content-Encoding is not supported.');
  }
  return decode;
}
