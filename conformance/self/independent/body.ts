/** From the bytes of a body to a JSON value. */
import type { ServiceRequest } from '../service.ts';
import { parseMediaType } from './media-type.ts';
import { hasNameTwice } from './names-once.ts';
import { Refusal } from './problem.ts';

const MOST_BYTES = 1_048_576;

function isJsonInUtf8(contentType: string | undefined): boolean {
  const type = parseMediaType(contentType ?? '');
  return (
    type?.name === 'application/json' &&
    type.parameters.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8')
  );
}

/** Undefined when there is no body; then its declaration says nothing. */
export function readBody({ body, headers }: ServiceRequest): unknown {
  if (body.length === 0) return undefined;
  if (body.length > MOST_BYTES) throw new Refusal('content_too_large', `Bodies end at ${MOST_BYTES} bytes here.`);
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Bodies are read without any content coding.', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  if (!isJsonInUtf8(headers['content-type'])) {
    throw new Refusal('unsupported_media_type', 'Bodies are read as application/json in UTF-8 and as nothing else.');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Refusal('malformed_request', 'The bytes of the body are no UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('malformed_request', 'The text of the body is no JSON.');
  }
  if (hasNameTwice(text))
    throw new Refusal('malformed_request', 'Somewhere in the body, a name stands twice in one object.');
  return value;
}
