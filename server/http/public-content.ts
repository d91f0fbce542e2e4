/**
 * Content for everyone, such as the docs: compressed, and with an entity tag, so that a cache need
 * not load it again.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { forEveryone } from './security/browsers.ts';

/** Takes a tenth of a second for 3 MB; higher qualities take several times as long. */
const BROTLI_QUALITY = 5;

type Compress = (bytes: Buffer) => Promise<Buffer>;

const brotli: Compress = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
  });

/** By content coding, the smallest result first. */
const COMPRESSIONS = new Map<string, Compress>([
  ['br', brotli],
  ['gzip', promisify(gzip) as Compress],
]);

export class PublicContent {
  readonly #type: string;
  readonly #bytes: Buffer;
  readonly #digest: string;
  /** By content coding. Each is made when it is asked for, once. */
  readonly #compressed = new Map<string, Promise<Buffer>>();

  /** @param type the value of `Content-Type` */
  constructor(type: string, content: string | Buffer) {
    this.#type = type;
    this.#bytes = Buffer.from(content);
    this.#digest = createHash('sha256').update(this.#bytes).digest('base64url');
  }

  /** Responds with 304 if the client has it already. */
  async send(req: Request, res: Response): Promise<void> {
    const coding = [...COMPRESSIONS.keys()].find((one) => req.acceptsEncodings(one) === one);
    forEveryone(res).vary('Accept-Encoding');
    // Each form has its own, because they differ in their bytes.
    res.setHeader('ETag', `"${this.#digest}${coding === undefined ? '' : `-${coding}`}"`);
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    const bytes = await this.#encoded(coding);
    res.setHeader('Content-Type', this.#type);
    res.setHeader('Content-Length', bytes.length);
    if (coding !== undefined) {
      res.setHeader('Content-Encoding', coding);
    }
    res.end(bytes);
  }

  #encoded(coding: string | undefined): Buffer | Promise<Buffer> {
    const compress = coding === undefined ? undefined : COMPRESSIONS.get(coding);
    if (coding === undefined || compress === undefined) {
      return this.#bytes;
    }
    const compressed = this.#compressed.get(coding) ?? compress(this.#bytes);
    this.#compressed.set(coding, compressed);
    return compressed;
  }
}
