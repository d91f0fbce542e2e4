/**
 * Reads the JSON body (D30, D32): UTF-8 only, at most 1 MiB, declared as `application/json`.
 *
 * The Content-Type is normalised here, since express-openapi-validator keeps a compiled validator per distinct value.
 */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { invalidRequest, Refusal } from '../domain/refusal.ts';
import { operationOf } from './request-context.ts';

/** D32. */
export const MAX_BODY_BYTES = 1024 * 1024;

const parseJson = express.json({ type: () => true, limit: MAX_BODY_BYTES, strict: false, verify: checkEncoding });

export const readBody: RequestHandler = async (req, res, next) => {
  const { requestBody } = operationOf(res);
  if (requestBody === undefined) {
    // An operation without a body ignores one (RFC 9110).
    delete req.headers['content-type'];
    next();
    return;
  }
  const hasBody = declaresBody(req) && (await parse(req, res));
  if (!hasBody) {
    if (requestBody.required) {
      throw invalidRequest([{ pointer: '', code: 'required', detail: 'a JSON body is required' }]);
    }
    req.body = undefined;
  }
  req.headers['content-type'] = JSON_TYPE;
  next();
};

const JSON_TYPE = 'application/json';

function declaresBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** False when a body was announced, but is empty. */
async function parse(req: Request, res: Response): Promise<boolean> {
  if (!isJson(req.headers['content-type'])) {
    throw new Refusal('unsupported_media_type', `Send the body as ${JSON_TYPE} in UTF-8.`);
  }
  req.headers['content-type'] = JSON_TYPE;
  empty.delete(req);
  await new Promise<void>((resolve, reject) => {
    parseJson(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(toRefusal(error))));
  });
  return !empty.has(req);
}

/** Requests whose body turned out to be empty, which the body parser gives as `{}`. */
const empty = new WeakSet<object>();

function checkEncoding(req: object, _res: unknown, bytes: Buffer): void {
  if (bytes.length === 0) empty.add(req);
  if (!isUtf8(bytes)) throw new Refusal('malformed_request', 'The body is not UTF-8.');
}

/** RFC 8259 defines no parameter; `charset=utf-8` is common and harmless, another charset is not. */
function isJson(contentType: string | undefined): boolean {
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    type === JSON_TYPE &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter))
  );
}

/** The errors of the body parser, by their documented `type`. Its messages quote the body and are not passed on. */
function toRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  switch ((error as { type?: string }).type) {
    case 'entity.parse.failed':
      return new Refusal('malformed_request', 'The body is not well-formed JSON.');
    case 'entity.too.large':
      return new Refusal('content_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`);
    case 'encoding.unsupported':
      return new Refusal('unsupported_media_type', 'The Content-Encoding is not supported.');
    case 'request.size.invalid':
    case 'request.aborted':
      return new Refusal('malformed_request', 'The body does not have the length that was announced.');
    default:
      // Faults of compressed data arrive as errors of zlib.
      return String((error as { code?: string }).code).startsWith('Z_')
        ? new Refusal('malformed_request', 'The body cannot be decompressed.')
        : error;
  }
}
